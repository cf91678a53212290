import { createServiceGetter, type Env } from "#app/env.server.ts";
import { formatCursor, type Cursor } from "#app/firebase/cursor.ts";
import type { CallOptions, DocumentSnapshot, QueryOptions } from "#app/firebase/firestore-types.ts";
import { asUser, PreciseDate } from "#app/firebase/firestore.server.ts";
import { requireRead } from "#app/firebase/firestore-error.server.ts";
import { createReadCache } from "#app/http/cache.server.ts";
import {
  ANONYMOUS,
  PAGE_SIZE,
  readMessage,
  sortMessages,
  type Message,
  type MessagePage,
} from "./message.ts";
import { MESSAGES_PATH } from "./room-address.ts";
import type { NewestMessage } from "./room-summary.ts";

/** Short, because pages are useful without the feed. */
const LIST_TIMEOUT_MS = 2000;

/** How long the newest messages may be reused. Otherwise each page would read 50 documents. */
const LIST_MAX_AGE_MS = 2000;

/** How long the newest message may be reused. Pages show a new one after at most this time and their own interval. */
const NEWEST_MAX_AGE_MS = 4000;

const NEWEST = "newest";

/** Reads the room's messages in Firestore. */
function createMessageService(env: Env, now: () => number) {
  const lists = createReadCache<MessagePage>(now);
  const newest = createReadCache<NewestMessage | null>(now);

  /**
   * Returns the newest messages.
   *
   * @param changedAt messages that were read before are not reused. Milliseconds since the Unix epoch
   * @throws {UnavailableError}
   */
  async function listNewest(changedAt: number): Promise<MessagePage> {
    const requirements = { maxAgeMs: LIST_MAX_AGE_MS, changedAt };
    return (await lists.read(NEWEST, requirements, () => list(null))).value;
  }

  /**
   * Returns who has sent the newest message, and when; `null` in an empty room.
   *
   * @param changedAt as for `listNewest`
   * @throws {UnavailableError}
   */
  async function findNewest(changedAt: number): Promise<NewestMessage | null> {
    const requirements = { maxAgeMs: NEWEST_MAX_AGE_MS, changedAt };
    return (await newest.read(NEWEST, requirements, queryNewestMessage)).value;
  }

  async function queryNewestMessage(): Promise<NewestMessage | null> {
    const [document] = await queryNewest({ limit: 1 });
    const { uid, createdAt } = document?.fields ?? {};
    const isMessage = typeof uid === "string" && createdAt instanceof PreciseDate;
    return isMessage ? { uid, createdAt: createdAt.time } : null;
  }

  /**
   * Returns the newest messages, or those before a cursor.
   *
   * @throws {UnavailableError}
   */
  async function list(before: Cursor | null): Promise<MessagePage> {
    const documents = await queryNewest({
      ...(before && { startAfter: [new PreciseDate(before.time), getMessagePath(before.id)] }),
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

  /**
   * Returns one message, or `null` if there is none.
   *
   * @throws {UnavailableError}
   */
  async function find(id: string): Promise<Message | null> {
    const document = await requireRead(
      asUser(env, null).get(getMessagePath(id), { timeoutMs: LIST_TIMEOUT_MS }),
    );
    return (document && toMessage(document)[0]) ?? null;
  }

  function queryNewest(query: Partial<QueryOptions>, options: CallOptions = {}) {
    const newest: QueryOptions = {
      // Matches every message that has a time. `QueryOptions` has no operator for "not null".
      where: [["createdAt", ">", new Date(0)]],
      orderBy: ["createdAt", "desc"],
      limit: PAGE_SIZE,
      ...query,
    };
    return requireRead(
      asUser(env, null).query(MESSAGES_PATH, newest, { timeoutMs: LIST_TIMEOUT_MS, ...options }),
    );
  }

  return { find, list, listNewest, findNewest, listSince };
}

function toCursor({ id, fields: { createdAt } }: DocumentSnapshot): string | null {
  return createdAt instanceof PreciseDate ? formatCursor({ id, time: createdAt.time }) : null;
}

/** Returns the path of a message in Firestore. */
export function getMessagePath(id: string): string {
  return `${MESSAGES_PATH}/${id}`;
}

/** Returns an empty list for an invalid document, so that the feed still shows the valid ones. */
export function toMessage({ id, fields, createTime, updateTime }: DocumentSnapshot): Message[] {
  const { createdAt } = fields;
  const message = readMessage(id, fields, createdAt instanceof PreciseDate ? createdAt.time : null);
  if (!message) return [];
  // Saves a request for the records of edits. Messages also change when they become anonymous.
  const isEdited = updateTime !== createTime && message.displayName !== ANONYMOUS;
  return [isEdited ? { ...message, isEdited } : message];
}

export const getMessages = createServiceGetter((env) =>
  createMessageService(env, () => Date.now()),
);
