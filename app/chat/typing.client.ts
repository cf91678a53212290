import { child, onDisconnect, onValue, ref, remove, set, type Database } from "firebase/database";

import { subscribeToStatus } from "./online-status.client.ts";
import { typingPath } from "./presence.ts";

/** After this time a user no longer counts as typing: the end may have been lost. */
const STALE_AFTER_MS = 30_000;

/** Sets or removes `typing/{roomId}/{uid}`. */
export async function setTyping(db: Database, roomId: string, uid: string, isTyping: boolean) {
  const typing = child(ref(db, typingPath(roomId)), uid);
  if (!isTyping) return remove(typing);
  // Sent together: a later removal follows both.
  await Promise.all([onDisconnect(typing).remove(), set(typing, true)]);
}

/**
 * Subscribes to the uids of the other users who are typing, and returns the function that unsubscribes. Leaves out users
 * who are offline, and those who have been typing for more than 30 s.
 */
export function subscribeToTyping(
  db: Database,
  roomId: string,
  uid: string,
  onChange: (uids: string[]) => void,
): () => void {
  const users = new Map<string, { isOnline: boolean; unsubscribe: () => void }>();

  function notify() {
    onChange([...users].flatMap(([typingUid, { isOnline }]) => (isOnline ? [typingUid] : [])));
  }

  function add(typingUid: string) {
    const entry = { isOnline: false, unsubscribe: () => {} };
    users.set(typingUid, entry);
    const unsubscribeStatus = subscribeToStatus(db, typingUid, (state) => {
      entry.isOnline = state === "online";
      notify();
    });
    const timer = setTimeout(() => {
      unsubscribeStatus();
      entry.isOnline = false;
      notify();
    }, STALE_AFTER_MS);
    entry.unsubscribe = () => {
      unsubscribeStatus();
      clearTimeout(timer);
    };
  }

  function removeUser(typingUid: string) {
    users.get(typingUid)?.unsubscribe();
    users.delete(typingUid);
  }

  const unsubscribeTyping = onValue(
    ref(db, typingPath(roomId)),
    (snapshot) => {
      const current = new Set(Object.keys(snapshot.val() ?? {}));
      current.delete(uid);
      for (const typingUid of users.keys()) if (!current.has(typingUid)) removeUser(typingUid);
      for (const typingUid of current) if (!users.has(typingUid)) add(typingUid);
      notify();
    },
    () => onChange([]),
  );
  return () => {
    unsubscribeTyping();
    for (const typingUid of users.keys()) removeUser(typingUid);
  };
}
