import { deleteApp } from "firebase/app";
import {
  get,
  goOffline,
  goOnline,
  onDisconnect,
  onValue,
  ref,
  remove,
  set,
  type Database,
} from "firebase/database";

import { unseenPath } from "#app/chat/presence.ts";
import { getFirebaseApp } from "#app/firebase/app.client.ts";
import type { FirebaseConfig } from "#app/firebase/config.ts";
import { connectDatabase } from "#app/firebase/database.client.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { createAuth, signInWith } from "#app/firebase/sign-in.client.ts";
import { fetchToken } from "#app/session/fetch-token.ts";
import {
  readerKeysPath,
  READERS_PATH,
  RENEW_EVERY_MS,
  toRecordTime,
  uncountedPath,
  type ReaderRecord,
} from "#app/stories/readers/readers.ts";

/** Several changes arrive one after the other, also those of the user's other tabs. */
const UPDATE_AFTER_MS = 500;

/** How far this clock may be ahead of the database's: a time in the future is rejected. */
const CLOCK_SKEW_MS = 5000;

interface CountedReader {
  uid: string;
  /** The id of the story. */
  story: string;
}

let count = 0;

/**
 * Counts the user as one who has the story open, until the returned function is called or the connection is lost. Users
 * count once for each story, however many tabs they have, and not while they are unseen or have chosen not to count.
 *
 * Has its own Firebase app, because the room signs its app out when it is closed. Errors are not reported.
 */
export function startCountedReader(config: FirebaseConfig, reader: CountedReader): () => void {
  const app = getFirebaseApp(config, `reader-${(count += 1)}`);
  const controller = new AbortController();

  async function start() {
    const token = await fetchToken();
    if (controller.signal.aborted || token === null) return;
    await signInWith(createAuth(app, config), reader.uid, token);
    if (!controller.signal.aborted)
      keepRecord(connectDatabase(app, config), reader, controller.signal);
  }

  void start().catch(ignore);
  return () => {
    controller.abort();
    // The database removes the record of a connection that ends.
    void deleteApp(app).catch(ignore);
  };
}

/** Keeps the record of the user in this story, which all of their tabs share. */
function keepRecord(db: Database, { uid, story }: CountedReader, signal: AbortSignal): void {
  const keyRef = ref(db, `${readerKeysPath(uid)}/${story}`);
  let isConnected = false;
  let clockOffset = 0;
  /** Unknown until the database has answered. */
  const settings: { isUnseen?: boolean; isUncounted?: boolean } = {};
  let key: string | undefined;
  let unwatch: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const isCounted = () => settings.isUnseen === false && settings.isUncounted === false;

  async function update() {
    if (signal.aborted || !isConnected) return;
    if (isCounted()) await write();
    else if (key !== undefined) await remove(ref(db, `${READERS_PATH}/${key}`));
  }

  async function write() {
    key = await getKey();
    const recordRef = ref(db, `${READERS_PATH}/${key}`);
    const time = toRecordTime(Date.now() + clockOffset - CLOCK_SKEW_MS);
    const record: ReaderRecord = { story, time };
    await onDisconnect(recordRef).remove();
    await set(recordRef, record);
    unwatch?.();
    // Another tab of the user removes the record when it ends.
    unwatch = onValue(recordRef, (snapshot) => !snapshot.exists() && schedule(), ignore);
  }

  /** Returns the key of the user's record in this story; a new one unless another tab has written a record. */
  async function getKey(): Promise<string> {
    const known: unknown = (await get(keyRef)).val();
    if (typeof known === "string" && known === key) return known;
    if (typeof known === "string" && (await get(ref(db, `${READERS_PATH}/${known}`))).exists()) {
      return known;
    }
    const created = createDocumentId();
    await set(keyRef, created);
    return created;
  }

  function schedule(delay = UPDATE_AFTER_MS) {
    clearTimeout(timer);
    timer = setTimeout(() => {
      void update().catch(ignore);
      schedule(RENEW_EVERY_MS);
    }, delay);
  }

  const unsubscribes = [
    onValue(ref(db, ".info/serverTimeOffset"), (snapshot) => {
      clockOffset = Number(snapshot.val());
    }),
    onValue(ref(db, ".info/connected"), (snapshot) => {
      isConnected = snapshot.val() === true;
      if (isConnected) schedule();
    }),
    onValue(
      ref(db, unseenPath(uid)),
      (snapshot) => {
        settings.isUnseen = snapshot.val() === true;
        schedule();
      },
      ignore,
    ),
    onValue(
      ref(db, uncountedPath(uid)),
      (snapshot) => {
        settings.isUncounted = snapshot.val() === true;
        schedule();
      },
      ignore,
    ),
  ];

  // An open connection would keep the page out of the back/forward cache.
  addEventListener("pagehide", () => goOffline(db), { signal });
  addEventListener("pageshow", ({ persisted }) => persisted && goOnline(db), { signal });
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    unwatch?.();
    for (const unsubscribe of unsubscribes) unsubscribe();
  });
}

/** The rules deny access once the sign-in has ended; then the user is not counted. */
function ignore() {}
