import { oncePerEnv, type Env } from "#app/env.server.ts";
import { commit } from "#app/firebase/commit.server.ts";
import {
  readSnapshot,
  RefusedError,
  type DatedFields,
  type Snapshot,
} from "#app/firebase/documents.server.ts";
import { createFirestoreAs } from "#app/firebase/firestore.server.ts";
import { withTimeout } from "#app/http/timeout.server.ts";
import { countNext, rateRecordPath } from "#app/session/rate-record.server.ts";
import type { User } from "#app/session/user.ts";
import { messageFieldsSchema, storedMessageSchema } from "./message-schema.ts";
import {
  fitName,
  messagesPath,
  PAGE_SIZE,
  ROOM_ID,
  sortMessages,
  type Draft,
  type Message,
} from "./message.ts";

/** A page waits no longer for the feed: it is worth showing without. */
const LIST_TIMEOUT_MS = 2000;

/** Nothing has been sent before this is read. */
const READ_TIMEOUT_MS = 10_000;

/** How often a message gives way to others that the same person sends at the same time. */
const MAX_TRIES = 5;

/**
 * What became of a message. `id` is the document it is stored in, `denied` means that the rules
 * refused it, `unreachable` that it may or may not have arrived: send it again with the same id.
 * `too-fast` that the person has posted too often just now, and may post again after `waitMs`.
 */
export type PostOutcome =
  | { status: "sent"; id: string }
  | { status: "unauthenticated" | "denied" | "unreachable" }
  | { status: "too-fast"; waitMs: number };

/** Reads and writes the shared room's messages in Firestore. */
function createRoomService(env: Env) {
  const path = messagesPath(ROOM_ID);

  /** Returns the newest messages, oldest first, or `null` when the database does not answer in time. */
  async function list(): Promise<Message[] | null> {
    const newest = createFirestoreAs(env, null)
      .collection(path)
      // The library cannot ask for "not null". Rules let only times in, so this asks the same.
      .where("createdAt", ">", new Date(0))
      .orderBy("createdAt", "desc")
      .limit(PAGE_SIZE);
    try {
      const { docs } = await withTimeout(newest.get(), LIST_TIMEOUT_MS);
      return sortMessages(docs.flatMap((doc) => toMessage(doc.id, doc.data())));
    } catch {
      // The library has logged it.
      return null;
    }
  }

  /**
   * Stores a message as the person who wrote it, and counts it. Sending a draft again is harmless and counts once: what
   * is already there under its id is recognised, and another text under a used id gets an id of its own.
   */
  async function post(account: User, idToken: string, draft: Draft): Promise<PostOutcome> {
    const recordPath = rateRecordPath(account.uid, "messages");
    const ids = [draft.id, await deriveId(draft)];
    const paths = [...ids.map((id) => `${path}/${id}`), recordPath];
    let refusedAt: string | undefined;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const snapshot = await read(idToken, paths);
      if ("status" in snapshot) return snapshot;

      const messages = snapshot.documents.slice(0, ids.length);
      const own = ids.find((_, index) => isSame(messages[index] ?? null, account, draft));
      if (own !== undefined) return { status: "sent", id: own };
      const id = ids.find((_, index) => !messages[index]);
      if (id === undefined) return { status: "denied" };

      const record = snapshot.documents[ids.length] ?? null;
      const next = countNext({ uid: account.uid, kind: "messages", id }, record, snapshot.readAt);
      if (next.status === "too-fast") return next;
      // What was refused is refused again, unless another tab has posted meanwhile.
      const state = `${id} ${record?.updateTime}`;
      if (state === refusedAt) return { status: "denied" };

      const message = { path: `${path}/${id}`, fields: toFields(account, draft) };
      const { status } = await commit(env, idToken, [
        { ...message, serverTimestamps: ["createdAt"], exists: false },
        next.write,
      ]);
      if (status === "done") return { status: "sent", id };
      if (status !== "refused") return { status };
      refusedAt = state;
    }
    return { status: "unreachable" };
  }

  async function read(idToken: string, paths: string[]): Promise<Snapshot | PostOutcome> {
    try {
      return await withTimeout(readSnapshot(env, idToken, paths), READ_TIMEOUT_MS);
    } catch (error) {
      if (!(error instanceof RefusedError)) return { status: "unreachable" };
      return { status: error.isTokenRefused ? "unauthenticated" : "denied" };
    }
  }

  return { list, post };
}

/** Returns what is stored of a message, but for its time. Name and photo are those of the token it is sent with. */
function toFields({ uid, displayName, photoURL }: User, { text }: Draft) {
  return messageFieldsSchema.parse({
    text,
    uid,
    displayName: fitName(displayName),
    photoURL: messageFieldsSchema.shape.photoURL.safeParse(photoURL).data ?? null,
  });
}

function isSame(stored: DatedFields | null, { uid }: User, { text }: Draft): boolean {
  return stored !== null && stored.fields.uid === uid && stored.fields.text === text;
}

/** Returns the message, or nothing when the document is none: one bad document must not empty the room. */
function toMessage(id: string, data: Record<string, unknown> | null | undefined): Message[] {
  const createdAt = data?.createdAt instanceof Date ? data.createdAt.getTime() : null;
  const { data: message } = storedMessageSchema.safeParse({ ...data, id, createdAt });
  return message ? [message] : [];
}

async function deriveId({ id, text }: Draft): Promise<string> {
  const bytes = new TextEncoder().encode(`${id}\n${text}`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const getMessages = oncePerEnv((env) => createRoomService(env));
