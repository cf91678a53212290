import { onValue, ref } from "firebase/database";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import { getDatabase } from "#app/firebase/database.client.ts";
import { maintainConnection } from "#app/firebase/maintain-connection.client.ts";
import {
  getTokenClaims,
  isTokenFor,
  signInAs,
  signOutOfFirebase,
  type FetchToken,
} from "#app/firebase/sign-in.client.ts";
import { MAX_NAME_LENGTH } from "#app/session/user.ts";
import { maintainRecord } from "#app/stories/readers/reader-record.client.ts";
import { ROOM_RECORD, getUncountedPath } from "#app/stories/readers/readers.ts";
import { ANONYMOUS } from "./message.ts";
import { truncate } from "#app/ui/truncate.ts";
import { startOnline, type OnlineSession } from "./online-status.client.ts";
import { subscribeToPeople } from "./people.client.ts";
import {
  getUnseenPath,
  MAX_PHOTO_LENGTH,
  type PeopleHere,
  type Person,
  type PublicProfile,
} from "./presence.ts";
import { ROOM_ID } from "./room-address.ts";
import { setTyping, subscribeToTyping } from "./typing.client.ts";
import { setUnseen, subscribeToUnseen } from "./unseen.client.ts";

/** Called with what a user sees in the room. */
export interface PresenceListeners {
  /** The users who are here, including this user; `null` while unknown. */
  onPeople(here: PeopleHere | null): void;
  /** The other users who are typing. */
  onTyping(people: Person[]): void;
  /** Whether the user is not shown to others; `null` while unknown. */
  onUnseen(isUnseen: boolean | null): void;
}

/** A user's presence in the room, until `end` is called. */
export interface Presence {
  /** Does nothing in the unseen mode. */
  setTyping(isTyping: boolean): void;
  setUnseen(isUnseen: boolean): void;
  /** Resolves once the database has removed the user's presence and the browser is signed out of Firebase. */
  end(): Promise<void>;
}

/**
 * Signs in to Firebase as `uid`, shows the user as here, unless they are unseen, and subscribes to the others.
 *
 * @throws when the sign-in fails
 */
export async function startPresence(
  config: FirebaseConfig,
  uid: string,
  fetchToken: FetchToken,
  listeners: PresenceListeners,
  now = () => Date.now(),
): Promise<Presence> {
  await signInAs(config, uid, fetchToken);
  const db = getDatabase(config);
  const connection = maintainConnection(db);

  let online: OnlineSession | undefined;
  let isConnected = false;
  let isTyping = false;
  let isHidden = false;

  const writeTyping = () => void setTyping(db, ROOM_ID, uid, isTyping).catch(() => {});

  const unsubscribes = [
    onValue(ref(db, ".info/connected"), (snapshot) => {
      isConnected = snapshot.val() === true;
    }),
    subscribeToUnseen(db, uid, (isUnseen) => {
      if (isUnseen === true) {
        online?.cancel();
        online = undefined;
      } else if (isUnseen === false && !online) {
        online = startOnline(db, uid, { getProfile, now });
        if (isTyping) writeTyping();
      }
      listeners.onUnseen(isUnseen);
    }),
    subscribeToPeople(db, (here) => listeners.onPeople(here), now),
    subscribeToTyping(db, ROOM_ID, uid, (people) => listeners.onTyping(people), now),
  ];

  // Visitors see only a number, in which the user counts once, however many tabs they have open.
  const record = new AbortController();
  const settings = [getUnseenPath(uid), getUncountedPath(uid)];
  maintainRecord(db, { uid, story: ROOM_RECORD, settings }, record.signal);

  // A page in the back/forward cache keeps its socket, and its user would stay online.
  function pause() {
    isHidden = true;
    connection.pause();
  }

  async function resume({ persisted }: PageTransitionEvent) {
    if (!persisted) return;
    isHidden = false;
    // Another user may have signed in meanwhile. Without a response there is no connection either.
    const isStillUser = await fetchToken().then(
      (token) => isTokenFor(token, uid),
      () => true,
    );
    if (isStillUser && !isHidden) connection.resume();
  }

  const onPageShow = (event: PageTransitionEvent) => void resume(event);
  window.addEventListener("pagehide", pause);
  window.addEventListener("pageshow", onPageShow);

  return {
    setTyping(value) {
      isTyping = value;
      if (online) writeTyping();
    },

    setUnseen: (isUnseen) => void setUnseen(db, uid, isUnseen).catch(() => {}),

    async end() {
      isHidden = true;
      record.abort();
      window.removeEventListener("pagehide", pause);
      window.removeEventListener("pageshow", onPageShow);
      for (const unsubscribe of unsubscribes) unsubscribe();
      // Before signing out, because both writes need the sign-in.
      await Promise.allSettled([
        online && isTyping && isConnected ? setTyping(db, ROOM_ID, uid, false) : null,
        online?.end(),
      ]);
      connection.end();
      await signOutOfFirebase();
    },
  };
}

/** Returns the name and photo of the ID token, because the rules accept no others. */
async function getProfile(): Promise<PublicProfile> {
  const { name, picture } = await getTokenClaims();
  const isPhoto =
    typeof picture === "string" &&
    picture.startsWith("https://") &&
    picture.length <= MAX_PHOTO_LENGTH;
  return {
    name: typeof name === "string" ? truncate(name, MAX_NAME_LENGTH) : ANONYMOUS,
    photo: isPhoto ? picture : undefined,
  };
}
