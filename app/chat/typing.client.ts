import { child, onDisconnect, onValue, ref, remove, set, type Database } from "firebase/database";

import { watchPresence } from "./presence.client.ts";
import { typingPath } from "./presence.ts";

/** A stop that was lost must not leave somebody typing for ever. */
const STALE_AFTER_MS = 30_000;

/** Says at `typing/{roomId}/{uid}` that somebody types, or has stopped. */
export async function setTyping(db: Database, roomId: string, uid: string, isTyping: boolean) {
  const mine = child(ref(db, typingPath(roomId)), uid);
  if (!isTyping) return remove(mine);
  // At once, so that a stop, however soon, comes after both.
  await Promise.all([onDisconnect(mine).remove(), set(mine, true)]);
}

/**
 * Tells who else types in a room, by uid, and returns how to stop. Leaves out people who are offline,
 * and those who have been at it for more than 30 s, as seen from here.
 */
export function watchTyping(
  db: Database,
  roomId: string,
  uid: string,
  onTypists: (uids: string[]) => void,
): () => void {
  const typists = new Map<string, { isHere: boolean; stop: () => void }>();

  function tell() {
    onTypists([...typists].flatMap(([typist, { isHere }]) => (isHere ? [typist] : [])));
  }

  function add(typist: string) {
    const entry = { isHere: false, stop: () => {} };
    typists.set(typist, entry);
    const stopPresence = watchPresence(db, typist, (state) => {
      entry.isHere = state === "online";
      tell();
    });
    const staleness = setTimeout(() => {
      stopPresence();
      entry.isHere = false;
      tell();
    }, STALE_AFTER_MS);
    entry.stop = () => {
      stopPresence();
      clearTimeout(staleness);
    };
  }

  function drop(typist: string) {
    typists.get(typist)?.stop();
    typists.delete(typist);
  }

  const stopTyping = onValue(
    ref(db, typingPath(roomId)),
    (snapshot) => {
      const current = new Set(Object.keys(snapshot.val() ?? {}));
      current.delete(uid);
      for (const typist of typists.keys()) if (!current.has(typist)) drop(typist);
      for (const typist of current) if (!typists.has(typist)) add(typist);
      tell();
    },
    () => onTypists([]),
  );
  return () => {
    stopTyping();
    for (const typist of typists.keys()) drop(typist);
  };
}
