import * as z from "zod";

import type { Env } from "./env.server.ts";
import { createFirestoreAs } from "./firestore.server.ts";
import { readText } from "./story-text.server.ts";
import { withTimeout } from "./timeout.server.ts";

/** A page waits no longer for stories. */
const TIMEOUT_MS = 2000;
const MAX_LISTED = 50;

const time = z.date().transform((date) => date.getTime());

const storySchema = z.object({
  id: z.string(),
  uid: z.string(),
  author: z.string(),
  title: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  cover: z.string().nullable(),
  words: z.number(),
  parts: z.int(),
  publishedAt: time,
  updatedAt: time,
});

/** A story that somebody published, without its text. Times are milliseconds since the Unix epoch. */
export type PublishedStory = Omit<z.infer<typeof storySchema>, "parts">;

/** Reads what writers have published, as anybody may. */
export function createPublishedService(env: Env) {
  return {
    /** Returns the newest stories, or none when the database does not answer in time. */
    async list(): Promise<PublishedStory[]> {
      const newest = createFirestoreAs(env, null)
        .collection("stories")
        .orderBy("publishedAt", "desc")
        .limit(MAX_LISTED);
      try {
        const { docs } = await withTimeout(newest.get(), TIMEOUT_MS);
        return docs.flatMap((doc) => {
          const { data } = storySchema.safeParse({ ...doc.data(), id: doc.id });
          return data ? [data] : [];
        });
      } catch {
        // The library has logged it.
        return [];
      }
    },

    /**
     * Returns a story with its text, or `null` where there is none of that id.
     *
     * @throws when the database does not answer
     */
    async find(id: string): Promise<(PublishedStory & { text: string }) | null> {
      const firestore = createFirestoreAs(env, null);
      const fields = await firestore.get("stories", id);
      const story = storySchema.safeParse(fields).data;
      if (!story) return null;
      return { ...story, text: await readText(firestore, `stories/${id}`, story.parts) };
    },
  };
}
