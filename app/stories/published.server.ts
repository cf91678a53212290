import * as z from "zod";

import { oncePerEnv, type Env } from "#app/env.server.ts";
import { FirestoreError } from "#app/firebase/firestore-error.server.ts";
import type { Fields, FirestoreUser, QueryOptions } from "#app/firebase/firestore-types.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { requireRead } from "#app/firebase/require-read.server.ts";
import { createCache } from "#app/http/cache.server.ts";
import { joinText, pathsWithText } from "./story-text.server.ts";

/** A page waits no longer for stories. */
const TIMEOUT_MS = 2000;
const CALL = { timeoutMs: TIMEOUT_MS };
const ONE_OF_TWO_CALLS = { timeoutMs: TIMEOUT_MS / 2 };

const MAX_LISTED = 50;

/** Older lists are not reused. */
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

/** A published story without its text. Times are milliseconds since the Unix epoch. */
export type PublishedStory = z.infer<typeof storySchema>;

interface StoryWithOthers {
  story: (PublishedStory & { text: string }) | null;
  /** The documents at `paths`, in their order; `null` for those that do not exist. */
  others: (Fields | null)[];
}

interface OtherDocuments {
  /** The user that may read them. */
  user: FirestoreUser;
  paths: string[];
}

const NO_OTHERS: OtherDocuments = { user: null, paths: [] };

/** Reads published stories, which anyone may. Each function throws `UnavailableError` without an answer. */
export function createPublishedService(env: Env, now: () => number) {
  const lastLists = createCache<PublishedStory[]>(MAX_LIST_AGE_MS, now);
  const firestore = asUser(env, null);

  async function findFirst(query: Omit<QueryOptions, "limit">, call = CALL) {
    const stories = await requireRead(firestore.query("stories", { ...query, limit: 1 }, call));
    return stories[0]?.id;
  }

  async function find(id: string, { user, paths }: OtherDocuments): Promise<StoryWithOthers> {
    const storyPaths = pathsWithText(`stories/${id}`);
    const read = asUser(env, user).batchGet([...storyPaths, ...paths], CALL);
    const documents = (await read).documents.map((document) => document && document.fields);
    const others = documents.splice(storyPaths.length);
    return { story: readStory(id, joinText(documents)), others };
  }

  return {
    /**
     * Returns the newest stories.
     *
     * @param mayReuse whether a recent list of this isolate will do, to save a request
     */
    async list(mayReuse = false): Promise<PublishedStory[]> {
      const known = mayReuse ? lastLists.find(NEWEST) : undefined;
      if (known) return known;
      const newest = { orderBy: ["publishedAt", "desc"], limit: MAX_LISTED } as const;
      const documents = await requireRead(firestore.query("stories", newest, CALL));
      const stories = documents.flatMap(({ id, fields }) => {
        return storySchema.safeParse({ ...fields, id }).data ?? [];
      });
      lastLists.set(NEWEST, stories);
      return stories;
    },

    /** Call after a story was published or withdrawn, so that the next list shows it. */
    clearList: () => lastLists.delete(NEWEST),

    /** Returns the id of the story published next after that one, or before it; `undefined` where there is none. */
    async findAdjacent(id: string, side: "newer" | "older"): Promise<string | undefined> {
      const document = await requireRead(firestore.get(`stories/${id}`, ONE_OF_TWO_CALLS));
      const { data } = storySchema.safeParse({ ...document?.fields, id });
      if (!data) return undefined;
      const { publishedAt } = data;
      // The database's times are finer than JavaScript's.
      const query: Omit<QueryOptions, "limit"> =
        side === "newer"
          ? {
              where: [["publishedAt", ">=", new Date(publishedAt + 1)]],
              orderBy: ["publishedAt", "asc"],
            }
          : {
              where: [["publishedAt", "<", new Date(publishedAt)]],
              orderBy: ["publishedAt", "desc"],
            };
      return findFirst(query, ONE_OF_TWO_CALLS);
    },

    /** Returns the id of the newest story; `undefined` where there is none. */
    findNewest: () => findFirst({ orderBy: ["publishedAt", "desc"] }),

    /**
     * Returns a story with its text, or `null` where none has that id, and other documents, in one request. Where the
     * user may not read those, `others` is empty.
     */
    async find(id: string, others = NO_OTHERS): Promise<StoryWithOthers> {
      try {
        return await find(id, others);
      } catch (error) {
        if (!(error instanceof FirestoreError)) throw error;
        // Stories are public: a refused token must not hide them.
        return requireRead(find(id, NO_OTHERS));
      }
    },
  };
}

function readStory(
  id: string,
  fields: (Fields & { text: string }) | null,
): StoryWithOthers["story"] {
  const { data } = storySchema.safeParse({ ...fields, id });
  return fields && data ? { ...data, text: fields.text } : null;
}

export const getPublishedStories = oncePerEnv((env) =>
  createPublishedService(env, () => Date.now()),
);
