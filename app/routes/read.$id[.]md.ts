import { toFile } from "#app/stories/downloads.server.ts";

/** The story as its author wrote it. */
export const loader = toFile("md", ({ title, author, markdown }) => {
  return `# ${title}\n\n*${author}*\n\n${markdown}`;
});
