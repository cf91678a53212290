import * as z from "zod";

import { createServiceGetter, type Env } from "#app/env.server.ts";
import { FirestoreError, requireRead } from "#app/firebase/firestore-error.server.ts";
import type {
  DocumentSnapshot,
  Fields,
  FirestoreUser,
  QueryOptions,
} from "#app/firebase/firestore-types.ts";
import { asUser, PreciseDate } from "#app/firebase/firestore.server.ts";
import { createReadCache } from "#app/http/cache.server.ts";
import { getChangedAt } from "#app/http/page-record.server.ts";
import { findLanguage } from "./languages.ts";
import type { FindHiding } from "./library/hiding.server.ts";
import type { SearchCursor, Sort } from "./search.ts";
import type { Story } from "./story.ts";
import { joinText, getPathsWithText, MAX_WORDS } from "./story-text.server.ts";
import { toLanguageTerm, toTagTerm, toWordTerm } from "./terms.ts";

/** The longest that a page waits for stories. */
const TIMEOUT_MS = 2000;
const CALL = { timeoutMs: TIMEOUT_MS };
const ONE_OF_TWO_CALLS = { timeoutMs: TIMEOUT_MS / 2 };

/** How many of the newest stories are listed. */
export const MAX_LISTED = 50;

/** How many stories of followed writers are read. More than are listed, because corrections update old stories, too. */
const MAX_OF_WRITERS = 36;

/** How many stories are read to find the next one that is not hidden. */
const MAX_ADJACENT = 10;

/** `firestore.rules` allows lists of one more. */
const MAX_IN_LIST = 100;

/** How many stories of a period are listed. */
const MAX_IN_PERIOD = 300;

/** How long a list may be reused by pages that cannot make another request. */
const MAX_LIST_AGE_MS = 5 * 60_000;

/** How long a list may be reused by all pages. Otherwise each page would read 50 documents. */
const RECENT_MS = 5000;

/** How many lists an isolate caches. Each has up to 100 stories. */
const MAX_LISTS = 50;

/** The latest time that Firestore can store, in milliseconds since the Unix epoch. */
const MAX_TIME = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Options of a query for a page. The cursor of the page has the value of the field that it is ordered by. */
type PageOptions = QueryOptions & Required<Pick<QueryOptions, "orderBy">>;

const NEWEST: PageOptions = { orderBy: ["publishedAt", "desc"], limit: MAX_LISTED };

const time = z.instanceof(PreciseDate).transform((date) => date.time);

const cursorValueSchema = z.union([time, z.number()]);

const storySchema = z.object({
  id: z.string(),
  uid: z.string(),
  author: z.string(),
  title: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  cover: z
    .string()
    .nullable()
    .transform((cover) => cover ?? ""),
  /** Stories from before `firestore.rules` had a limit may have more. */
  words: z.number().transform((words) => Math.min(words, MAX_WORDS)),
  /** Whether the writer is still adding to it. `firestore.rules` allows stories without it. */
  isOngoing: z.boolean().default(false),
  /** `firestore.rules` allows others than those in the list. */
  language: z.unknown().optional().transform(findLanguage),
  publishedAt: time,
  updatedAt: time,
  /** When a chapter was last added to the published story. `firestore.rules` allows `null`. */
  newChapterAt: time.nullish().transform((at) => at ?? undefined),
});

/** Without `terms`, the search index, which lists do not need. */
const LISTED_FIELDS = Object.keys(storySchema.shape).filter((name) => name !== "id");

/** A published story without its text. Times are milliseconds since the Unix epoch, with microseconds as a fraction. */
export type PublishedStory = z.infer<typeof storySchema>;

/** The part of a search that Firestore evaluates. At most one of `word`, `tag`, `writer` and `language` is set. */
export interface PageQuery {
  word: string | undefined;
  tag: string | undefined;
  writer: string | undefined;
  language: string | undefined;
  sort: Sort;
  after: SearchCursor | undefined;
  limit: number;
}

