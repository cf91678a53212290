import {
  collection,
  limitToLast,
  onSnapshot,
  orderBy,
  query,
  Timestamp,
  where,
  type Query,
  type QueryDocumentSnapshot,
} from "firebase/firestore";

import { PAGE_SIZE } from "#app/chat/message.ts";
import type { PresentUser } from "#app/chat/presence.client.ts";
import { MAX_LISTED } from "#app/chat/quotes/topic.ts";
import { toMessageInRoomPath, TOPICS_PATH } from "#app/chat/room-address.ts";
import type { FirebaseConfig } from "#app/firebase/config.ts";
import { connectUser, type UserConnection } from "#app/session/user-connection.client.ts";
import { startTogether, type Together, type TogetherListeners } from "./together-record.client.ts";

/** How long a press of a dot waits for Firestore. */
const TIMEOUT_MS = 5000;

export interface TogetherSession extends Together {
  /**
   * Returns the address of a user's last message about the story, among the newest 200 about it; `null` if there is none.
   *
   * @throws when Firestore does not respond
   */
  findLastMessage: (uid: string) => Promise<string | null>;
}

/**
 * Signs in to Firebase and starts reading a story together, until the signal is aborted. Returns `null` when nobody, or
 * another user, is signed in.
 *
 * @throws when the sign-in fails
 */
export async function joinTogether(
  config: FirebaseConfig,
  reading: { user: PresentUser; story: string },
  listeners: TogetherListeners,
  signal: AbortSignal,
): Promise<TogetherSession | null> {
  const connection = await connectUser(config, reading.user.uid, signal);
  if (!connection) return null;
  return {
    ...startTogether(connection, reading, listeners, signal),
    findLastMessage: (uid) => findLastMessage(connection, reading.story, uid),
  };
}

async function findLastMessage(
  { getFirestore }: UserConnection,
  story: string,
  uid: string,
): Promise<string | null> {
  const newest = query(
    collection(getFirestore(), TOPICS_PATH),
    where("story", "==", story),
    orderBy("at"),
    limitToLast(MAX_LISTED),
  );
  const topics = await readOnce(newest);
  const index = topics.findLastIndex((topic) => topic.get("uid") === uid);
  const topic = topics[index];
  if (!topic) return null;
  const at: unknown = topic.get("at");
  const isOnNewestPage = topics.length - index <= PAGE_SIZE;
  const sentAt = !isOnNewestPage && at instanceof Timestamp ? at.toMillis() : undefined;
  return toMessageInRoomPath(topic.id, { story, sentAt });
}

/** Reads a query once. `getDocs` would make the script larger for everyone who opens the room. */
function readOnce(newest: Query): Promise<QueryDocumentSnapshot[]> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => end(() => reject(new Error("No response."))), TIMEOUT_MS);
    const unsubscribe = onSnapshot(
      newest,
      { includeMetadataChanges: true },
      ({ docs, metadata }) => {
        // Firestore may still have what the last press has read.
        if (!metadata.fromCache) end(() => resolve(docs));
      },
      (error) => end(() => reject(error)),
    );

    function end(settle: () => void) {
      clearTimeout(timer);
      unsubscribe();
      settle();
    }
  });
}
