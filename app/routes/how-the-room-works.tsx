import type { MetaFunction } from "@remix-run/cloudflare";

import { InfoPage } from "#app/home/info-page.tsx";
import { describePage } from "#app/site/page-meta.ts";
import { Link } from "#app/ui/link.tsx";

export const meta: MetaFunction = (args) =>
  describePage(args, {
    title: "How the room works",
    description: "The rules of the room in ten lines.",
  });

/** The rules of the room. The numbers are those that `firestore.rules` enforces. */
export default function HowTheRoomWorksRoute() {
  return (
    <InfoPage title="How the room works">
      <ol>
        <li>
          <strong>Everyone reads it.</strong> There is one room, and anyone can read it. To post,
          you need an account.
        </li>
        <li>
          <strong>Your name stands next to your words.</strong> A message shows your name or
          “Anonymous”, your photo if you have one, and the time. It can have up to 4,000 characters.
        </li>
        <li>
          <strong>Inside a story, you talk about that story.</strong> Your message says so, unless
          you remove “About this story”. Select a sentence to talk about a passage.
        </li>
        <li>
          <strong>No spoilers.</strong> Messages about parts that you haven't read yet are folded.
          They open when you get there, or when you press Show.
        </li>
        <li>
          <strong>Replies stay together.</strong> A reply shows the first words of the message that
          it answers, links to it, and notifies its sender.
        </li>
        <li>
          <strong>You can change your mind.</strong> You can edit a message for 15 minutes. Edited
          messages are marked. Delete it whenever you like.
        </li>
        <li>
          <strong>Take your time.</strong> You can send 5 messages in 10 seconds, and 30 in a
          minute.
        </li>
        <li>
          <strong>Hide people you don't want to read.</strong> Their messages fold, for you alone,
          and nobody tells them. <Link to="/profile?tab=hidden">Your profile</Link> shows them
          again.
        </li>
        <li>
          <strong>Report what hurts.</strong> Only our team sees your report, and you can send 20 in
          a day.
        </li>
        <li>
          <strong>Our team looks after the room.</strong> Its messages are marked “Operator”. It may
          delete a message, unpublish a story, or mute somebody. Each of these is logged, and the
          team can't change the log.
        </li>
      </ol>
      <h2>If you are muted</h2>
      <p>
        The message box says why, and until when. You can still read the room and every story. If
        you think it is a mistake, ask to post again: our team will read it.
      </p>
    </InfoPage>
  );
}
