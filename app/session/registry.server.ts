import * as z from "zod";

import { createServiceGetter, type Env } from "#app/env.server.ts";
import { DatabaseError, updateValues } from "#app/firebase/database.server.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { FirestoreError } from "#app/firebase/firestore-error.server.ts";
import type { QueryOptions, Write } from "#app/firebase/firestore-types.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { hash } from "#app/http/hash.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import {
  listedSessionSchema,
  MAX_DEVICE_LENGTH,
  getSessionsPath,
  getSlotsPath,
} from "./session-record-schema.ts";
import { MAX_LISTED_SESSIONS, type UserWithToken } from "./user.ts";

/** Errors are not logged, because every page checks its session and an outage would fill the log. */
const CALL_OPTIONS = { timeoutMs: 2000, isLogged: false };

/** The age at which `seenAt` is updated. */
const SEEN_INTERVAL_MS = 60 * 60_000;

/** The lifetime of the cookie. A session that was not seen for longer has expired. */
const MAX_AGE_MS = 14 * 24 * 60 * 60_000;

/** How many expired sessions a sign-in deletes, so that they do not pile up. */
const MAX_DELETED = 10;

/** Marks a late session as ended. `list` filters it out as expired. */
const NEVER_SEEN = { device: "", signedInAt: 0, seenAt: 0 };

const LATE_PREFIX = "late";
const ENDED_PREFIX = "gone";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** `unavailable` when the registry did not respond. */
type SessionState = "listed" | "ended" | "unavailable";

const sessionSchema = listedSessionSchema.extend({ id: z.string() });
export type ListedSession = z.infer<typeof sessionSchema>;

/**
 * Stores a user's sessions as documents of that user, because Firebase has no list of sessions to show to users. Deleting
 * a document ends its session: actions check the registry every time, pages at intervals, and `firestore.rules` with every
 * request of a page. The rules of the Realtime Database cannot read Firestore, so it has its own list of the sessions whose
 * pages have asked for a token.
 *
 * An unavailable registry neither fails a sign-in nor ends a session.
 */
