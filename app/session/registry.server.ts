import * as z from "zod";

import { oncePerEnv, type Env } from "#app/env.server.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { FirestoreError } from "#app/firebase/firestore-error.server.ts";
import type { Write } from "#app/firebase/firestore-types.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { isLateId, toEndedId } from "./session-id.server.ts";
import { listedSessionSchema, MAX_DEVICE_LENGTH, sessionsPath } from "./session-record-schema.ts";

/** Every page checks its session: the log of an outage would be full of it. */
const CALL_OPTIONS = { timeoutMs: 2000, isLogged: false };

/** How old `seenAt` may become while its session is in use. */
const NOTE_EVERY_MS = 60 * 60_000;

/** As long as the cookie lasts: whoever has not been seen for that long is signed out. */
const MAX_AGE_MS = 14 * 24 * 60 * 60_000;

/** More than anybody has. */
const MAX_LISTED = 100;

/** What stands for a late session that has ended. Nobody is shown a session that was not seen for so long. */
const NEVER_SEEN = { device: "", signedInAt: 0, seenAt: 0 };

/** `unknown` when the list could not be read. */
type ListedState = "listed" | "ended" | "unknown";

/** Whose sessions they are, and the token to act with. */
interface Owner {
  uid: string;
  idToken: string;
}

const sessionSchema = listedSessionSchema.extend({ id: z.string() });
export type ListedSession = z.infer<typeof sessionSchema>;

/**
 * Keeps a list of a person's sessions among their own documents, for Firebase keeps none that people could see. A
 * session that is on the list is over once it is taken off: whoever acts looks there, and pages now and then.
 *
 * What does not arrive in time, or not at all, changes nothing: the list fails nobody's sign-in and ends no session.
 */
export function createSessionList(env: Env, now: () => number) {
  async function write(owner: Owner, writes: Write[]): Promise<boolean> {
    if (writes.length === 0) return true;
    const result = await asUser(env, owner).commit(writes, CALL_OPTIONS).catch(toUndefined);
    return result !== undefined;
  }

  async function list(owner: Owner): Promise<ListedSession[] | null> {
    const query = { limit: MAX_LISTED };
    const path = sessionsPath(owner.uid);
    const documents = await asUser(env, owner).query(path, query, CALL_OPTIONS).catch(toUndefined);
    const sessions = documents?.map(({ id, fields }) => sessionSchema.parse({ ...fields, id }));
    return sessions?.toSorted((a, b) => b.seenAt - a.seenAt) ?? null;
  }

  function removals({ uid }: Owner, ids: string[]): Write[] {
    const path = sessionsPath(uid);
    return ids.flatMap((id): Write[] => [
      { path: `${path}/${id}`, delete: true },
      // Missing from the list, a late session would only be put there again.
      ...(isLateId(id) ? [{ path: `${path}/${toEndedId(id)}`, fields: NEVER_SEEN }] : []),
    ]);
  }

  async function put(owner: Owner, id: string, device: string): Promise<boolean> {
    const path = `${sessionsPath(owner.uid)}/${id}`;
    const fields = { device: device.slice(0, MAX_DEVICE_LENGTH), signedInAt: now(), seenAt: now() };
    return write(owner, [{ path, fields }]);
  }

  async function find(owner: Owner, id: string): Promise<ListedSession | "missing" | "unknown"> {
    const path = `${sessionsPath(owner.uid)}/${id}`;
    const document = await asUser(env, owner).get(path, CALL_OPTIONS).catch(toUndefined);
    if (document === null) return "missing";
    if (!document) return "unknown";
    return sessionSchema.safeParse({ ...document.fields, id }).data ?? "unknown";
  }

  /** Puts a session that began while the list was away on it, unless it has ended since. */
  async function putLate(owner: Owner, id: string, device: string): Promise<ListedState> {
    const end = await find(owner, toEndedId(id));
    if (end === "missing") return (await put(owner, id, device)) ? "listed" : "unknown";
    return end === "unknown" ? "unknown" : "ended";
  }

  return {
    /** Puts a new session on the list, and returns its id; `undefined` when it could not be put there. */
    async add(owner: Owner, request: Request): Promise<string | undefined> {
      const id = createDocumentId();
      return (await put(owner, id, request.headers.get("User-Agent") ?? "")) ? id : undefined;
    },

    /** Tells whether a session is still on the list. Notes about once an hour that it is in use. */
    async check(owner: Owner, id: string, device: string): Promise<ListedState> {
      const session = await find(owner, id);
      if (session === "missing") return isLateId(id) ? putLate(owner, id, device) : "ended";
      if (session === "unknown") return "unknown";
      if (now() - session.seenAt > NOTE_EVERY_MS) {
        const path = `${sessionsPath(owner.uid)}/${id}`;
        const fields = { seenAt: now() };
        await write(owner, [{ path, fields, exists: true }]);
      }
      return "listed";
    },

    /** Returns the sessions that may still be in use, the latest first; `null` when the list cannot be read. */
    async list(owner: Owner): Promise<ListedSession[] | null> {
      const all = await list(owner);
      return all?.filter(({ seenAt }) => now() - seenAt < MAX_AGE_MS) ?? null;
    },

    /** Takes a session off the list. Tells whether it is off. */
    remove: (owner: Owner, id: string) => write(owner, removals(owner, [id])),

    /** Takes all off but one. Tells whether they are off. */
    async removeOthers(owner: Owner, keep: string | undefined): Promise<boolean> {
      const all = await list(owner);
      if (!all) return false;
      const others = all.map(({ id }) => id).filter((id) => id !== keep);
      return write(owner, removals(owner, others));
    },
  };
}

function toUndefined(error: unknown): undefined {
  if (!(error instanceof UnavailableError) && !(error instanceof FirestoreError)) throw error;
}

export const getSessionRegistry = oncePerEnv((env) => createSessionList(env, () => Date.now()));
