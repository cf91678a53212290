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

import { getFirebaseApp } from "./app.client.ts";
import type { FirebaseConfig } from "./config.ts";
import { hideUnusableIndexedDB } from "./indexed-db.ts";

/** Fetches a custom token for the user of the session cookie: `{ uid, token }`, or `null` when nobody is signed in. */
export type FetchToken = () => Promise<unknown>;

let auth: Auth | undefined;

/**
 * Signs the browser in to Firebase as `uid`, replacing any other user.
 *
 * The sign-in is kept in memory only. Only the session cookie survives a reload, so the two cannot disagree.
 *
 * @throws when there is no token, or the session now belongs to another user
 */
export async function signInAs(config: FirebaseConfig, uid: string, fetchToken: FetchToken) {
  await hideUnusableIndexedDB();
  auth ??= createAuth(getFirebaseApp(config), config);
  await auth.authStateReady();
  if (auth.currentUser?.uid === uid) return;
  if (auth.currentUser) await signOut(auth);

  await signInWith(auth, uid, await fetchToken());
}

/**
 * Signs in as `uid` with the result of `FetchToken`.
 *
 * @throws when it contains no token, or another user's token
 */
export async function signInWith(auth: Auth, uid: string, fetched: unknown): Promise<void> {
  if (!isToken(fetched)) throw new Error("There is no token.");
  if (fetched.uid !== uid) throw new Error("The session now belongs to someone else.");
  await setPersistence(auth, inMemoryPersistence);
  await signInWithCustomToken(auth, fetched.token);
}

/** Whether a result of `FetchToken` is for that user. */
export function isTokenFor(fetched: unknown, uid: string): boolean {
  return isToken(fetched) && fetched.uid === uid;
}

/** Does not use Zod, which would add 24 KB. */
function isToken(fetched: unknown): fetched is { uid: string; token: string } {
  if (typeof fetched !== "object" || fetched === null) return false;
  const { uid, token }: { uid?: unknown; token?: unknown } = fetched;
  return typeof uid === "string" && typeof token === "string";
}

/**
 * Returns the claims of the current ID token, which is renewed first if it has expired.
 *
 * @throws when the browser is not signed in, or the token cannot be renewed
 */
export async function getTokenClaims(): Promise<Record<string, unknown>> {
  if (!auth?.currentUser) throw new Error("The browser is not signed in to Firebase.");
  return (await auth.currentUser.getIdTokenResult()).claims;
}

/** Signs the browser out of Firebase. Does nothing when it is not signed in. */
export async function signOutOfFirebase(): Promise<void> {
  if (auth?.currentUser) await signOut(auth);
}

/** Creates the `Auth` of an app. Call it only once per app, after `hideUnusableIndexedDB`. */
export function createAuth(app: FirebaseApp, { emulators }: FirebaseConfig): Auth {
  // Without a pop-up resolver: the server signs users in, and the resolver loads third-party scripts.
  const created = initializeAuth(app, { persistence: inMemoryPersistence });
  if (emulators.auth) {
    connectAuthEmulator(created, `http://${emulators.auth}`, { disableWarnings: true });
  }
  return created;
}
