import { sendFeed } from "#app/stories/feed.server.ts";

/** Responds with the newest stories, for feed readers. */
export const loader = sendFeed;
