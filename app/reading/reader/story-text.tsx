import { useContext, useState } from "react";

import { PageMarkupContext } from "#app/reading/page-html.ts";
import styles from "./story-text.module.css";

/** The element that holds the text. */
const TEXT_ID = "text";

/**
 * A story's text. The server puts it into the page, where it stays: it is not in the data beside the page, nor does
 * React go through it. Give it a `key` of its own for every version of the text.
 *
 * @param html the text for a page that is already open; `null` on the page that the server makes
 */
export function StoryText({ html }: { html: string | null }) {
  const served = useContext(PageMarkupContext);
  const [markup] = useState(() => html ?? (served || readPage()));
  return (
    <div
      id={TEXT_ID}
      className={styles.text}
      // Browsers write markup a little differently than the server.
      suppressHydrationWarning
      // The one place where stored text becomes markup: services/markdown.server.ts made it, and
      // tests/stories/markdown.test.ts proves with hostile texts that nothing in it runs.
      // oxlint-disable-next-line react/no-danger -- see above
      dangerouslySetInnerHTML={{ __html: markup }}
    />
  );
}

/** While React takes the page over, the text is there already. */
function readPage(): string {
  if (typeof document === "undefined") return "";
  return document.getElementById(TEXT_ID)?.innerHTML ?? "";
}
