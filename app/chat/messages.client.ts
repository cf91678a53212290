import {
  collection,
  disableNetwork,
  enableNetwork,
  limitToLast,
  onSnapshot,
  orderBy,
  query,
  Timestamp,
  where,
  type Firestore,
  type QueryDocumentSnapshot,
} from "firebase/firestore";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import { formatCursor } from "#app/firebase/cursor.ts";
import { createFirestore, getFirebaseApp } from "#app/firebase/firestore.client.ts";
import { PAGE_SIZE, readMessage, sortMessages, type Message, type MessagePage } from "./message.ts";
import { EDITS_PATH, MESSAGES_PATH, TOPICS_PATH } from "./room-address.ts";

/** The newest messages of the room. */
export interface LiveMessagePage extends MessagePage {
  /** Whether the server has confirmed them; otherwise the connection is lost, and they may be outdated. */
  isConfirmed: boolean;
}

/**
 * Subscribes to the newest messages of the room, and returns the function that unsubscribes.
 *
 * `onValue` is first called with a response of the server.
 */
export function subscribeToMessages(
  config: FirebaseConfig,
  {
    onValue,
    onError,
  }: { onValue: (page: LiveMessagePage) => void; onError: (error: unknown) => void },
): () => void {
  const newest = query(
    collection(getFirestore(config), MESSAGES_PATH),
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

/** The collections of records beside the messages, and the field with the time of each. */
const RECORDS = {
  edits: [EDITS_PATH, "editedAt"],
  topics: [TOPICS_PATH, "at"],
} as const;

/**
 * Subscribes to the newest records of edits or topics, and returns the function that unsubscribes.
 *
 * @param since only records from this time on, in milliseconds since the Unix epoch
 * @param onValue called with the fields of each record, by its message's id
 */
export function subscribeToRecords(
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
): () => void {
  const [path, time] = RECORDS[kind];
  const newest = query(
    collection(getFirestore(config), path),
    where(time, ">=", Timestamp.fromMillis(since)),
    orderBy(time),
    limitToLast(2 * PAGE_SIZE),
  );
  return onSnapshot(
    newest,
    ({ docs }) => onValue(new Map(docs.map((document) => [document.id, document.data()]))),
    onError,
  );
}

let firestore: Firestore | undefined;

/** Returns the Firestore for the room, which has no sign-in, because everybody may read the messages. */
function getFirestore(config: FirebaseConfig): Firestore {
  return (firestore ??= createRoomFirestore(config));
}

function createRoomFirestore(config: FirebaseConfig): Firestore {
  const created = createFirestore(getFirebaseApp(config), config);
  // An open connection would keep the page out of the back/forward cache, and Firestore waiting for a page that is gone.
  window.addEventListener("pagehide", () => void disableNetwork(created));
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) void enableNetwork(created);
  });
  return created;
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
