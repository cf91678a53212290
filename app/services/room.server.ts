import { FieldValue, type FirestoreClient } from "firebase-rest-firestore";
import * as z from "zod";

import type { Account } from "#app/schemas/account.ts";
import { messageFieldsSchema, storedMessageSchema } from "#app/schemas/message-schema.ts";
import {
  fitName,
  messagesPath,
  PAGE_SIZE,
  ROOM_ID,
  sortMessages,
  type Draft,
  type Message,
} from "#app/schemas/message.ts";
import type { Env } from "./env.server.ts";
import { createFirestoreAs } from "./firestore.server.ts";
import { withTimeout } from "./timeout.server.ts";

/** A page waits no longer for the feed: it is worth showing without. */
const LIST_TIMEOUT_MS = 2000;
const POST_TIMEOUT_MS = 30_000;

/**
 * What became of a message. `id` is the document it is stored in, `denied` means that the rules
 * refused it, `unreachable` that it may or may not have arrived: send it again with the same id.
 */
export type PostOutcome =
  | { status: "sent"; id: string }
  | { status: "unauthenticated" | "denied" | "unreachable" };

/** Reads and writes the shared room's messages in Firestore. */
export function createRoomService(env: Env) {
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
   * Stores a message as the person who wrote it. Sending a draft again is harmless: what is already
   * there under its id is recognised, and another text under a used id gets an id of its own.
   */
  async function post(account: Account, idToken: string, draft: Draft): Promise<PostOutcome> {
    const outcome = await create(account, idToken, draft);
    if (outcome.status !== "taken") return outcome;

    const again = await create(account, idToken, { ...draft, id: await deriveId(draft) });
    return again.status === "taken" ? { status: "denied" } : again;
  }

  async function create(
    account: Account,
    idToken: string,
    { id, text }: Draft,
  ): Promise<PostOutcome | { status: "taken" }> {
    const firestore = createFirestoreAs(env, idToken);
    const fields = messageFieldsSchema.parse({
      text,
      uid: account.uid,
      displayName: fitName(account.displayName),
      photoURL: messageFieldsSchema.shape.photoURL.safeParse(account.photoURL).data ?? null,
    });
    try {
      const document = { ...fields, createdAt: FieldValue.serverTimestamp() };
      await withTimeout(firestore.createWithId(path, id, document), POST_TIMEOUT_MS);
      return { status: "sent", id };
    } catch (error) {
      const status = statusSchema.safeParse(error).data?.status;
      if (status === 401) return { status: "unauthenticated" };
      // The rules see a repeated create as an update and refuse it, unless the database says 409 first.
      if (status !== 403 && status !== 409) return { status: "unreachable" };

      return compare(firestore, account, { id, text });
    }
  }

  /** Tells whether what is stored under a draft's id is that draft. */
  async function compare(firestore: FirestoreClient, account: Account, { id, text }: Draft) {
    try {
      const [stored] = toMessage(id, await withTimeout(firestore.get(path, id), LIST_TIMEOUT_MS));
      if (!stored) return { status: "denied" } as const;
      const isSame = stored.uid === account.uid && stored.text === text;
      return isSame ? ({ status: "sent", id } as const) : ({ status: "taken" } as const);
    } catch {
      return { status: "unreachable" } as const;
    }
  }

  return { list, post };
}

/** What the library attaches to its errors. */
const statusSchema = z.object({ status: z.number() });

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
