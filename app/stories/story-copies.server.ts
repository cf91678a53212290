import { createServiceGetter, type Env } from "#app/env.server.ts";
import { createCache } from "#app/http/cache.server.ts";
import { getCopyStore } from "#app/http/request-record.server.ts";
import type { Story } from "./story.ts";

/** Part of the names of copies. Increment it when the type of stories changes. */
const FORMAT_VERSION = 1;

/** A copy is stored for a day. It is stored again after this time, so that it lasts as long as the story is read. */
const STORE_AGAIN_MS = 60 * 60_000;

/** Stores copies of published stories, so that they can be read while Firestore does not respond. */
function createStoryCopies(env: Env, now: () => number) {
  /** The times of the versions that this isolate has stored recently, by story. */
  const stored = createCache<Story["updatedAt"]>(STORE_AGAIN_MS, now);
  // Several Firebase projects may share a cache.
  const toName = (id: string) => `stories/${FORMAT_VERSION}/${env.FIREBASE_PROJECT_ID}/${id}`;

  return {
    /** Returns the copy of a story; `undefined` if there is none, or if the story was unpublished since. */
    async find(id: string): Promise<Story | undefined> {
      const copy = await getCopyStore()?.find(toName(id));
      // Only `update` stores copies with these names.
      return copy && (JSON.parse(copy.text) as Story);
    },

    /**
     * Stores the copy of a story that was read, or deletes the copy of a story that does not exist any more.
     *
     * @param readAt in milliseconds since the Unix epoch
     */
    update(id: string, story: Story | null, readAt: number): void {
      const copies = getCopyStore();
      if (!copies || (story && stored.find(id) === story.updatedAt)) return;
      if (!story) {
        stored.delete(id);
        return copies.delete(toName(id));
      }
      stored.set(id, story.updatedAt);
      const copy = { text: JSON.stringify(story), ids: [id, story.uid], time: readAt };
      void copies.set(toName(id), copy).then((isStored) => isStored || stored.delete(id));
    },
  };
}

export const getStoryCopies = createServiceGetter((env) =>
  createStoryCopies(env, () => Date.now()),
);
