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
  messagesPath,
  PAGE_SIZE,
  readMessage,
  ROOM_ID,
  sortMessages,
  type Message,
} from "./message.ts";

/**
 * Subscribes to the newest messages of the room, oldest first, and returns the function that unsubscribes.
 *
 * `onMessages` is first called with an answer of the server: the cache alone may be older than what the page shows.
 */
export function subscribeToMessages(
  config: FirebaseConfig,
  onMessages: (messages: Message[]) => void,
  onError: (error: Error) => void,
): () => void {
  const newest = query(
    collection(getFirestore(config), messagesPath(ROOM_ID)),
    where("createdAt", "!=", null),
    orderBy("createdAt"),
    // `limit` would return the oldest messages, and never a new one once the room is full.
    limitToLast(PAGE_SIZE),
  );
  let isConfirmed = false;
  return onSnapshot(
    newest,
    { includeMetadataChanges: true },
    ({ docs, metadata }) => {
      isConfirmed ||= !metadata.fromCache;
      if (isConfirmed) onMessages(sortMessages(docs.flatMap(toMessage)));
    },
    onError,
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

/** Returns nothing for an invalid document, so that it does not empty the feed. */
function toMessage(document: QueryDocumentSnapshot): Message[] {
  const { createdAt, ...fields } = document.data({ serverTimestamps: "none" });
  const time = createdAt instanceof Timestamp ? createdAt.toMillis() : null;
  const message = readMessage(document.id, fields, time);
  return message ? [message] : [];
}
