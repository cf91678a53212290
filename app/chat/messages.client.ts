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
import { storedMessageSchema } from "./message-schema.ts";
import { messagesPath, PAGE_SIZE, ROOM_ID, sortMessages, type Message } from "./message.ts";

/**
 * Follows the newest messages of the room, oldest first, and returns how to stop.
 *
 * Nothing is told before the database itself has answered: what the cache alone knows may be older
 * than what the page already shows.
 */
export function listenToMessages(
  config: FirebaseConfig,
  onMessages: (messages: Message[]) => void,
  onError: (error: Error) => void,
): () => void {
  const newest = query(
    collection(getFirestore(config), messagesPath(ROOM_ID)),
    where("createdAt", "!=", null),
    orderBy("createdAt"),
    // Not `limit`: that would be the oldest, and a full room would never show anything new.
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

let firestore: Firestore | undefined;

/** Returns Firestore with a cache that outlives the page; where storage is denied, the SDK falls back to memory. */
function getFirestore(config: FirebaseConfig): Firestore {
  firestore ??= createFirestore(getFirebaseApp(config), config, {
    localCache: persistentLocalCache({ tabManager: persistentMultipleTabManager() }),
  });
  return firestore;
}

/** Returns the message, or nothing when the document is none: one bad document must not empty the room. */
function toMessage(doc: QueryDocumentSnapshot): Message[] {
  const data = doc.data({ serverTimestamps: "none" });
  const createdAt = data.createdAt instanceof Timestamp ? data.createdAt.toMillis() : null;
  const { data: message } = storedMessageSchema.safeParse({ ...data, id: doc.id, createdAt });
  return message ? [message] : [];
}