export interface StoryPage {
  stories: PublishedStory[];
  /** The last story, if there are more after it. */
  end: SearchCursor | null;
}

const ORDERS = {
  new: ["publishedAt", "desc"],
  updated: ["updatedAt", "desc"],
  short: ["words", "asc"],
  long: ["words", "desc"],
} as const;

interface StoryWithOthers {
  story: (PublishedStory & Story) | null;
  /** Whether its writer has unpublished the story. */
  isWithdrawn: boolean;
  /** The documents at `paths`, in their order; `null` for those that do not exist. */
  others: (Fields | null)[];
}

interface OtherDocuments {
  /** The user who reads the documents. */
  user: FirestoreUser;
  paths: string[];
}

const NO_OTHERS: OtherDocuments = { user: null, paths: [] };

/** Reads published stories, which are public. Every function rejects with `UnavailableError` when it fails. */
export function createPublishedService(env: Env, now: () => number) {
  const lists = createReadCache<StoryPage>(now, MAX_LISTS);
  /** Milliseconds since the Unix epoch. */
  let clearedAt = -Infinity;
  const recentMs = env.PAGE_CACHE === "off" ? 0 : RECENT_MS;
  const firestore = asUser(env, null);

  function queryDocuments(options: QueryOptions): Promise<DocumentSnapshot[]> {
    return requireRead(firestore.query("stories", { ...options, fields: LISTED_FIELDS }, CALL));
  }

  async function query(options: QueryOptions): Promise<PublishedStory[]> {
    return toStories(await queryDocuments(options));
  }

  async function queryPage({ limit, ...options }: PageOptions): Promise<StoryPage> {
    // One more, to know whether there is another page.
    const documents = await queryDocuments({ ...options, limit: limit + 1 });
    const last = documents.length > limit ? documents[limit - 1] : undefined;
    const [field] = options.orderBy;
    return {
      stories: toStories(documents.slice(0, limit)),
      end: last ? toCursor(last, field) : null,
    };
  }

  /** A list that was read before a change is not reused. */
  const getRequirements = (maxAgeMs: number) => ({
    maxAgeMs,
    changedAt: Math.max(getChangedAt(), clearedAt),
  });

  async function queryRecent(options: PageOptions, maxAgeMs: number): Promise<StoryPage> {
    const key = JSON.stringify(options);
    return (await lists.read(key, getRequirements(maxAgeMs), () => queryPage(options))).value;
  }

  /** Returns the id of the first of the next few stories that is not hidden. */
  async function findFirst(
    query: Omit<QueryOptions, "limit">,
    findHiding: FindHiding,
    call = CALL,
  ): Promise<string | undefined> {
    const options = { ...query, limit: MAX_ADJACENT, fields: LISTED_FIELDS };
    const documents = await requireRead(firestore.query("stories", options, call));
    // A story that cannot be parsed has a reading page, which says so.
    return documents.find(({ id, fields }) => {
      const story = storySchema.safeParse({ ...fields, id }).data;
      return !story || !findHiding(story);
    })?.id;
  }

  async function find(id: string, { user, paths }: OtherDocuments): Promise<StoryWithOthers> {
    const storyPaths = getPathsWithText(`stories/${id}`);
    // The owner's record stays when the story is unpublished.
    const allPaths = [...storyPaths, `storyOwners/${id}`, ...paths];
    const batch = asUser(env, user).batchGet(allPaths, CALL);
    const documents = (await batch).documents.map((document) => document && document.fields);
    const [owner, ...others] = documents.splice(storyPaths.length);
    const isWithdrawn = Boolean(owner) && !documents[0];
    return { story: readStory(id, documents), isWithdrawn, others };
  }

  return {
    /**
     * Returns the newest stories. Those that were published elsewhere in the last five seconds may be missing.
     *
     * @param mayReuse whether to save the request with a list that is up to five minutes old
     */
    async list(mayReuse = false): Promise<PublishedStory[]> {
      return (await queryRecent(NEWEST, mayReuse ? MAX_LIST_AGE_MS : recentMs)).stories;
    },

    /** Returns when a story was last changed; `null` if there is no such story. */
    async findUpdateTime(id: string): Promise<number | null> {
      const document = await requireRead(firestore.get(`stories/${id}`, CALL));
      return storySchema.safeParse({ ...document?.fields, id }).data?.updatedAt ?? null;
    },

    /**
     * Returns the stories with a word, a tag, a writer or a language, in the given order; all stories if none is given.
     * Those that were published elsewhere in the last five seconds may be missing.
     */
    async listPage(query: PageQuery): Promise<StoryPage> {
      const { word, tag, writer, language, sort, after, limit } = query;
      const [field, direction] = ORDERS[sort];
      const isTime = field !== "words";
      // Such as the cursor of a built-in story, which comes before all published ones.
      const isBeforeAll = isTime && after !== undefined && after.value > MAX_TIME;
      const term =
        (word && toWordTerm(word)) ??
        (tag && toTagTerm(tag)) ??
        (language && toLanguageTerm(language));
      const options: PageOptions = {
        where: [
          ...(term === undefined ? [] : [["terms", "array-contains", term] as const]),
          ...(writer === undefined ? [] : [["uid", "==", writer] as const]),
          // Those with more have a false number, which no cursor can have.
          ...(isTime ? [] : [["words", "<=", MAX_WORDS] as const]),
        ],
        orderBy: [field, direction],
        startAfter: isBeforeAll
          ? undefined
          : after && [isTime ? new PreciseDate(after.value) : after.value, `stories/${after.id}`],
        limit,
      };
      return queryRecent(options, recentMs);
    },

    /**
     * Returns the stories that were published in a time, the oldest first, and no more than `MAX_IN_PERIOD`. Takes one
     * request for every hundred.
     *
     * @param start milliseconds since the Unix epoch
     */
    async listBetween(start: number, end: number): Promise<PublishedStory[]> {
      const where = [
        ["publishedAt", ">=", new Date(start)] as const,
        ["publishedAt", "<", new Date(end)] as const,
      ];
      const options = { where, orderBy: ["publishedAt", "asc"] as const, limit: MAX_IN_LIST };
      const stories: PublishedStory[] = [];
      let page: StoryPage = { stories, end: { value: start, id: "" } };
      while (page.end && stories.length < MAX_IN_PERIOD) {
        const { value, id } = page.end;
        const startAfter = [new PreciseDate(value), `stories/${id}`] as const;
        page = await queryPage({ ...options, ...(id && { startAfter }) });
        stories.push(...page.stories);
      }
      return stories;
    },

    /** Returns the oldest story; `undefined` if there is none. */
    async findOldest(): Promise<PublishedStory | undefined> {
      return (await query({ orderBy: ["publishedAt", "asc"], limit: 1 }))[0];
    },

    /** Returns the newest stories that this isolate has read recently; none if it has not. */
    getCachedList: (): PublishedStory[] =>
      lists.find(JSON.stringify(NEWEST), getRequirements(MAX_LIST_AGE_MS))?.value.stories ?? [],

    /** Call it after a story was published, unpublished or deleted, so that the next lists are up to date. */
    clearLists(): void {
      clearedAt = now();
    },

    /** Returns the id of the story published after or before another, without hidden ones; `undefined` if there is none. */
    async findAdjacent(
      id: string,
      side: "newer" | "older",
      findHiding: FindHiding,
    ): Promise<string | undefined> {
      const document = await requireRead(firestore.get(`stories/${id}`, ONE_OF_TWO_CALLS));
      const { data } = storySchema.safeParse({ ...document?.fields, id });
      if (!data) return undefined;
      const orderBy = ["publishedAt", side === "newer" ? "asc" : "desc"] as const;
      const startAfter = [new PreciseDate(data.publishedAt), `stories/${id}`] as const;
      return findFirst({ orderBy, startAfter }, findHiding, ONE_OF_TWO_CALLS);
    },

    /** Returns the ids that no published story has. */
    async listMissing(ids: readonly string[]): Promise<string[]> {
      const paths = ids.map((id) => `stories/${id}`);
      const options = { ...CALL, fields: ["title"] };
      const { documents } = await requireRead(firestore.batchGet(paths, options));
      return ids.filter((_, index) => documents[index] === null);
    },

    /** Returns a story without its text; `undefined` if there is none. */
    async findHead(id: string): Promise<PublishedStory | undefined> {
      const document = await requireRead(firestore.get(`stories/${id}`, CALL));
      return storySchema.safeParse({ ...document?.fields, id }).data;
    },

    /** Returns the name that a writer has in their newest story; `undefined` if there is none. */
    async findAuthor(uid: string): Promise<string | undefined> {
      const orderBy = ["publishedAt", "desc"] as const;
      const [story] = await query({ where: [["uid", "==", uid]], orderBy, limit: 1 });
      return story?.author;
    },

    /**
     * Returns the stories of some writers, the most recently updated first.
     *
     * @param writers the ids of 1 to 30 writers
     * @param mayReuse whether to save the request with a list that is up to five minutes old
     */
    async listOf(writers: readonly string[], mayReuse: boolean): Promise<PublishedStory[]> {
      const options: PageOptions = {
        where: [["uid", "in", writers]],
        orderBy: ["updatedAt", "desc"],
        limit: MAX_OF_WRITERS,
      };
      return (await queryRecent(options, mayReuse ? MAX_LIST_AGE_MS : recentMs)).stories;
    },

    /**
     * Returns the stories of some writers that were updated after a time, the most recently updated first.
     *
     * @param writers the ids of 1 to 30 writers
     * @param since milliseconds since the Unix epoch
     */
    async listUpdated(writers: readonly string[], since: number): Promise<PublishedStory[]> {
      const orderBy = ["updatedAt", "desc"] as const;
      const where = [["uid", "in", writers] as const, ["updatedAt", ">", new Date(since)] as const];
      return query({ where, orderBy, limit: MAX_OF_WRITERS });
    },

    /** Returns the id of the newest story that is not hidden; `undefined` if there is none. */
    findNewest: (findHiding: FindHiding) =>
      findFirst({ orderBy: ["publishedAt", "desc"] }, findHiding),

    /**
     * Returns a story with its text, or `null` if there is none, together with other documents, in one request. `others`
     * is empty if the user may not read them.
     */
    async find(id: string, others = NO_OTHERS): Promise<StoryWithOthers> {
      try {
        return await find(id, others);
      } catch (error) {
        if (!(error instanceof FirestoreError)) throw error;
        // Stories are public, so a rejected token must not hide them.
        return requireRead(find(id, NO_OTHERS));
      }
    },
  };
}

/** Returns when a story was published, or a chapter was added. */
export function getLatestTime({
  publishedAt,
  newChapterAt = 0,
}: Pick<PublishedStory, "publishedAt" | "newChapterAt">): number {
  return Math.max(publishedAt, newChapterAt);
}

function toStories(documents: readonly DocumentSnapshot[]): PublishedStory[] {
  return documents.flatMap(({ id, fields }) => storySchema.safeParse({ ...fields, id }).data ?? []);
}

/** Returns a cursor even for a document that is not a valid story, so that the list continues after it. */
function toCursor({ id, fields }: DocumentSnapshot, field: string): SearchCursor | null {
  const { data: value } = cursorValueSchema.safeParse(fields[field]);
  return value === undefined ? null : { value, id };
}

function readStory(id: string, documents: (Fields | null)[]): StoryWithOthers["story"] {
  const fields = joinText(documents);
  const { data } = storySchema.safeParse({ ...fields, id });
  return fields && data ? { ...data, markdown: fields.text } : null;
}

export const getPublishedStories = createServiceGetter((env) =>
  createPublishedService(env, () => Date.now()),
);
