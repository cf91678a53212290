import {
  collection,
  limitToLast,
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
import { createFirestore } from "#app/firebase/firestore.client.ts";
import {
  getEditsPath,
  getMessagesPath,
  PAGE_SIZE,
  readMessage,
  sortMessages,
  type Message,
  type MessagePage,
} from "./message.ts";
import { formatCursor, ROOM_ID } from "./room-address.ts";

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
export function subscribeToMessages(
  config: FirebaseConfig,
  {
    onValue,
    onError,
  }: { onValue: (page: LiveMessagePage) => void; onError: (error: Error) => void },
): () => void {
  const newest = query(
    collection(getFirestore(config), getMessagesPath(ROOM_ID)),
    where("createdAt", "!=", null),
    orderBy("createdAt"),
    // `limit` would return the oldest messages, and never a new one once there are more than that.
    limitToLast(PAGE_SIZE),
  );
  let hasServerData = false;
  return onSnapshot(
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
    onError,
  );
}

/**
 * Subscribes to the records of edits, and returns the function that unsubscribes.
 *
 * @param since only edits after this time, in milliseconds since the Unix epoch
 * @param onEdits called with the sender of each edited message, by its id
 */
export function subscribeToEdits(
  config: FirebaseConfig,
  since: number,
  onEdits: (senders: Map<string, string>) => void,
): () => void {
  const newest = query(
    collection(getFirestore(config), getEditsPath(ROOM_ID)),
    where("editedAt", ">=", Timestamp.fromMillis(since)),
    orderBy("editedAt"),
    limitToLast(2 * PAGE_SIZE),
  );
  return onSnapshot(
    newest,
    ({ docs }) => {
      onEdits(new Map(docs.map((document) => [document.id, String(document.get("uid"))])));
    },
    () => {},
  );
}

/** Created once: the SDK allows one Firestore with a persistent cache per app. */
let firestore: Firestore | undefined;

/** Returns Firestore with a cache that outlives the page; without storage the SDK falls back to memory. */
function getFirestore(config: FirebaseConfig): Firestore {
  firestore ??= createFirestore(getFirebaseApp(config), config, {
    localCache: persistentLocalCache({ tabManager: persistentMultipleTabManager() }),
  });
  return firestore;
}

function toCursor(document: QueryDocumentSnapshot): string | null {
  const createdAt = getCreatedAt(document);
  return createdAt === null ? null : formatCursor({ id: document.id, createdAt });
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
