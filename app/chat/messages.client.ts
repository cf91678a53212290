import {
  collection,
  limitToLast,
  memoryLocalCache,
  onSnapshot,
  orderBy,
  persistentLocalCache,
  persistentMultipleTabManager,
  query,
  Timestamp,
  where,
  type Firestore,
  type QueryDocumentSnapshot,
} from "firebase/firestore";

import { getFirebaseApp } from "#app/firebase/app.client.ts";
import type { FirebaseConfig } from "#app/firebase/config.ts";
import { formatCursor } from "#app/firebase/cursor.ts";
import { createFirestore } from "#app/firebase/firestore.client.ts";
import { hideUnusableIndexedDB } from "#app/firebase/indexed-db.ts";
import { isStorageWritable } from "#app/site/storage.ts";
import {
  getEditsPath,
  getMessagesPath,
  PAGE_SIZE,
  readMessage,
  sortMessages,
  type Message,
  type MessagePage,
} from "./message.ts";
import { getTopicsPath } from "./quotes/topic.ts";
import { ROOM_ID } from "./room-address.ts";

/** The newest messages of the room. */
export interface LiveMessagePage extends MessagePage {
  /** Whether the server has confirmed them; otherwise the connection is lost, and they may be outdated. */
  isConfirmed: boolean;
}

/**
 * Subscribes to the newest messages of the room, and returns the function that unsubscribes.
 *
 * `onValue` is first called with a response of the server: the cache alone may be older than what the page shows.
 */
export async function subscribeToMessages(
  config: FirebaseConfig,
  {
    onValue,
    onError,
  }: { onValue: (page: LiveMessagePage) => void; onError: (error: unknown) => void },
): Promise<() => void> {
  const firestore = await getFirestore(config);
  const newest = query(
    collection(firestore, getMessagesPath(ROOM_ID)),
    where("createdAt", "!=", null),
    orderBy("createdAt"),
    // `limit` would return the oldest messages, and never a new one once there are more than that.
    limitToLast(PAGE_SIZE),
  );
  let hasServerData = false;
  return subscribeUntilFailure(firestore, onError, (onFailure) =>
    onSnapshot(
      newest,
      { includeMetadataChanges: true },
      ({ docs, metadata }) => {
        hasServerData ||= !metadata.fromCache;
        if (!hasServerData) return;
        const [first] = docs;
        onValue({
          messages: sortMessages(docs.flatMap(toMessage)),
          before: first && docs.length === PAGE_SIZE ? toCursor(first) : null,
          isConfirmed: !metadata.fromCache,
        });
      },
      onFailure,
    ),
  );
}

/** The collections of records beside the messages, and the field with the time of each. */
const RECORDS = {
  edits: [getEditsPath(ROOM_ID), "editedAt"],
  topics: [getTopicsPath(ROOM_ID), "at"],
} as const;

/**
 * Subscribes to the newest records of edits or topics, and returns the function that unsubscribes.
 *
 * @param since only records from this time on, in milliseconds since the Unix epoch
 * @param onValue called with the fields of each record, by its message's id
 */
export async function subscribeToRecords(
  config: FirebaseConfig,
  kind: keyof typeof RECORDS,
  since: number,
  {
    onValue,
    onError,
  }: {
    onValue: (records: Map<string, Record<string, unknown>>) => void;
    onError: (error: unknown) => void;
  },
): Promise<() => void> {
  const firestore = await getFirestore(config);
  const [path, time] = RECORDS[kind];
  const newest = query(
    collection(firestore, path),
    where(time, ">=", Timestamp.fromMillis(since)),
    orderBy(time),
    limitToLast(2 * PAGE_SIZE),
  );
  return subscribeUntilFailure(firestore, onError, (onFailure) =>
    onSnapshot(
      newest,
      ({ docs }) => onValue(new Map(docs.map((document) => [document.id, document.data()]))),
      onFailure,
    ),
  );
}

/** Created once: the SDK allows one Firestore with a persistent cache per app. */
let firestore: Firestore | undefined;

/** Whether the Firestore with a persistent cache has failed. */
let hasFailed = false;

/** Returns Firestore with a cache that outlives the page; with one in memory if that cannot be stored, or has failed. */
async function getFirestore(config: FirebaseConfig): Promise<Firestore> {
  await hideUnusableIndexedDB();
  return (firestore ??= createRoomFirestore(config));
}

function createRoomFirestore(config: FirebaseConfig): Firestore {
  // The tabs that share a cache notify each other through local storage.
  const localCache =
    hasFailed || !isStorageWritable()
      ? memoryLocalCache()
      : persistentLocalCache({ tabManager: persistentMultipleTabManager() });
  // The SDK cannot end a Firestore that has failed, so that one keeps its app, and logs an error for each change.
  const app = getFirebaseApp(config, hasFailed ? "room" : undefined);
  return createFirestore(app, config, { localCache });
}

/**
 * Subscribes, and returns the function that unsubscribes. Calls `onError` too when local storage has become full: the SDK
 * then stops without reporting it, and every later call throws. The next subscription gets a Firestore in memory.
 */
function subscribeUntilFailure(
  current: Firestore,
  onError: (error: unknown) => void,
  subscribe: (onError: (error: unknown) => void) => () => void,
): () => void {
  const unsubscribe = subscribe(onError);

  function onRejection(event: PromiseRejectionEvent) {
    const { reason }: { reason: unknown } = event;
    if (!(reason instanceof DOMException) || reason.name !== "QuotaExceededError") return;
    event.preventDefault();
    if (firestore === current) {
      hasFailed = true;
      firestore = undefined;
    }
    onError(reason);
  }
  window.addEventListener("unhandledrejection", onRejection);

  return () => {
    window.removeEventListener("unhandledrejection", onRejection);
    if (firestore === current) unsubscribe();
  };
}

function toCursor(document: QueryDocumentSnapshot): string | null {
  const createdAt = getCreatedAt(document);
  return createdAt === null ? null : formatCursor({ id: document.id, time: createdAt });
}

/** Returns an empty list for an invalid document, so that the feed still shows the valid ones. */
function toMessage(document: QueryDocumentSnapshot): Message[] {
  const message = readMessage(document.id, document.data(), getCreatedAt(document));
  return message ? [message] : [];
}

/** Returns the time as in `Message`; `null` until the server has set it. */
function getCreatedAt(document: QueryDocumentSnapshot): number | null {
  const createdAt: unknown = document.get("createdAt", { serverTimestamps: "none" });
  return createdAt instanceof Timestamp ? createdAt.toMillis() : null;
}
