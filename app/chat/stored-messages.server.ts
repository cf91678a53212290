import * as z from "zod";

import { oncePerEnv, type Env } from "#app/env.server.ts";
import {
  FirestoreError,
  PermissionDeniedError,
  UnauthenticatedError,
} from "#app/firebase/firestore-error.server.ts";
import type {
  CallOptions,
  DocumentSnapshot,
  Fields,
  QueryOptions,
} from "#app/firebase/firestore-types.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { requireRead } from "#app/firebase/require-read.server.ts";
import { httpsAddressSchema } from "#app/http/https-url-schema.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { isVisible } from "#app/http/visible-text.ts";
import { countNext, rateRecordPath } from "#app/session/rate-record.server.ts";
import type { AuthUser, User } from "#app/session/user.ts";
import {
  getPublicName,
  hasAtMost,
  MAX_NAME_LENGTH,
  MAX_TEXT_LENGTH,
  messagesPath,
  PAGE_SIZE,
  sortMessages,
  type Message,
  type MessageInput,
  type MessagePage,
} from "./message.ts";
import { countQuote, hasNumber, quoteRecordPath } from "./quotes/quote-record.server.ts";
import { readPassage, type Passage } from "./quotes/quote.ts";
import { formatCursor, ROOM_ID, type MessageCursor } from "./room-address.ts";
import { toMessage } from "./to-message.server.ts";

/** Pages are worth showing without the feed. */
const LIST_TIMEOUT_MS = 2000;

/** Before anything is sent. */
const READ_TIMEOUT_MS = 10_000;

/** How often a message is retried when others of the same user, or about the same story, are stored at the same time. */
const MAX_TRIES = 5;

/** The exact fields of a stored message, except `createdAt`, which Firestore sets. */
export const messageFieldsSchema = z.strictObject({
  text: z.string().refine(hasAtMost(MAX_TEXT_LENGTH)).refine(isVisible),
  uid: z.string().min(1),
  displayName: z.string().refine(hasAtMost(MAX_NAME_LENGTH)),
  photoURL: httpsAddressSchema.refine(hasAtMost(2000)).nullable(),
});

/** `denied`: the rules or other documents under the same ids do not allow the message. */
type CreateResult =
  | { status: "sent"; id: string }
  | { status: "unauthenticated" | "denied" }
  | { status: "too-fast"; waitMs: number };

interface CreateOptions {
  /** Returns the number of a paragraph. Called for the first message that quotes it. */
  findNumber: (passage: Passage) => Promise<number | undefined>;
  /** Whether the user is still signed in. Nothing is written before it has resolved. */
  isSignedIn: Promise<boolean>;
}

