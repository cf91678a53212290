import {
  onDisconnect,
  onValue,
  ref,
  remove,
  serverTimestamp,
  set,
  type Database,
} from "firebase/database";

import {
  getConnectionsPath,
  MAX_CONNECTIONS,
  RENEW_EVERY_MS,
  getStatusPath,
  type OnlineStatus,
  type PublicProfile,
} from "./presence.ts";

/** The changes of one write arrive one after the other, and the last may show that no repair is needed. */
const REPAIR_AFTER_MS = 500;

/** The time after which a write is tried again that had no token. */
const RETRY_AFTER_MS = 30_000;

export interface OnlineOptions {
  /** Returns the name and photo of the user's current ID token: the rules accept no others. */
  getProfile: () => Promise<PublicProfile>;
  /** Milliseconds since the Unix epoch. */
  now: () => number;
  /**
   * Remembers the id of this tab's connection for its next session: the database may get a write of this session only
   * after that one has started.
   */
  tab: { connectionId?: string };
}

export interface OnlineSession {
  /** Removes the user's presence in this tab. Resolves once the database has confirmed it. */
  end(): Promise<void>;
  /** Stops without writing anything, because the records are gone already. */
  cancel(): void;
}

/**
 * Keeps a connection of this tab in the database while the page is connected, and `status/{uid}` at `online`.
 *
 * All tabs of a user share the status, so the database sets it to `offline` when one of them disconnects. Then the first
 * of the remaining connections, and no other, sets it to `online` again. Only the deletion of the account and the unseen
 * mode remove the status; then nothing more is written.
 */
