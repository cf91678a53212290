import { createDownloadLoader } from "#app/stories/downloads.server.ts";
import { lowerHeadingsInSteps, runSteps } from "#app/stories/markdown.server.ts";

/** Responds with a story as Markdown. */
export const loader = createDownloadLoader("md", async ({ title, author, markdown }) => {
  return `# ${title}\n\n*${author}*\n\n${await runSteps(lowerHeadingsInSteps(markdown))}`;
});
