import type { AppLoadContext } from "@remix-run/cloudflare";
import * as z from "zod";

import { getEnv, createServiceGetter, type Env } from "#app/env.server.ts";
import {
  DatabaseError,
  deleteValues,
  readFlag,
  readValue,
  updateValues,
} from "#app/firebase/database.server.ts";
import { respondWithJson } from "#app/http/headers.ts";
import { withoutTimeLimit } from "#app/http/outgoing-calls.server.ts";
import { getWaitUntil } from "#app/http/wait-until.server.ts";
import type { UserWithToken } from "#app/session/user.ts";
import {
  MAX_READERS,
  ROOM_RECORD,
  getKeyOwnerPath,
  getReaderKeysPath,
  READERS_PATH,
  STALE_AFTER_MS,
  getUncountedPath,
  type ReaderCounts,
} from "./readers.ts";

const TIMEOUT_MS = 2000;

/** How long numbers are used without asking again. Pages show a change within this time and their own interval. */
const FRESH_MS = 4000;

/** Older numbers are not shown. */
const MAX_AGE_MS = 60_000;

const recordsSchema = z
  .record(z.string(), z.object({ story: z.string(), time: z.number() }))
  .nullable();

const keysSchema = z.record(z.string(), z.string()).nullable();

const NO_READERS: ReaderCounts = {};

/** Counts how many people have each story or the room open now. Each isolate has its own copy of the numbers. */
export function createReadersService(env: Env, now: () => number) {
  let counts = NO_READERS;
  let countedAt = -Infinity;
  let askedAt = -Infinity;

  /** @throws {Error} when the database is unavailable, or rejects the request */
  async function count(): Promise<void> {
    askedAt = now();
    const options = { newestBy: "time", limit: MAX_READERS, timeoutMs: TIMEOUT_MS };
    const records = recordsSchema.parse(await readValue(env, null, READERS_PATH, options));
    const since = now() - STALE_AFTER_MS;
    const countByStory = new Map<string, number>();
    for (const { story, time } of Object.values(records ?? {})) {
      if (time > since) countByStory.set(story, (countByStory.get(story) ?? 0) + 1);
    }
    counts = Object.fromEntries(countByStory);
    countedAt = now();
  }

  const getRecentCounts = () => (now() - countedAt < MAX_AGE_MS ? counts : NO_READERS);

  return {
    /** Returns the numbers that this isolate has; none if they are more than a minute old. */
    getRecentCounts,

    /** Whether the numbers are old enough to ask the database again. */
    isDue: () => now() - Math.max(countedAt, askedAt) >= FRESH_MS,

    /** Returns the numbers, and asks the database first if they are not fresh. Never rejects. */
    async get(): Promise<ReaderCounts> {
      if (now() - countedAt >= FRESH_MS) await count().catch(() => undefined);
      return getRecentCounts();
    },
  };
}

const getReaders = createServiceGetter((env) => createReadersService(env, () => Date.now()));

/** Returns the numbers that this isolate has, without a request. */
export function getCachedReaders(context: AppLoadContext): ReaderCounts {
  return getReaders(context).getRecentCounts();
}

/** Returns how many people are in the room; 0 if this isolate has not read the number in the last minute. */
export function getCachedRoomCount(context: AppLoadContext): number {
  return getCachedReaders(context)[ROOM_RECORD] ?? 0;
}

/** Returns how many people are in the room. Never rejects. */
export async function countPeopleInRoom(context: AppLoadContext): Promise<number> {
  return (await getReaders(context).get())[ROOM_RECORD] ?? 0;
}

/** Updates the numbers of this isolate unless they are fresh. Never rejects. */
export async function updateReaders(context: AppLoadContext): Promise<void> {
  await getReaders(context).get();
}

/** Updates the numbers of this isolate after the response, unless they are fresh. */
export function updateReadersLater(context: AppLoadContext): void {
  const readers = getReaders(context);
  const waitUntil = getWaitUntil(context);
  if (waitUntil && readers.isDue()) waitUntil(withoutTimeLimit(() => readers.get()));
}

/** Responds to scripts with the numbers. The numbers are public and name nobody. */
export async function loadReaders(context: AppLoadContext): Promise<Response> {
  const counts = await getReaders(context).get();
  return respondWithJson(counts);
}

/** Returns whether a user does not count; `null` while the database is unavailable. */
export async function loadUncounted(
  context: AppLoadContext,
  user: UserWithToken,
): Promise<boolean | null> {
  return readFlag(getEnv(context), user, getUncountedPath(user.uid), { timeoutMs: TIMEOUT_MS });
}

/**
 * Sets whether a user does not count. Takes effect in their open pages too.
 *
 * @throws {UnavailableError}
 */
export async function setUncounted(env: Env, user: UserWithToken, value: boolean): Promise<void> {
  await updateValues(env, user, { [getUncountedPath(user.uid)]: value });
}

/**
 * Deletes the user's records, whose keys only the user knows, and their setting.
 *
 * @throws {UnavailableError}
 * @throws {DatabaseError} when an open page of the user chooses another key during each of three attempts
 */
export async function deleteReader(env: Env, user: UserWithToken, attempts = 3): Promise<void> {
  const path = getReaderKeysPath(user.uid);
  const keys = keysSchema.parse(await readValue(env, user, path, { timeoutMs: TIMEOUT_MS })) ?? {};
  const paths = Object.entries(keys).flatMap(([kind, key]) => [
    `${READERS_PATH}/${key}`,
    `${path}/${kind}`,
    getKeyOwnerPath(key),
  ]);
  try {
    await deleteValues(env, user, [...paths, getUncountedPath(user.uid)]);
  } catch (error) {
    if (!(error instanceof DatabaseError) || attempts <= 1) throw error;
    // An open page of the user has chosen another key in between.
    await deleteReader(env, user, attempts - 1);
  }
}
