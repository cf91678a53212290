import { createDownloadLoader } from "#app/stories/downloads.server.ts";

/** Responds with a story as Markdown. */
export const loader = createDownloadLoader("md", ({ title, author, markdown }) => {
  return `# ${title}\n\n*${author}*\n\n${markdown}`;
});
