import type { MetaFunction } from "@remix-run/cloudflare";

import { InfoPage } from "#app/home/info-page.tsx";
import { describePage } from "#app/site/page-meta.ts";
import { Link } from "#app/ui/link.tsx";

export const meta: MetaFunction = (args) =>
  describePage(args, {
    title: "About",
    description: "A place to read short stories, to write them, and to talk about them.",
  });

/** What the site is. */
export default function AboutRoute() {
  return (
    <InfoPage title="About Inkglade">
      <p>
        Inkglade is a place to read short stories, to write them, and to talk about them with the
        people who are reading them too.
      </p>
      <h2>Read</h2>
      <p>
        Twelve stories come with Inkglade. The others are{" "}
        <Link to="/home?type=story">published by the people who write here</Link>. You can read all
        of them without an account. Inkglade keeps your place in each story: in this browser, and on
        all your devices once you sign in. Every story can be downloaded as text.
      </p>
      <h2>Write</h2>
      <p>
        With an account you can <Link to="/create">write stories</Link>. Only you see a draft until
        you publish it. You can change or unpublish a story whenever you like, go back to earlier
        versions, and download everything that you have written.
      </p>
      <h2>Talk</h2>
      <p>
        There is one room for everyone. Inside a story, it shows what is said about that story,
        without giving away what you haven't read yet.{" "}
        <Link to="/how-the-room-works">How the room works</Link> has its rules.
      </p>
      <h2>No tricks</h2>
      <p>
        Inkglade has no advertising. Nothing plays by itself, and no window opens that you didn't
        ask for. Every page and every form works without JavaScript, with a keyboard and with a
        screen reader. <Link to="/privacy">Privacy</Link> says what is stored, and who sees it.
      </p>
    </InfoPage>
  );
}