export function createSessionRegistry(env: Env, now: () => number) {
  async function write(user: UserWithToken, writes: Write[]): Promise<boolean> {
    if (writes.length === 0) return true;
    const result = await asUser(env, user).commit(writes, CALL_OPTIONS).catch(catchDatabaseError);
    return result !== undefined;
  }

  /** Tells the Realtime Database which sessions are active or have ended. Returns whether that succeeded. */
  async function writeSlots(
    user: UserWithToken,
    ids: string[],
    state: "active" | "ended",
  ): Promise<boolean> {
    if (ids.length === 0) return true;
    const values = ids.map((id) => [
      `${getSlotsPath(user.uid)}/${toSlot(id)}`,
      // The rules do not let a late request replace this by the id.
      state === "ended" ? `ended ${id}` : id,
    ]);
    try {
      await updateValues(env, user, Object.fromEntries(values), CALL_OPTIONS.timeoutMs);
      return true;
    } catch (error) {
      if (error instanceof UnavailableError || error instanceof DatabaseError) return false;
      throw error;
    }
  }

  async function end(user: UserWithToken, ids: string[]): Promise<boolean> {
    const results = await Promise.all([
      write(user, toDeletions(user, ids)),
      writeSlots(user, ids, "ended"),
    ]);
    return results.every(Boolean);
  }

  /** Returns up to 100 sessions, last seen first, that follow `after`; `null` when the registry is unavailable. */
  async function readPage(
    user: UserWithToken,
    after?: ListedSession,
  ): Promise<ListedSession[] | null> {
    const path = getSessionsPath(user.uid);
    const query: QueryOptions = {
      orderBy: ["seenAt", "desc"],
      startAfter: after && [after.seenAt, `${path}/${after.id}`],
      limit: MAX_LISTED_SESSIONS,
    };
    const documents = await asUser(env, user)
      .query(path, query, CALL_OPTIONS)
      .catch(catchDatabaseError);
    return documents?.map(({ id, fields }) => sessionSchema.parse({ ...fields, id })) ?? null;
  }

  function toDeletions({ uid }: UserWithToken, ids: string[]): Write[] {
    const path = getSessionsPath(uid);
    return ids.flatMap((id): Write[] => [
      { path: `${path}/${id}`, delete: true },
      // Without this mark, `check` would add a late session again.
      ...(isLateId(id) ? [{ path: `${path}/${toEndedId(id)}`, fields: NEVER_SEEN }] : []),
    ]);
  }

  async function create(user: UserWithToken, id: string, device: string): Promise<boolean> {
    const path = `${getSessionsPath(user.uid)}/${id}`;
    const fields = { device: device.slice(0, MAX_DEVICE_LENGTH), signedInAt: now(), seenAt: now() };
    return write(user, [{ path, fields }]);
  }

  async function find(
    user: UserWithToken,
    id: string,
  ): Promise<ListedSession | "missing" | "unavailable"> {
    const path = `${getSessionsPath(user.uid)}/${id}`;
    const document = await asUser(env, user).get(path, CALL_OPTIONS).catch(catchDatabaseError);
    if (document === null) return "missing";
    if (!document) return "unavailable";
    return sessionSchema.safeParse({ ...document.fields, id }).data ?? "unavailable";
  }

  /** Adds a session that was created while the registry was unavailable, unless it has ended meanwhile. */
  async function createLate(
    user: UserWithToken,
    id: string,
    device: string,
  ): Promise<SessionState> {
    const end = await find(user, toEndedId(id));
    if (end === "missing") return (await create(user, id, device)) ? "listed" : "unavailable";
    return end === "unavailable" ? "unavailable" : "ended";
  }

  return {
    /** Adds a new session and returns its id, or `undefined` when the registry is unavailable. */
    async add(user: UserWithToken, request: Request): Promise<string | undefined> {
      const id = createDocumentId();
      return (await create(user, id, request.headers.get("User-Agent") ?? "")) ? id : undefined;
    },

    /** Deletes some sessions that have expired. */
    async deleteExpired(user: UserWithToken): Promise<void> {
      const query: QueryOptions = {
        where: [
          // The marks of ended late sessions stay, because `check` needs them.
          ["seenAt", ">", NEVER_SEEN.seenAt],
          // `seenAt` may be an hour behind.
          ["seenAt", "<", now() - MAX_AGE_MS - 2 * SEEN_INTERVAL_MS],
        ],
        orderBy: ["seenAt"],
        limit: MAX_DELETED,
        isKeysOnly: true,
      };
      const expired = await asUser(env, user)
        .query(getSessionsPath(user.uid), query, CALL_OPTIONS)
        .catch(catchDatabaseError);
      await Promise.all([
        write(user, expired?.map(({ path }) => ({ path, delete: true })) ?? []),
        writeSlots(user, expired?.map(({ id }) => id) ?? [], "ended"),
      ]);
    },

    /** Returns whether a session is listed, and updates its `seenAt` about once an hour. */
    async check(user: UserWithToken, id: string, device: string): Promise<SessionState> {
      const session = await find(user, id);
      if (session === "missing") return isLateId(id) ? createLate(user, id, device) : "ended";
      if (session === "unavailable") return "unavailable";
      if (now() - session.seenAt > SEEN_INTERVAL_MS) {
        const path = `${getSessionsPath(user.uid)}/${id}`;
        const fields = { seenAt: now() };
        await write(user, [{ path, fields, exists: true }]);
      }
      return "listed";
    },

    /**
     * Lets the Realtime Database accept the tokens of a session's pages, until the session ends. If it is unavailable, a page
     * shows no presence until it asks for its next token.
     */
    async admitPages(user: UserWithToken, id: string): Promise<void> {
      await writeSlots(user, [id], "active");
    },

    /** Returns up to 100 sessions that have not expired, last seen first; `null` when the registry is unavailable. */
    async list(user: UserWithToken): Promise<ListedSession[] | null> {
      const sessions = await readPage(user);
      return sessions?.filter(({ seenAt }) => now() - seenAt < MAX_AGE_MS) ?? null;
    },

    /** Deletes a session. Returns whether that succeeded. */
    delete: (user: UserWithToken, id: string) => end(user, [id]),

    /** Deletes all sessions but one, even those that are not listed. Returns whether that succeeded. */
    async deleteOthers(user: UserWithToken, exceptId: string | undefined): Promise<boolean> {
      let last: ListedSession | undefined;
      do {
        const sessions = await readPage(user, last);
        if (!sessions) return false;
        const others = sessions.map(({ id }) => id).filter((id) => id !== exceptId);
        if (!(await end(user, others))) return false;
        last = sessions.length < MAX_LISTED_SESSIONS ? undefined : sessions.at(-1);
      } while (last);
      return true;
    },
  };
}

export const getSessionRegistry = createServiceGetter((env) =>
  createSessionRegistry(env, () => Date.now()),
);

/**
 * Returns the id of a late session: one that could not be added to the registry when it was created. It is derived from
 * the session's first refresh token, so that all copies of its cookie get the same id.
 */
export async function deriveLateId(refreshToken: string): Promise<string> {
  const digest = await hash(`session ${refreshToken}`);
  const letters = Array.from(digest.subarray(0, 16), (byte) => LETTERS[byte % LETTERS.length]);
  return LATE_PREFIX + letters.join("");
}

/**
 * Returns the key of a session in the Realtime Database. Its rules cannot count children, but keys of two characters limit
 * their number. If two sessions have the same key, it belongs to the one that requested a page's token last. It is the end
 * of the id, because all late ids start with the same letters.
 */
export function toSlot(id: string): string {
  return id.slice(-2);
}

/** Whether a session is late: it may be missing from the registry without having ended. */
function isLateId(id: string): boolean {
  return id.startsWith(LATE_PREFIX);
}

/** Returns the id of the document that marks a late session as ended. */
function toEndedId(id: string): string {
  return ENDED_PREFIX + id.slice(LATE_PREFIX.length);
}

/** Turns the error into `undefined` when the database is unavailable or rejects the request. Throws any other error. */
function catchDatabaseError(error: unknown): undefined {
  if (!(error instanceof UnavailableError) && !(error instanceof FirestoreError)) throw error;
}
