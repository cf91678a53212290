import { sendFeed } from "#app/stories/feed.server.ts";

/** Answers with the newest stories, for feed readers. */
export const loader = sendFeed;
