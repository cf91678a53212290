import { get, onDisconnect, onValue, ref, remove, set, update } from "firebase/database";

import { createDocumentId } from "#app/firebase/document-id.ts";
import type { UserConnection } from "#app/session/user-connection.client.ts";
import {
  getKeyOwnerPath,
  getReaderKeysPath,
  READERS_PATH,
  ROOM_RECORD,
  toRecordTime,
  type ReaderRecord,
} from "./readers.ts";
import { createRenewal } from "./renewal.client.ts";

/** How far this clock may be ahead of the database's: a time in the future is rejected. */
const CLOCK_SKEW_MS = 5000;

export interface CountedReader {
  uid: string;
  /** The id of the story, or `ROOM_RECORD`. */
  story: string;
  /** The paths of the user's settings: while one of them is `true`, the user does not count. */
  settings: readonly string[];
}

/**
 * Writes the record of a user who has a story or the room open, and renews it until the signal is aborted. All tabs of the
 * user share the record, and it names the story that was opened last. It is removed when one of them leaves or loses its
 * connection; then the other tabs write it again.
 */
export function maintainRecord(
  { getDatabase, discard }: Pick<UserConnection, "getDatabase" | "discard">,
  { uid, story, settings }: CountedReader,
  signal: AbortSignal,
): void {
  const db = getDatabase();
  const kind = story === ROOM_RECORD ? ROOM_RECORD : "story";
  const keyPath = `${getReaderKeysPath(uid)}/${kind}`;
  let isConnected = false;
  let clockOffset = 0;
  /** The values of the settings that the database has sent. */
  const values = new Map<string, boolean>();
  let key: string | undefined;
  let unwatch: (() => void) | undefined;
  const { schedule } = createRenewal({ write: writeOrRemove, renew }, signal);

  // A write may fail because two tabs that started at the same moment have both chosen a key.
  async function writeOrRemove() {
    if (signal.aborted || !isConnected || values.size < settings.length) return;
    if (![...values.values()].includes(true)) await write();
    else if (key !== undefined) await remove(ref(db, `${READERS_PATH}/${key}`));
  }

  async function write() {
    const recordKey = await getKey();
    if (recordKey === null || signal.aborted) return;
    key = recordKey;
    const recordRef = ref(db, `${READERS_PATH}/${key}`);
    const time = toRecordTime(Date.now() + clockOffset - CLOCK_SKEW_MS);
    const record: ReaderRecord = { story, time };
    // Sent together, so that a removal after the abort comes after both.
    await Promise.all([onDisconnect(recordRef).remove(), set(recordRef, record)]);
    unwatch?.();
    if (signal.aborted) return;
    // The record is removed when another tab of the user is closed.
    unwatch = onValue(recordRef, (snapshot) => !snapshot.exists() && schedule(), ignore);
  }

  /**
   * Returns the key of the user's record: the stored one if this tab has used it or its record exists, otherwise a new one.
   * `null` once the key is deleted with the user's account.
   */
  async function getKey(): Promise<string | null> {
    const storedKey: unknown = (await get(ref(db, keyPath))).val();
    if (storedKey === null && key !== undefined) return null;
    if (typeof storedKey === "string" && storedKey === key) return storedKey;
    if (
      typeof storedKey === "string" &&
      (await get(ref(db, `${READERS_PATH}/${storedKey}`))).exists()
    ) {
      return storedKey;
    }
    const created = createDocumentId();
    await update(ref(db), {
      [keyPath]: created,
      [getKeyOwnerPath(created)]: uid,
      ...(typeof storedKey === "string" && { [getKeyOwnerPath(storedKey)]: null }),
    });
    return created;
  }

  /** Renews the record of a visible page. The record of a page that stays hidden becomes stale. */
  function renew() {
    if (document.visibilityState === "visible") schedule();
  }

  const unsubscribes = [
    onValue(ref(db, ".info/serverTimeOffset"), (snapshot) => {
      clockOffset = Number(snapshot.val());
    }),
    onValue(ref(db, ".info/connected"), (snapshot) => {
      isConnected = snapshot.val() === true;
      if (isConnected) schedule();
    }),
    ...settings.map((path) =>
      onValue(
        ref(db, path),
        (snapshot) => {
          values.set(path, snapshot.val() === true);
          schedule();
        },
        // The user is no longer counted, because the session has ended.
        discard,
      ),
    ),
  ];

  document.addEventListener("visibilitychange", renew, { signal });
  signal.addEventListener("abort", () => {
    unwatch?.();
    for (const unsubscribe of unsubscribes) unsubscribe();
    if (key === undefined) return;
    // The connection may stay open for other parts of the page.
    const recordRef = ref(db, `${READERS_PATH}/${key}`);
    remove(recordRef).catch(ignore);
    // Not before, in case the connection is lost between the two.
    onDisconnect(recordRef).cancel().catch(ignore);
  });
}

/** Ignores the error when the rules deny access, because the session has ended. */
function ignore() {}
