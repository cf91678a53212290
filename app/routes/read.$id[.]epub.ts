import { createDownloadLoader } from "#app/stories/downloads.server.ts";
import { createEpub } from "#app/stories/epub/epub.server.ts";

/** Responds with a story as an EPUB. */
export const loader = createDownloadLoader("epub", (story, origin) =>
  createEpub(story, origin, Date.now()),
);
