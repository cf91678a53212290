import { toPlainText } from "#app/services/markdown.server.ts";
import { toFile } from "./story-file.server.ts";

/** The story in words alone. */
export const loader = toFile("txt", ({ title, author, markdown }) => {
  return `${title}\n${author}\n\n\n${toPlainText(markdown)}`;
});
