import { goOffline, goOnline } from "firebase/database";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import { getDatabase } from "#app/firebase/database.client.ts";
import { signInAs, signOutOfFirebase, type FetchToken } from "#app/firebase/sign-in.client.ts";
import { ROOM_ID } from "./message.ts";
import { announcePresence } from "./presence.client.ts";
import { setTyping, watchTyping } from "./typing.client.ts";

/** Being in the room with others. */
export interface Company {
  /** Tells the others whether this person types. */
  setTyping(isTyping: boolean): void;
  /** Stops being here. Resolves when the others can know. */
  leave(): Promise<void>;
}

/** Leaving takes a moment; whoever comes next waits for it, or the two would cross. */
let leaving: Promise<unknown> = Promise.resolve();

/**
 * Joins the room as `uid`: signs in to Firebase, announces presence and follows who types.
 *
 * @throws when the sign-in fails
 */
export async function joinCompany(
  config: FirebaseConfig,
  uid: string,
  fetchToken: FetchToken,
  onTypists: (uids: string[]) => void,
): Promise<Company> {
  await leaving;
  await signInAs(config, uid, fetchToken);
  const db = getDatabase(config);
  goOnline(db);

  const leavePresence = announcePresence(db, uid);
  const stopTyping = watchTyping(db, ROOM_ID, uid, onTypists);

  // A page kept for going back keeps its socket, and would keep somebody here who has left.
  const pause = () => goOffline(db);
  const resume = ({ persisted }: PageTransitionEvent) => void (persisted && goOnline(db));
  window.addEventListener("pagehide", pause);
  window.addEventListener("pageshow", resume);

  return {
    setTyping: (isTyping) => void setTyping(db, ROOM_ID, uid, isTyping).catch(() => {}),

    async leave() {
      window.removeEventListener("pagehide", pause);
      window.removeEventListener("pageshow", resume);
      stopTyping();
      leaving = Promise.allSettled([setTyping(db, ROOM_ID, uid, false), leavePresence()]);
      await leaving;
      goOffline(db);
    },
  };
}

/** Signs the browser out of Firebase, after whoever is leaving has left: rules want them signed in for that. */
export async function endCompany(): Promise<void> {
  await leaving;
  await signOutOfFirebase();
}
