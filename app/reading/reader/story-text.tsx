import { usePageHtml } from "#app/reading/page-html.ts";
import type { ReadingData } from "#app/reading/reading-data.ts";
import { toLanguageAttributes } from "#app/stories/language-attributes.ts";
import styles from "./story-text.module.css";

const TEXT_ID = "text";

/**
 * A story's text. On the first page only the server renders it: it is not in the loader's data, and React does not
 * hydrate it. Give it a `key` that changes with the text.
 *
 * @param html the text after a client-side navigation; `null` on the first page
 */
export function StoryText({ html, language }: Pick<ReadingData, "html" | "language">) {
  const initialHtml = usePageHtml("text", TEXT_ID, html);
  return (
    <div
      id={TEXT_ID}
      className={styles.text}
      {...toLanguageAttributes(language)}
      // Browsers serialize HTML slightly differently from the server.
      suppressHydrationWarning
      // The one place where stored text becomes HTML: stories/markdown.server.ts has sanitized it, and
      // tests/stories/markdown.test.ts proves with hostile texts that nothing in it runs.
      // oxlint-disable-next-line react/no-danger -- stories are Markdown, so their text has to become HTML somewhere
      dangerouslySetInnerHTML={{ __html: initialHtml }}
    />
  );
}
