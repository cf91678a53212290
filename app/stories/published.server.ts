import * as z from "zod";

import { oncePerEnv, type Env } from "#app/env.server.ts";
import { readDocuments, RefusedError, type Fields } from "#app/firebase/documents.server.ts";
import { createFirestoreAs } from "#app/firebase/firestore.server.ts";
import { createCache } from "#app/http/cache.server.ts";
import { withTimeout } from "#app/http/timeout.server.ts";
import { joinText, pathsWithText } from "./story-text.server.ts";

/** A page waits no longer for stories. */
const TIMEOUT_MS = 2000;
const MAX_LISTED = 50;

/** A list that was read longer ago is read again in any case. */
const MAX_LIST_AGE_MS = 5 * 60_000;
const NEWEST = "newest";

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
  publishedAt: time,
  updatedAt: time,
});

/** A story that somebody published, without its text. Times are milliseconds since the Unix epoch. */
export type PublishedStory = z.infer<typeof storySchema>;

interface Found {
  story: (PublishedStory & { text: string }) | null;
  /** The documents at `paths`, in their order; `null` for those that do not exist. */
  others: (Fields | null)[];
}

const ANYONE = { idToken: null, paths: [] };

/** Reads what writers have published, as anybody may. */
export function createPublishedService(env: Env, now: () => number) {
  const lastLists = createCache<PublishedStory[]>(MAX_LIST_AGE_MS, now);
  return {
    /**
     * Returns the newest stories, or `null` when the database does not answer in time.
     *
     * @param isSparing for a page that has other requests to make: the list as this isolate read it last will do
     */
    async list(isSparing = false): Promise<PublishedStory[] | null> {
      const known = isSparing ? lastLists.find(NEWEST) : undefined;
      if (known) return known;
      const newest = createFirestoreAs(env, null)
        .collection("stories")
        .orderBy("publishedAt", "desc")
        .limit(MAX_LISTED);
      try {
        const { docs } = await withTimeout(newest.get(), TIMEOUT_MS);
        const stories = docs.flatMap((doc) => {
          const { data } = storySchema.safeParse({ ...doc.data(), id: doc.id });
          return data ? [data] : [];
        });
        lastLists.set(NEWEST, stories);
        return stories;
      } catch {
        // The library has logged it.
        return null;
      }
    },

    /** Makes sure that the next list has what was just published, and not what was withdrawn. */
    clearList: () => lastLists.delete(NEWEST),

    /**
     * Returns the id of the story that was published next after that one, or before it; `null` where there is none.
     *
     * @throws when the database does not answer
     */
    async findBeside(id: string, side: "newer" | "older"): Promise<string | null> {
      const firestore = createFirestoreAs(env, null);
      const { data } = storySchema.safeParse(await firestore.get("stories", id));
      if (!data) return null;
      const { publishedAt } = data;
      const stories = firestore.collection("stories");
      // Times are finer in the database than here.
      const beside =
        side === "newer"
          ? stories.where("publishedAt", ">=", new Date(publishedAt + 1)).orderBy("publishedAt")
          : stories.where("publishedAt", "<", new Date(publishedAt)).orderBy("publishedAt", "desc");
      return (await beside.limit(1).get()).docs[0]?.id ?? null;
    },

    /**
     * Returns the id of the newest story, or `null` where there is none.
     *
     * @throws when the database does not answer
     */
    async findNewest(): Promise<string | null> {
      const stories = createFirestoreAs(env, null).collection("stories");
      const { docs } = await stories.orderBy("publishedAt", "desc").limit(1).get();
      return docs[0]?.id ?? null;
    },

    /**
     * Returns a story with its text, or `null` if there is none with that id, and other documents that the user may read,
     * all in one request.
     *
     * @throws when the database does not answer
     */
    async find(
      id: string,
      { idToken, paths }: { idToken: string | null; paths: string[] } = ANYONE,
    ): Promise<Found> {
      const storyPaths = pathsWithText(`stories/${id}`);
      try {
        const documents = await readDocuments(env, idToken, [...storyPaths, ...paths]);
        const others = documents.splice(storyPaths.length);
        return { story: toStory(joinText(documents)), others };
      } catch (error) {
        // Stories are public: a refused token must not hide them.
        if (idToken === null || !(error instanceof RefusedError)) throw error;
        return this.find(id);
      }
    },
  };
}

function toStory(fields: (Fields & { text: string }) | null): Found["story"] {
  const { data } = storySchema.safeParse(fields);
  return fields && data ? { ...data, text: fields.text } : null;
}

export const getPublishedStories = oncePerEnv((env) =>
  createPublishedService(env, () => Date.now()),
);
