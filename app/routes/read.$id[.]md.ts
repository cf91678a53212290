import { BUILD_ID, findOrCreate } from "#app/http/edge-cache.server.ts";
import { createDownloadLoader } from "#app/stories/downloads.server.ts";
import { runSteps, toFileInSteps } from "#app/stories/markdown.server.ts";

/** Responds with a story as Markdown. */
export const loader = createDownloadLoader("md", async ({ title, author, markdown }, origin) => {
  const create = () => runSteps(toFileInSteps(markdown, origin));
  const text = await findOrCreate(`md/${BUILD_ID}`, `${origin}\n${markdown}`, create);
  return `# ${title}\n\n*${author}*\n\n${text}`;
});
