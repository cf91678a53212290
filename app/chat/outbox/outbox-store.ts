import { createStore, get, update, type UseStore } from "idb-keyval";

import { EMPTY_STORED_OUTBOX, type StoredOutbox } from "./entries.ts";

/** Stores the outboxes of a browser's users. The tabs share it. */
export interface OutboxStore {
  get: (uid: string) => Promise<StoredOutbox>;
  /** Changes an outbox in one transaction, and resolves with the result. */
  update: (uid: string, change: (stored: StoredOutbox) => StoredOutbox) => Promise<StoredOutbox>;
  /** Calls back after another tab has changed the outbox. */
  subscribe: (uid: string, onChange: () => void) => void;
}

const CHANNEL = "inkglade.outbox";

/**
 * Creates a store in IndexedDB, or in memory from the moment on when the browser denies access to it. What this tab knows
 * is stored again after the user has deleted the site's data.
 */
export function createOutboxStore(): OutboxStore {
  const memory = createMemoryStore();
  // Without it, other tabs show the change once the feed does.
  const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(CHANNEL) : null;
  let database: UseStore | null = null;
  void open();

  async function open(): Promise<void> {
    database = createStore("inkglade-outbox", "outboxes");
    try {
      await database("readonly", ({ transaction: { db } }) => {
        db.onversionchange = () => {
          // Another tab deletes the database, which waits for that.
          db.close();
          void open();
        };
      });
    } catch {
      database = null;
    }
  }

  async function getStored(uid: string): Promise<StoredOutbox> {
    const known = await memory.get(uid);
    if (!database) return known;
    try {
      const stored = (await get<StoredOutbox>(uid, database)) ?? known;
      return await memory.update(uid, () => stored);
    } catch {
      database = null;
      return known;
    }
  }

  async function updateStored(
    uid: string,
    change: (stored: StoredOutbox) => StoredOutbox,
  ): Promise<StoredOutbox> {
    const known = await memory.get(uid);
    if (!database) return await memory.update(uid, change);
    let result = known;
    const changeAndReturn = (stored = known) => (result = change(stored));
    try {
      await update<StoredOutbox>(uid, changeAndReturn, database);
    } catch {
      database = null;
      return await memory.update(uid, change);
    }
    channel?.postMessage(uid);
    return await memory.update(uid, () => result);
  }

  return {
    get: getStored,
    update: updateStored,
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
    subscribe: () => {},
  };
}
