import { createStore, get, update, type UseStore } from "idb-keyval";

import type { MessageError, MessageInput } from "#app/chat/message.ts";
import { hideUnusableIndexedDB } from "#app/firebase/indexed-db.ts";
import { openChannel } from "#app/http/browser-tabs.ts";

/** A message on its way to the room. It is removed once the feed shows it. */
export interface OutboxEntry extends MessageInput {
  /** `failed`: the server has rejected it, and it is not sent again automatically. */
  status: "waiting" | "failed" | "sent";
  /** Why it has failed. */
  error?: MessageError;
  /** Set once sent: the id of the document, and when the response arrived, in milliseconds since the Unix epoch. */
  stored?: { id: string; at: number };
}

/** The text in the composer, which the tabs of a browser share. */
export interface StoredInput {
  /** The unfinished text in the composer. */
  inputText: string;
  /** When it was changed, in milliseconds since the Unix epoch. */
  inputTime?: number;
}

/** What is typed in the editor of a stored message, until it is saved or cancelled. */
export interface UnfinishedEdit {
  /** The message's id. */
  id: string;
  /** Without the message's quote, which is not edited. */
  text: string;
}

/** One user's outbox, which the tabs of a browser share. */
export interface StoredOutbox extends StoredInput {
  /** In the order in which the messages are sent. */
  entries: readonly OutboxEntry[];
  /** The last one that was changed comes last. */
  edits?: readonly UnfinishedEdit[];
}

const EMPTY_STORED_OUTBOX: StoredOutbox = { entries: [], inputText: "" };

/** Stores the outboxes of a browser's users. The tabs share it. */
export interface OutboxStore {
  get: (uid: string) => Promise<StoredOutbox>;
  /** Changes an outbox in one transaction, and resolves with the result. */
  update: (uid: string, change: (stored: StoredOutbox) => StoredOutbox) => Promise<StoredOutbox>;
  /** Whether the stored outboxes survive the page. */
  isPersistent: () => boolean;
  /** Calls back after another tab has changed the outbox. */
  subscribe: (uid: string, onChange: () => void) => void;
}

const MAX_TRIES = 2;

const CHANNEL = "inkglade.outbox";

/**
 * Creates a store in IndexedDB, or in memory once the browser denies access. What this tab has in memory is stored
 * again after the user has deleted the site's data.
 */
export function createOutboxStore(): OutboxStore {
  const memory = createMemoryStore();
  // Without the channel, other tabs show a change only when the feed shows it.
  const channel = openChannel(CHANNEL);
  let database: UseStore | null = null;
  let opened = open();

  async function open(): Promise<void> {
    await hideUnusableIndexedDB();
    database = createStore("inkglade-outbox", "outboxes");
    try {
      await database("readonly", ({ transaction: { db } }) => {
        db.onversionchange = () => {
          // Another tab wants to delete the database, which waits until this connection is closed.
          db.close();
          opened = open();
        };
      });
    } catch {
      database = null;
    }
  }

  /**
   * Runs a transaction. If it fails, tries once more with a new connection, because clearing the site's data closes the
   * existing one. Resolves with `null` if that fails too: from then on the outbox is in memory.
   */
  async function transact<T>(run: (store: UseStore) => Promise<T>): Promise<{ value: T } | null> {
    await opened;
    for (let tries = 0; tries < MAX_TRIES && database; tries += 1) {
      try {
        return { value: await run(database) };
      } catch {
        await (opened = open());
      }
    }
    database = null;
    return null;
  }

  async function getStored(uid: string): Promise<StoredOutbox> {
    const inMemory = await memory.get(uid);
    const stored = await transact((store) => get<StoredOutbox>(uid, store));
    return stored ? await memory.update(uid, () => stored.value ?? inMemory) : inMemory;
  }

  async function updateStored(
    uid: string,
    change: (stored: StoredOutbox) => StoredOutbox,
  ): Promise<StoredOutbox> {
    const inMemory = await memory.get(uid);
    let result = inMemory;
    const changeAndReturn = (stored = inMemory) => (result = change(stored));
    const stored = await transact((store) => update<StoredOutbox>(uid, changeAndReturn, store));
    if (!stored) return await memory.update(uid, change);
    channel?.postMessage(uid);
    return await memory.update(uid, () => result);
  }

  return {
    get: getStored,
    update: updateStored,
    isPersistent: () => database !== null,
    subscribe(uid, onChange) {
      channel?.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
        if (data === uid) onChange();
      });
    },
  };
}

/** Creates a store that is lost with the page. */
export function createMemoryStore(): OutboxStore {
  const outboxes = new Map<string, StoredOutbox>();
  const find = (uid: string) => outboxes.get(uid) ?? EMPTY_STORED_OUTBOX;
  return {
    get: async (uid) => find(uid),
    async update(uid, change) {
      const result = change(find(uid));
      outboxes.set(uid, result);
      return result;
    },
    isPersistent: () => false,
    subscribe: () => {},
  };
}
