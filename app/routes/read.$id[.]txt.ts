import { toFile } from "#app/stories/downloads.server.ts";
import { toPlainText } from "#app/stories/markdown.server.ts";

/** The story in words alone. */
export const loader = toFile("txt", ({ title, author, markdown }) => {
  return `${title}\n${author}\n\n\n${toPlainText(markdown)}`;
});
