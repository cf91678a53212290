import { createDownloadLoader } from "#app/stories/downloads.server.ts";
import { runSteps, toPlainTextInSteps } from "#app/stories/markdown.server.ts";

/** Responds with a story as plain text. */
export const loader = createDownloadLoader("txt", async ({ title, author, markdown }) => {
  return `${title}\n${author}\n\n\n${await runSteps(toPlainTextInSteps(markdown))}`;
});
