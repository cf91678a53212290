import type { AppLoadContext } from "@remix-run/cloudflare";
import * as z from "zod";

import { createServiceGetter, type Env } from "#app/env.server.ts";
import type { BulkWrite } from "#app/firebase/bulk-writer.server.ts";
import {
  isRejected,
  PermissionDeniedError,
  requireRead,
} from "#app/firebase/firestore-error.server.ts";
import type { DocumentSnapshot, Firestore, Write } from "#app/firebase/firestore-types.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { ifUnchanged, retryIfChanged } from "#app/firebase/preconditions.server.ts";
import { createCache } from "#app/http/cache.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { getWaitUntil } from "#app/http/wait-until.server.ts";
import { ActionFailure } from "#app/session/run-action.server.ts";
import type { UserWithToken } from "#app/session/user.ts";
import { FINISHED_PERCENT, type ReadingPosition } from "#app/stories/positions/position.ts";
import { isPublishedId } from "#app/stories/stories.server.ts";
import { MAX_COUNTED_STORIES } from "#app/stories/story.ts";
import {
  COUNTS_PATH,
  countsSchema,
  getSharesPath,
  shareSchema,
  type Share,
  type StoryCounts,
  type StoryWithCounts,
} from "./counts-schema.ts";

const CALL_OPTIONS = { timeoutMs: 5000 };

/** How often a change is tried when another commit comes first. */
const MAX_TRIES = 2;

/** How long a share is cached, so that saving a position again takes no request. */
const MAX_SHARE_AGE_MS = 60 * 60_000;

const OWN = { reason: "denied", message: "You can't thank yourself." } as const;
const GONE = { reason: "gone", message: "This story isn't published any more." } as const;

const writerSchema = z.object({ uid: z.string() });
const storySchema = z.object({ title: z.string(), publishedAt: z.date() });

/** Counts the users who open and finish published stories, and thank their writers. Each user counts once. */
function createCountsService(env: Env, now: () => number) {
  const cachedShares = createCache<Share>(MAX_SHARE_AGE_MS, now);

  /** Commits a change of the user's share and of the counts, unless it changes nothing. */
  function change(
    user: UserWithToken,
    story: string,
    toNext: (share: Share | null) => Share | null,
  ): Promise<void> {
    const firestore = asUser(env, user);
    const path = `${getSharesPath(user.uid)}/${story}`;
    return retryIfChanged(MAX_TRIES, async () => {
      const batch = firestore.batchGet([path, `stories/${story}`], CALL_OPTIONS);
      const [stored = null, published] = (await requireRead(batch)).documents;
      const writer = writerSchema.safeParse(published?.fields).data;
      if (!writer) throw new ActionFailure(GONE);
      if (writer.uid === user.uid) throw new ActionFailure(OWN);
      const share = readShare(stored?.fields);
      const next = toNext(share);
      if (next && !isSame(share, next)) {
        const writes = toWrites(path, stored, next, { story, uid: writer.uid });
        await firestore.commit(writes, CALL_OPTIONS);
      }
      if (next) cachedShares.set(path, next);
    });
  }

  return {
    /**
     * Thanks the writer of a story, or takes the thanks back.
     *
     * @throws {ActionFailure | UnavailableError}
     */
    async setThanks(user: UserWithToken, story: string, isThanked: boolean): Promise<void> {
      if (!isPublishedId(story)) throw new ActionFailure(GONE);
      try {
        await change(user, story, (share) => {
          if (!share && !isThanked) return null;
          return { opens: 1, finishes: share?.finishes ?? 0, thanks: isThanked ? 1 : 0 };
        });
      } catch (cause) {
        throw toUnavailable(cause);
      }
    },

    /**
     * Counts a user who reads a story: when they begin, and when they finish it.
     *
     * @throws {ActionFailure | UnavailableError}
     */
    async countReader(user: UserWithToken, { story, percent }: ReadingPosition): Promise<void> {
      if (!isPublishedId(story)) return;
      const finishes = percent >= FINISHED_PERCENT ? 1 : 0;
      const cached = cachedShares.find(`${getSharesPath(user.uid)}/${story}`);
      if (cached && cached.finishes >= finishes) return;
      try {
        await change(user, story, (share) => ({
          opens: 1,
          finishes: Math.max(share?.finishes ?? 0, finishes),
          thanks: share?.thanks ?? 0,
        }));
      } catch (cause) {
        throw toUnavailable(cause);
      }
    },

    /**
     * Returns up to 500 of the user's published stories with their counts, newest first.
     *
     * @throws {UnavailableError}
     */
    async list(user: UserWithToken): Promise<StoryWithCounts[]> {
      const firestore = asUser(env, user);
      const own = { where: [["uid", "==", user.uid]], limit: MAX_COUNTED_STORIES } as const;
      const [stories, counts] = await Promise.all([
        requireRead(firestore.query("stories", own, CALL_OPTIONS)),
        requireRead(firestore.query(COUNTS_PATH, own, CALL_OPTIONS)),
      ]);
      const countsById = new Map(counts.map(({ id, fields }) => [id, fields]));
      return stories
        .flatMap(({ id, fields }) => {
          const story = storySchema.safeParse(fields).data;
          return story ? { ...story, id } : [];
        })
        .toSorted((a, b) => b.publishedAt.getTime() - a.publishedAt.getTime())
        .map(({ id, title }) => ({ id, title, ...readCounts(countsById.get(id)) }));
    },
  };
}

