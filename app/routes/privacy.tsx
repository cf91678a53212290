import type { MetaFunction } from "@remix-run/cloudflare";

import { InfoPage } from "#app/home/info-page.tsx";
import { describePage } from "#app/site/page-meta.ts";
import { Link } from "#app/ui/link.tsx";

export const meta: MetaFunction = (args) =>
  describePage(args, {
    title: "Privacy",
    description: "What Inkglade stores, who sees it, and what deleting does.",
  });

/** What is stored, who sees it, and what deletion does. */
export default function PrivacyRoute() {
  return (
    <InfoPage title="Privacy">
      <p>You can read everything here without telling us who you are.</p>

      <h2>Without an account</h2>
      <p>
        Your browser keeps your place in each story, the stories you have saved or opened lately,
        the stories, tags and writers you have hidden, your reading settings, and what you have
        typed but not sent. It sends some of this with each request, in cookies, so that the page
        can show it. We store none of it.
      </p>

      <h2>With an account</h2>
      <ul>
        <li>
          <strong>Everyone sees</strong> your messages in the room and the stories you publish, with
          the name and photo you have chosen, and the line about you. A message about a story also
          stores how far you had read, so that it gives nothing away to others.
        </li>
        <li>
          <strong>People who are signed in see</strong> when you are in the room or typing, unless
          you turn on Unseen mode on <Link to="/profile?tab=data">your profile</Link>.
        </li>
        <li>
          <strong>People who read a story together with you see</strong> your name and the chapter
          you are in, while you have the story open. Only if you turn on “Read together” for that
          story, which is off at first, and shows you the same about them.
        </li>
        <li>
          <strong>Only you see</strong> your e-mail address, drafts and their versions, your place
          in each story, saved stories, the writers you follow, what you have hidden, which answers
          you have read, and where you are signed in.
        </li>
        <li>
          <strong>Only our team sees</strong> what you report, and who reported it.
        </li>
        <li>
          <strong>We count</strong> how many people have a story open, and how many have opened it,
          finished it or thanked its writer. Nobody sees who.
        </li>
      </ul>
      <p>
        The people who run this site can read its database, and use that only to keep it working and
        to act on reports. The log of requests has no names, no addresses and no words of yours.
      </p>

      <h2>Who else is involved</h2>
      <ul>
        <li>
          Google's Firebase stores the data and checks passwords, which we never store. Cloudflare
          delivers the pages.
        </li>
        <li>
          Pictures that are uploaded here are stored without what they say about where and how they
          were taken. Everyone who knows the address of one can see it. People and writers can also
          link to pictures elsewhere. To show one, your browser asks that site for it, without
          saying which page you are reading.
        </li>
        <li>
          We count page views with Google Analytics only if you allow it. It sees which pages you
          open, never what you write. You can change your answer on your profile or the Sign In
          page. If your browser asks not to be tracked, we don't ask.
        </li>
        <li>
          Some of your browser's voices are not on your device. If one of them reads a story aloud,
          its maker gets the sentences.
        </li>
        <li>We send e-mails only to confirm your address or to let you choose a password.</li>
      </ul>

      <h2>Deleting</h2>
      <ul>
        <li>
          A message or story that you delete or unpublish is gone within seconds, within two minutes
          from pages that are kept for visitors, and within five from searches. If the database
          can't be reached, that can take an hour.
        </li>
        <li>
          When you <Link to="/profile?tab=security">delete your account</Link>, your drafts,
          stories, pictures, positions and lists are deleted with it, immediately and for good. You
          choose whether your messages are deleted too, or stay as “Anonymous”.
        </li>
        <li>
          What others have made stays: replies that repeat your first words, stories they have
          downloaded, reports, which contain the reported message, and our team's record of what it
          did, with the names of the people concerned, until the people who run this site delete
          them.
        </li>
      </ul>
      <p>
        <Link to="/profile?tab=data">Your profile</Link> has everything that you have stored, to
        download.
      </p>
    </InfoPage>
  );
}
