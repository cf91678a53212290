import { goOffline, goOnline } from "firebase/database";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import { getDatabase } from "#app/firebase/database.client.ts";
import { signInAs, signOutOfFirebase, type FetchToken } from "#app/firebase/sign-in.client.ts";
import { ROOM_ID } from "./message.ts";
import { setOnline } from "./online-status.client.ts";
import { setTyping, subscribeToTyping } from "./typing.client.ts";

/** A user's presence in the room, until `end` is called. */
export interface Presence {
  setTyping(isTyping: boolean): void;
  /** Resolves once the database has `offline` and the browser is signed out of Firebase. */
  end(): Promise<void>;
}

/**
 * Signs in to Firebase as `uid`, sets the user online and subscribes to who is typing.
 *
 * @throws when the sign-in fails
 */
export async function startPresence(
  config: FirebaseConfig,
  uid: string,
  fetchToken: FetchToken,
  onTyping: (uids: string[]) => void,
): Promise<Presence> {
  await signInAs(config, uid, fetchToken);
  const db = getDatabase(config);
  goOnline(db);

  const setOffline = setOnline(db, uid);
  const unsubscribeTyping = subscribeToTyping(db, ROOM_ID, uid, onTyping);

  // A page in the back/forward cache keeps its socket, and its user would stay online.
  const pause = () => goOffline(db);
  const resume = ({ persisted }: PageTransitionEvent) => void (persisted && goOnline(db));
  window.addEventListener("pagehide", pause);
  window.addEventListener("pageshow", resume);

  return {
    setTyping: (isTyping) => void setTyping(db, ROOM_ID, uid, isTyping).catch(() => {}),

    async end() {
      window.removeEventListener("pagehide", pause);
      window.removeEventListener("pageshow", resume);
      unsubscribeTyping();
      // Both need the sign-in.
      await Promise.allSettled([setTyping(db, ROOM_ID, uid, false), setOffline()]);
      goOffline(db);
      await signOutOfFirebase();
    },
  };
}