/** Counts a user who has saved a position. A failure is not reported: the next position tries again. */
export function countReaderLater(
  context: AppLoadContext,
  user: UserWithToken,
  position: ReadingPosition,
): void {
  const counted = getCounts(context)
    .countReader(user, position)
    .catch(() => undefined);
  getWaitUntil(context)?.(counted);
}

/** Reads the fields of a share; `null` if there is no share. */
export function readShare(fields: Record<string, unknown> | null | undefined): Share | null {
  return shareSchema.safeParse(fields).data ?? null;
}

/** Returns the writes that change a user's share and the story's counts, for one commit. */
function toWrites(
  path: string,
  stored: DocumentSnapshot | null,
  next: Share,
  { story, uid }: { story: string; uid: string },
): Write[] {
  const { opens, finishes, thanks } = next;
  const share = readShare(stored?.fields);
  // The user can't read the counts, so the database adds to them.
  const increments = {
    opens: opens - (share?.opens ?? 0),
    finishes: finishes - (share?.finishes ?? 0),
    thanks: thanks - (share?.thanks ?? 0),
  };
  return [
    {
      path,
      fields: { opens, finishes, thanks },
      serverTimestamps: ["at"],
      ...ifUnchanged(stored),
    },
    { path: `${COUNTS_PATH}/${story}`, fields: { uid }, increments },
  ];
}

function readCounts(fields: Record<string, unknown> | undefined): StoryCounts {
  return countsSchema.safeParse(fields).data ?? { opens: 0, finishes: 0, thanks: 0 };
}

function isSame(share: Share | null, next: Share): boolean {
  return share !== null && share.finishes === next.finishes && share.thanks === next.thanks;
}

/** Converts a rejection into an `UnavailableError`: it means only that another request has changed the documents. */
function toUnavailable(cause: unknown): unknown {
  return isRejected(cause)
    ? new UnavailableError("Firestore rejected the counts", { cause })
    : cause;
}

export const getCounts = createServiceGetter((env) => createCountsService(env, () => Date.now()));

/** For each story, the rules read the share and the counts, and they read at most 20 documents a commit. */
const SHARES_PER_COMMIT = 5;

interface CountedStory {
  id: string;
  share: Share;
}

/**
 * Deletes all shares of the user. They are subtracted from the counts first, as the rules require. Can be called again
 * after a failure.
 *
 * @throws {UnfinishedError | FirestoreError | UnavailableError}
 */
export async function deleteShares(
  bulkWrite: BulkWrite,
  firestore: Firestore,
  uid: string,
): Promise<void> {
  const path = getSharesPath(uid);
  const counted: CountedStory[] = [];
  await bulkWrite(
    path,
    (document, fields): Write[] => {
      const share = readShare(fields);
      if (!share) return [{ path: document, delete: true }];
      counted.push({ id: document.slice(path.length + 1), share });
      return [];
    },
    { isKeysOnly: false },
  );
  for (let start = 0; start < counted.length; start += SHARES_PER_COMMIT) {
    await subtract(firestore, path, counted.slice(start, start + SHARES_PER_COMMIT));
  }
  // The shares that no longer count can be deleted all at once.
  if (counted.length > 0) {
    await bulkWrite(path, (document) => [{ path: document, delete: true }]);
  }
}

/** Subtracts shares from the counts. If the writer has deleted the counts of a story, deletes the share. */
async function subtract(
  firestore: Firestore,
  path: string,
  stories: readonly CountedStory[],
): Promise<void> {
  try {
    await firestore.commit(stories.flatMap((story) => createSubtraction(path, story)));
  } catch (error) {
    if (!(error instanceof PermissionDeniedError)) throw error;
    const [first] = stories;
    if (first && stories.length === 1) {
      await firestore.commit([{ path: `${path}/${first.id}`, delete: true }]);
    } else {
      for (const story of stories) await subtract(firestore, path, [story]);
    }
  }
}

function createSubtraction(path: string, { id, share }: CountedStory): Write[] {
  const { opens, finishes, thanks } = share;
  return [
    {
      path: `${path}/${id}`,
      fields: { opens: 0, finishes: 0, thanks: 0 },
      serverTimestamps: ["at"],
    },
    {
      path: `${COUNTS_PATH}/${id}`,
      fields: {},
      increments: { opens: -opens, finishes: -finishes, thanks: -thanks },
    },
  ];
}