/** Reads and writes the room's messages in Firestore. */
function createMessageService(env: Env) {
  const path = messagesPath(ROOM_ID);

  /**
   * Returns the newest messages, or those before a cursor.
   *
   * @throws {UnavailableError}
   */
  async function list(before: MessageCursor | null): Promise<MessagePage> {
    const documents = await queryNewest({
      ...(before && { startAfter: [new Date(before.createdAt), `${path}/${before.id}`] }),
    });
    const last = documents.length === PAGE_SIZE ? documents.at(-1) : undefined;
    return {
      messages: sortMessages(documents.flatMap(toMessage)),
      before: last ? toCursor(last) : null,
    };
  }

  /**
   * Returns the newest messages since a time, oldest first and at most 50. Does not log a failure.
   *
   * @param since milliseconds since the Unix epoch
   * @throws {UnavailableError}
   */
  async function listSince(since: number, signal: AbortSignal): Promise<Message[]> {
    const where = [["createdAt", ">=", new Date(since)]] as const;
    const documents = await queryNewest({ where }, { signal, isLogged: false });
    return sortMessages(documents.flatMap(toMessage));
  }

  function queryNewest(query: Partial<QueryOptions>, options: CallOptions = {}) {
    const newest: QueryOptions = {
      // Matches every time: a query over REST cannot ask for "not null", and the rules only allow times.
      where: [["createdAt", ">", new Date(0)]],
      orderBy: ["createdAt", "desc"],
      limit: PAGE_SIZE,
      ...query,
    };
    return requireRead(
      asUser(env, null).query(path, newest, { timeoutMs: LIST_TIMEOUT_MS, ...options }),
    );
  }

  /**
   * Stores a message as its sender, and counts it for the rate limit. Sending the same input again stores and counts
   * nothing: the stored message is recognized. Another text under a used id gets an id of its own. A message that quotes
   * a story is counted for the passage too.
   *
   * @throws {UnavailableError} after which the message may have been stored: send it again with the same id
   */
  async function create(
    user: AuthUser,
    input: MessageInput,
    options: CreateOptions,
  ): Promise<CreateResult> {
    try {
      return await tryToCreate(user, input, options);
    } catch (error) {
      if (error instanceof UnauthenticatedError) return { status: "unauthenticated" };
      if (error instanceof PermissionDeniedError) return { status: "denied" };
      if (!(error instanceof FirestoreError)) throw error;
      throw new UnavailableError("Firestore refused the message", { cause: error });
    }
  }

  async function tryToCreate(
    user: AuthUser,
    input: MessageInput,
    options: CreateOptions,
  ): Promise<CreateResult> {
    const { findNumber, isSignedIn } = options;
    const firestore = asUser(env, user);
    const ids = [input.id, await deriveId(input)];
    const passage = readPassage(input.text);
    const paths = [
      ...ids.map((id) => `${path}/${id}`),
      rateRecordPath(user.uid, "messages"),
      ...(passage ? [quoteRecordPath(passage.story)] : []),
    ];
    let number: number | undefined;
    let deniedState: string | undefined;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const call = { timeoutMs: READ_TIMEOUT_MS };
      const { documents, readTime } = await firestore.batchGet(paths, call);
      if (!(await isSignedIn)) return { status: "unauthenticated" };

      const storedId = ids.find((_, index) => isSame(documents[index]?.fields, user, input));
      if (storedId !== undefined) return { status: "sent", id: storedId };
      const id = ids.find((_, index) => !documents[index]);
      if (id === undefined) return { status: "denied" };

      const record = documents[ids.length] ?? null;
      const quotes = documents[ids.length + 1] ?? null;
      const next = countNext({ uid: user.uid, kind: "messages", id }, record, readTime);
      if (next.status === "too-fast") return next;
      // Retrying helps only if another request has changed something since.
      const state = `${id} ${record?.updateTime} ${quotes?.updateTime}`;
      if (state === deniedState) return { status: "denied" };

      if (passage && !hasNumber(quotes, passage)) number ??= await findNumber(passage);
      const quote = passage && countQuote(quotes, { passage, id }, number);

      const message = { path: `${path}/${id}`, fields: toFields(user, input) };
      try {
        await firestore.commit([
          { ...message, serverTimestamps: ["createdAt"], exists: false },
          next.write,
          ...(quote ? [quote] : []),
        ]);
        return { status: "sent", id };
      } catch (error) {
        const isDenied =
          error instanceof FirestoreError && !(error instanceof UnauthenticatedError);
        if (!isDenied) throw error;
        deniedState = state;
      }
    }
    throw new UnavailableError("Other messages were stored at the same time");
  }

  return { list, listSince, create };
}

/** Returns the fields to store. The rules require the name and photo of the ID token. */
function toFields({ uid, displayName, photoURL }: User, { text }: MessageInput) {
  return messageFieldsSchema.parse({
    text,
    uid,
    displayName: getPublicName(displayName),
    photoURL: messageFieldsSchema.shape.photoURL.safeParse(photoURL).data ?? null,
  });
}

function isSame(stored: Fields | undefined, { uid }: User, { text }: MessageInput): boolean {
  return stored !== undefined && stored.uid === uid && stored.text === text;
}

function toCursor({ id, fields: { createdAt } }: DocumentSnapshot): string | null {
  return createdAt instanceof Date ? formatCursor({ id, createdAt: createdAt.getTime() }) : null;
}

/** Returns the second id of a message, the same for the same id and text. */
async function deriveId({ id, text }: MessageInput): Promise<string> {
  const bytes = new TextEncoder().encode(`${id}\n${text}`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest.subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const getMessages = oncePerEnv((env) => createMessageService(env));
