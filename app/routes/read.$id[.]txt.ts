import { BUILD_ID, findOrCreate } from "#app/http/edge-cache.server.ts";
import { createDownloadLoader } from "#app/stories/downloads.server.ts";
import { runSteps, toPlainTextInSteps } from "#app/stories/markdown.server.ts";

/** Responds with a story as plain text. */
export const loader = createDownloadLoader("txt", async ({ title, author, markdown }) => {
  const create = () => runSteps(toPlainTextInSteps(markdown));
  return `${title}\n${author}\n\n\n${await findOrCreate(`txt/${BUILD_ID}`, markdown, create)}`;
});
