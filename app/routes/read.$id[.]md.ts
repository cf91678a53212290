import { createDownloadLoader } from "#app/stories/downloads.server.ts";
import { runSteps, toFileInSteps } from "#app/stories/markdown.server.ts";

/** Responds with a story as Markdown. */
export const loader = createDownloadLoader("md", async ({ title, author, markdown }, origin) => {
  return `# ${title}\n\n*${author}*\n\n${await runSteps(toFileInSteps(markdown, origin))}`;
});
