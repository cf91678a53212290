import type { FirebaseApp } from "firebase/app";
import {
  connectAuthEmulator,
  initializeAuth,
  inMemoryPersistence,
  setPersistence,
  signInWithCustomToken,
  signOut,
  type Auth,
} from "firebase/auth";
import * as z from "zod";

import { getFirebaseApp } from "./app.client.ts";
import type { FirebaseConfig } from "./config.ts";

/** Fetches a custom token for the person of the session cookie: `{ uid, token }`, or `null` when nobody is signed in. */
export type FetchToken = () => Promise<unknown>;

const tokenSchema = z.object({ uid: z.string(), token: z.string() });

let auth: Auth | undefined;

/**
 * Signs the browser in to Firebase as `uid`, replacing anybody else it was signed in as.
 *
 * The sign-in lives in memory: the session cookie is what lasts, so there is never a second session
 * to disagree with it after a reload.
 *
 * @throws when no token can be had, or the cookie has come to be somebody else's
 */
export async function signInAs(config: FirebaseConfig, uid: string, fetchToken: FetchToken) {
  auth ??= createAuth(getFirebaseApp(config), config);
  await auth.authStateReady();
  if (auth.currentUser?.uid === uid) return;
  if (auth.currentUser) await signOut(auth);

  await signInWith(auth, uid, await fetchToken());
}

/**
 * Signs in as `uid` with a token that was fetched.
 *
 * @throws when it is none, or somebody else's
 */
export async function signInWith(auth: Auth, uid: string, fetched: unknown): Promise<void> {
  const answer = tokenSchema.parse(fetched);
  if (answer.uid !== uid) throw new Error("The session now belongs to someone else.");
  await setPersistence(auth, inMemoryPersistence);
  await signInWithCustomToken(auth, answer.token);
}

/** Signs the browser out of Firebase, if it is signed in. */
export async function signOutOfFirebase(): Promise<void> {
  if (auth?.currentUser) await signOut(auth);
}

/** Makes an app's sign-in. Once for each app. */
export function createAuth(app: FirebaseApp, { emulators }: FirebaseConfig): Auth {
  // Without a pop-up resolver: signing in is the server's work, and the resolver loads foreign scripts.
  const created = initializeAuth(app, { persistence: inMemoryPersistence });
  if (emulators.auth) {
    connectAuthEmulator(created, `http://${emulators.auth}`, { disableWarnings: true });
  }
  return created;
}
