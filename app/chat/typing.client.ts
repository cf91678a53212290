import { child, onDisconnect, onValue, ref, remove, set, type Database } from "firebase/database";

import { subscribeToPerson } from "./people.client.ts";
import { TYPING_PATH, type Person } from "./presence.ts";

/** After this time a user no longer counts as typing: the end may have been lost. */
const STALE_AFTER_MS = 30_000;

/** Sets or removes `typing/{roomId}/{uid}`. */
export async function setTyping(db: Database, uid: string, isTyping: boolean) {
  const typing = child(ref(db, TYPING_PATH), uid);
  if (!isTyping) {
    const removed = remove(typing);
    // Not before, in case the connection is lost between the two. Not awaited: then it never settles.
    onDisconnect(typing)
      .cancel()
      .catch(() => {});
    return removed;
  }
  // Sent together, so that a later removal comes after both.
  await Promise.all([onDisconnect(typing).remove(), set(typing, true)]);
}

/**
 * Subscribes to the other users who are typing, and returns the function that unsubscribes. Leaves out users who are not
 * here, and those who have been typing for more than 30 s.
 *
 * @param now the clock of this device
 */
export function subscribeToTyping(
  db: Database,
  uid: string,
  onChange: (people: Person[]) => void,
  now: () => number,
): () => void {
  const users = new Map<string, { person: Person | null; unsubscribe: () => void }>();

  function notify() {
    onChange([...users.values()].flatMap(({ person }) => person ?? []));
  }

  function add(typingUid: string) {
    const entry: { person: Person | null; unsubscribe: () => void } = {
      person: null,
      unsubscribe: () => {},
    };
    users.set(typingUid, entry);
    const unsubscribePerson = subscribeToPerson(
      db,
      typingUid,
      (person) => {
        entry.person = person;
        notify();
      },
      now,
    );
    const timer = setTimeout(() => {
      unsubscribePerson();
      entry.person = null;
      notify();
    }, STALE_AFTER_MS);
    entry.unsubscribe = () => {
      unsubscribePerson();
      clearTimeout(timer);
    };
  }

  function removeUser(typingUid: string) {
    users.get(typingUid)?.unsubscribe();
    users.delete(typingUid);
  }

  const unsubscribeTyping = onValue(
    ref(db, TYPING_PATH),
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
