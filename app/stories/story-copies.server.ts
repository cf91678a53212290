import { createServiceGetter, type Env } from "#app/env.server.ts";
import { createCache } from "#app/http/cache.server.ts";
import { getCopyStore } from "#app/http/request-record.server.ts";
import type { Story } from "./story.ts";

/** How often an isolate stores the same version, so that the copy of a story that is read does not expire. */
const STORE_AGAIN_MS = 60 * 60_000;

/** Stores copies of published stories, so that they can be read while Firestore does not respond. */
function createStoryCopies(env: Env, now: () => number) {
  /** The times of the versions that this isolate has stored, by story. */
  const stored = createCache<Story["updatedAt"]>(STORE_AGAIN_MS, now);
  // Several Firebase projects may share a cache.
  const toName = (id: string) => `stories/${env.FIREBASE_PROJECT_ID}/${id}`;

  return {
    /** Returns the copy of a story; `undefined` if there is none, or if the story was unpublished since. */
    async find(id: string): Promise<Story | undefined> {
      const copy = await getCopyStore()?.find(toName(id));
      // Only `set` stores copies with these names.
      return copy && (JSON.parse(copy.text) as Story);
    },

    /** @param time when the story was read, in milliseconds since the Unix epoch */
    set(story: Story, time: number): void {
      const copies = getCopyStore();
      if (!copies || stored.find(story.id) === story.updatedAt) return;
      stored.set(story.id, story.updatedAt);
      copies.set(toName(story.id), { text: JSON.stringify(story), time });
    },
  };
}

export const getStoryCopies = createServiceGetter((env) =>
  createStoryCopies(env, () => Date.now()),
);
