import { createDownloadLoader } from "#app/stories/downloads.server.ts";
import { toPlainText } from "#app/stories/markdown.server.ts";

/** Responds with a story as plain text. */
export const loader = createDownloadLoader("txt", ({ title, author, markdown }) => {
  return `${title}\n${author}\n\n\n${toPlainText(markdown)}`;
});
