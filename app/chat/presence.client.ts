import {
  child,
  onDisconnect,
  onValue,
  ref,
  remove,
  set,
  update,
  type Database,
} from "firebase/database";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import { toPicturePath } from "#app/http/picture-path.ts";
import { connectUser, type UserConnection } from "#app/session/user-connection.client.ts";
import { MAX_NAME_LENGTH, type User } from "#app/session/user.ts";
import { maintainRecord } from "#app/stories/readers/reader-record.client.ts";
import { getUncountedPath, ROOM_RECORD } from "#app/stories/readers/readers.ts";
import { truncate } from "#app/ui/truncate.ts";
import { ANONYMOUS } from "./message.ts";
import type { Mute } from "./moderation/mute.ts";
import { startOnline, type OnlineSession } from "./online-status.client.ts";
import { subscribeToPeople, subscribeToPerson } from "./people.client.ts";
import {
  getMutedPath,
  getUnseenPath,
  MAX_PHOTO_LENGTH,
  readMute,
  toUnseenValues,
  TYPING_PATH,
  type PeopleHere,
  type Person,
  type PublicProfile,
} from "./presence.ts";

/** Called with what a user sees in the room. */
export interface PresenceListeners {
  /** The users who are here, including this user; `null` while unknown. */
  onPeople(here: PeopleHere | null): void;
  /** The other users who are typing. */
  onTyping(people: Person[]): void;
  /** Whether the user is not shown to others; `null` while unknown. */
  onUnseen(isUnseen: boolean | null): void;
  /** Why and until when the user may not post; `null` if they may. */
  onMute(mute: Mute | null): void;
}

/** A user's presence in the room, until `end` is called. */
export interface Presence {
  /** Does nothing in the unseen mode. */
  setTyping(isTyping: boolean): void;
  setUnseen(isUnseen: boolean): void;
  /** Resolves once the database has removed the user's presence. */
  end(): Promise<void>;
}

/** A user who is in the room. */
export type PresentUser = Pick<User, "uid" | "displayName" | "photoURL">;

/**
 * Signs in to Firebase, shows the user as here, unless they are unseen, and subscribes to the others.
 *
 * @throws when the sign-in fails
 */
export async function startPresence(
  config: FirebaseConfig,
  user: PresentUser,
  listeners: PresenceListeners,
): Promise<Presence> {
  const { uid } = user;
  const now = () => Date.now();
  const controller = new AbortController();
  const connection = await connectUser(config, uid, controller.signal);
  if (!connection) throw new Error("The session is not this user's.");
  const db = connection.getDatabase();

  const tab = {};
  let online: OnlineSession | undefined;
  let isConnected = false;
  let isTyping = false;
  let unseenSaved: Promise<void> | undefined;

  const writeTyping = () => void setTyping(db, uid, isTyping).catch(() => {});

  const unsubscribes = [
    onValue(ref(db, ".info/connected"), (snapshot) => {
      isConnected = snapshot.val() === true;
    }),
    subscribeToUnseen(db, uid, (isUnseen) => {
      if (isUnseen === true) {
        online?.cancel();
        online = undefined;
      } else if (isUnseen === false && !online) {
        online = startOnline(db, uid, { getProfile: () => getProfile(connection, user), now, tab });
        if (isTyping) writeTyping();
      }
      listeners.onUnseen(isUnseen);
    }),
    subscribeToMute(db, uid, (mute) => listeners.onMute(mute)),
    subscribeToPeople(db, (here) => listeners.onPeople(here), now),
    subscribeToTyping(db, uid, (people) => listeners.onTyping(people), now),
  ];

  // Visitors see only a number, in which the user counts once, however many tabs they have open.
  const record = new AbortController();
  const settings = [getUnseenPath(uid), getUncountedPath(uid)];
  maintainRecord(connection, { uid, story: ROOM_RECORD, settings }, record.signal);

  return {
    setTyping(value) {
      isTyping = value;
      if (online) writeTyping();
    },

    setUnseen(isUnseen) {
      unseenSaved = setUnseen(db, uid, isUnseen).catch(() => {});
    },

    async end() {
      record.abort();
      for (const unsubscribe of unsubscribes) unsubscribe();
      const typingRemoved = online && isTyping ? setTyping(db, uid, false) : null;
      typingRemoved?.catch(() => {});
      // Before leaving the connection, because all of them write.
      await Promise.allSettled([isConnected && typingRemoved, unseenSaved, online?.end()]);
      controller.abort();
    },
  };
}

/** Returns the name and photo of the ID token, because the rules accept no others. */
export async function getProfile(
  { getClaims }: Pick<UserConnection, "getClaims">,
  { displayName, photoURL }: PresentUser,
): Promise<PublicProfile> {
  const { name: nameThen = null, picture: photoThen = null } = await getClaims();
  // The page may have signed in before the user changed their name or photo.
  const { name, picture } = await getClaims(
    nameThen !== displayName || toPhoto(photoThen) !== photoURL,
  );
  return {
    name: typeof name === "string" ? truncate(name, MAX_NAME_LENGTH) : ANONYMOUS,
    photo: toPhoto(picture) ?? undefined,
  };
}

/** Returns the address of a photo that the rules accept; an uploaded one is a path on this site. */
function toPhoto(picture: unknown): string | null {
  if (typeof picture !== "string" || picture.length > MAX_PHOTO_LENGTH) return null;
  return toPicturePath(picture) ?? (picture.startsWith("https://") ? picture : null);
}

/** Subscribes to the user's own mute, and returns the function that unsubscribes. `null`: none, or it cannot be read. */
function subscribeToMute(
  db: Database,
  uid: string,
  onChange: (mute: Mute | null) => void,
): () => void {
  return onValue(
    ref(db, getMutedPath(uid)),
    (snapshot) => onChange(readMute(snapshot.val())),
    () => onChange(null),
  );
}

/**
 * Subscribes to the user's unseen mode, and returns the function that unsubscribes. `null`: the account is deleted, or the
 * setting cannot be read.
 */
export function subscribeToUnseen(
  db: Database,
  uid: string,
  onChange: (isUnseen: boolean | null) => void,
): () => void {
  let wasSet = false;
  return onValue(
    ref(db, getUnseenPath(uid)),
    (snapshot) => {
      // Only the deletion of the account removes the setting.
      if (snapshot.exists()) wasSet = true;
      onChange(wasSet && !snapshot.exists() ? null : snapshot.val() === true);
    },
    () => onChange(null),
  );
}

export async function setUnseen(db: Database, uid: string, isUnseen: boolean): Promise<void> {
  await update(ref(db), toUnseenValues(uid, isUnseen));
}

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