export function startOnline(
  db: Database,
  uid: string,
  { getProfile, now, tab }: OnlineOptions,
): OnlineSession {
  const status = ref(db, getStatusPath(uid));
  let isConnected = false;
  /** Whether this tab has written since it connected. */
  let isWritten = false;
  let hasEnded = false;
  /** Whether the rules no longer let this tab read: its session has ended. Then `ids` and the status are outdated. */
  let isRefused = false;
  /** Whether the last write failed. The next renewal or connection tries again. */
  let hasFailed = false;
  /** `deleted` once a status that existed is gone. */
  let record: "unknown" | "exists" | "deleted" = "unknown";
  let state: unknown = null;
  /** The ids of the user's connections, in order. */
  let ids: string[] | undefined;
  let writtenAt = 0;
  let renewTimer: ReturnType<typeof setTimeout> | undefined;
  let repairTimer: ReturnType<typeof setTimeout> | undefined;
  let onDisconnected = () => {};

  const getConnection = (ownId: string) => ref(db, `${getConnectionsPath(uid)}/${ownId}`);
  const canWrite = () => isConnected && !hasEnded && record !== "deleted";

  /** Writes the status, and with it the connection. */
  async function write() {
    if (!canWrite() || !ids) return;
    const ownId = (tab.connectionId ??= createId(ids));
    isWritten = true;
    // Tries again soon if the token can't be renewed.
    renewIn(RETRY_AFTER_MS, 0);
    const profile = await getProfile();
    if (!canWrite()) return;
    renewIn(RENEW_EVERY_MS, now());
    // Sent together and in this order, so that a lost connection cannot leave the user online.
    const written = Promise.all([
      onDisconnect(status).set(createStatus("offline")),
      onDisconnect(getConnection(ownId)).remove(),
      set(status, createStatus("online")),
      set(getConnection(ownId), createConnection(profile)),
    ]);
    hasFailed = await written.then(
      () => false,
      () => true,
    );
  }

  /** @param lastWrite its time; 0 if there is none yet */
  function renewIn(ms: number, lastWrite: number) {
    writtenAt = lastWrite;
    clearTimeout(renewTimer);
    renewTimer = setTimeout(renew, ms);
  }

  function renew() {
    const isDue = now() - writtenAt >= RENEW_EVERY_MS;
    if (isDue && document.visibilityState === "visible") void write().catch(ignore);
  }

  /** Repeats a write that was undone when another tab was closed, or when this tab's previous connection ended late. */
  async function repair() {
    const { connectionId: id } = tab;
    if (!canWrite() || hasFailed || !ids || id === undefined) return;
    if (!ids.includes(id)) await write();
    else if (state === "offline" && ids[0] === id) await set(status, createStatus("online"));
  }

  function onChange() {
    if (!canWrite()) return;
    clearTimeout(repairTimer);
    if (isWritten) repairTimer = setTimeout(() => void repair().catch(ignore), REPAIR_AFTER_MS);
    else void write().catch(ignore);
  }

  function cancelOnDisconnect() {
    if (!isConnected) return [];
    const { connectionId: id } = tab;
    return [
      onDisconnect(status).cancel(),
      ...(id === undefined ? [] : [onDisconnect(getConnection(id)).cancel()]),
    ];
  }

  function refuse() {
    isRefused = true;
  }

  const unsubscribes = [
    onValue(ref(db, ".info/connected"), (snapshot) => {
      isConnected = snapshot.val() === true;
      isWritten = false;
      if (!isConnected) onDisconnected();
      onChange();
    }),
    onValue(
      status,
      (snapshot) => {
        if (snapshot.exists()) record = "exists";
        else if (record === "exists") {
          record = "deleted";
          for (const cancelled of cancelOnDisconnect()) void cancelled.catch(ignore);
        }
        state = snapshot.child("state").val();
        onChange();
      },
      refuse,
    ),
    onValue(
      ref(db, getConnectionsPath(uid)),
      (snapshot) => {
        ids = [];
        snapshot.forEach((child) => {
          ids?.push(child.key);
        });
        onChange();
      },
      refuse,
    ),
  ];
  document.addEventListener("visibilitychange", renew);

  function stop() {
    hasEnded = true;
    clearTimeout(renewTimer);
    clearTimeout(repairTimer);
    document.removeEventListener("visibilitychange", renew);
  }

  function unsubscribe() {
    for (const unsubscribeOne of unsubscribes) unsubscribeOne();
  }

  return {
    async end() {
      const { connectionId: id } = tab;
      const isOnline = canWrite() && isWritten;
      stop();
      if (id === undefined) return unsubscribe();
      if (!isOnline) {
        if (record !== "deleted") {
          // The SDK sends these once it is connected: after a write of this session that it then repeats.
          remove(getConnection(id)).catch(ignore);
          set(status, createStatus("offline")).catch(ignore);
        }
        return unsubscribe();
      }
      await remove(getConnection(id));
      // The database has confirmed the removal, so `ids` is up to date unless this tab can't read it. When several tabs
      // end at once, it is empty for the last of them.
      if ((isRefused || ids?.length === 0) && record !== "deleted") {
        await set(status, createStatus("offline"));
      }
      // If the connection is lost first, the SDK never settles these promises, and the database has already run the writes.
      const disconnected = new Promise<void>((resolve) => {
        onDisconnected = resolve;
      });
      await Promise.race([Promise.all(cancelOnDisconnect()), disconnected]);
      unsubscribe();
    },

    cancel() {
      stop();
      unsubscribe();
      for (const cancelled of cancelOnDisconnect()) void cancelled.catch(ignore);
    },
  };
}

/** Returns an id that none of the user's connections has; without one, an id that two tabs then share. */
function createId(ids: readonly string[]): string {
  const all = Array.from({ length: MAX_CONNECTIONS }, (_, index) => `c${index}`);
  const free = all.filter((candidate) => !ids.includes(candidate));
  // At random, because several tabs may start at the same time.
  return free[Math.floor(Math.random() * free.length)] ?? "c0";
}

function createStatus(state: OnlineStatus["state"]) {
  return { state, last_changed: serverTimestamp() };
}

function createConnection({ name, photo }: PublicProfile) {
  return { name, time: serverTimestamp(), ...(photo !== undefined && { photo }) };
}

/**
 * Ignores the error when the rules deny access because the sign-in has ended. The page finds that out from its session.
 */
function ignore() {}
