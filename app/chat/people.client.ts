import {
  limitToFirst,
  onValue,
  orderByKey,
  query,
  ref,
  type Database,
  type DataSnapshot,
} from "firebase/database";

import { isPhotoAddress } from "#app/http/picture-path.ts";
import { isVisible } from "#app/http/text.ts";
import { ANONYMOUS } from "./message.ts";
import {
  getConnectionsPath,
  RENEW_EVERY_MS,
  STALE_AFTER_MS,
  type Connection,
  type PeopleHere,
  type Person,
} from "./presence.ts";

/** At most this many users are read, so that a full room stays cheap to open. */
const MAX_PEOPLE = 500;

/** After this time without a connection, the list may be wrong and is not shown. */
const UNKNOWN_AFTER_MS = 5000;

/**
 * Subscribes to the users who are here, sorted by name, and returns the function that unsubscribes. The users are
 * `null` while unknown: before the first response, without a connection, and when the rules deny access.
 *
 * @param now the clock of this device, whose deviation from the database's is corrected
 */
export function subscribeToPeople(
  db: Database,
  onChange: (here: PeopleHere | null) => void,
  now: () => number,
): () => void {
  let snapshot: DataSnapshot | null = null;
  let offset = 0;
  let isKnown = false;
  let previous = "null";
  let unknownTimer: ReturnType<typeof setTimeout> | undefined;

  function notify() {
    const here = snapshot && isKnown ? readPeople(snapshot, now() + offset) : null;
    // Renewals change nothing that is shown.
    const text = JSON.stringify(here);
    if (text === previous) return;
    previous = text;
    onChange(here);
  }

  function setIsConnected(isConnected: boolean) {
    clearTimeout(unknownTimer);
    if (!isConnected) {
      unknownTimer = setTimeout(() => {
        isKnown = false;
        notify();
      }, UNKNOWN_AFTER_MS);
      return;
    }
    isKnown = true;
    notify();
  }

  const unsubscribes = [
    onValue(ref(db, ".info/connected"), (value) => setIsConnected(value.val() === true)),
    onValue(ref(db, ".info/serverTimeOffset"), (value) => {
      offset = Number(value.val());
      notify();
    }),
    onValue(
      query(ref(db, getConnectionsPath()), orderByKey(), limitToFirst(MAX_PEOPLE)),
      (value) => {
        snapshot = value;
        notify();
      },
      () => {
        snapshot = null;
        notify();
      },
    ),
  ];
  // Connections become stale even when the database reports no change.
  const timer = setInterval(notify, RENEW_EVERY_MS);
  return () => {
    for (const unsubscribe of unsubscribes) unsubscribe();
    clearInterval(timer);
    clearTimeout(unknownTimer);
  };
}

/** Subscribes to whether a user is here, and returns the function that unsubscribes. */
export function subscribeToPerson(
  db: Database,
  uid: string,
  onChange: (person: Person | null) => void,
  now: () => number,
): () => void {
  let offset = 0;
  const unsubscribeOffset = onValue(ref(db, ".info/serverTimeOffset"), (value) => {
    offset = Number(value.val());
  });
  const unsubscribe = onValue(
    ref(db, getConnectionsPath(uid)),
    (snapshot) => onChange(readPerson(snapshot, now() + offset)),
    () => onChange(null),
  );
  return () => {
    unsubscribeOffset();
    unsubscribe();
  };
}

function readPeople(snapshot: DataSnapshot, time: number): PeopleHere {
  const people: Person[] = [];
  snapshot.forEach((child) => {
    const person = readPerson(child, time);
    if (person) people.push(person);
  });
  people.sort(
    (a, b) => (a.name ?? ANONYMOUS).localeCompare(b.name ?? ANONYMOUS) || (a.uid < b.uid ? -1 : 1),
  );
  return { people, hasMore: snapshot.size >= MAX_PEOPLE };
}

/** Reads a user's connections. The name and the photo are those of the latest; `null` if none is recent. */
function readPerson(snapshot: DataSnapshot, time: number): Person | null {
  const connections: Connection[] = [];
  snapshot.forEach((child) => {
    const connection: unknown = child.val();
    if (isConnection(connection) && connection.time > time - STALE_AFTER_MS) {
      connections.push(connection);
    }
  });
  const [latest] = connections.toSorted((a, b) => b.time - a.time);
  if (!latest || snapshot.key === null) return null;
  const { name, photo = null } = latest;
  const isNamed = isVisible(name) && name !== ANONYMOUS;
  return { uid: snapshot.key, name: isNamed ? name : null, photoURL: photo };
}

/** Does not use Zod, which would add 24 KB. */
function isConnection(value: unknown): value is Connection {
  if (typeof value !== "object" || value === null) return false;
  const { name, photo, time }: { [key in keyof Connection]?: unknown } = value;
  return (
    typeof name === "string" &&
    typeof time === "number" &&
    (photo === undefined || isPhotoAddress(photo))
  );
}
