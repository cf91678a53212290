import type { FirebaseApp } from "firebase/app";
import {
  connectAuthEmulator,
  initializeAuth,
  inMemoryPersistence,
  setPersistence,
  signInWithCustomToken,
  type Auth,
} from "firebase/auth";

import type { FirebaseConfig } from "./config.ts";

/**
 * Signs an app in with a custom token. Call it only once per app, after `hideUnusableIndexedDB`.
 *
 * The sign-in is kept in memory only. Only the session cookie survives a reload, so the two cannot disagree.
 */
export async function signInToApp(
  app: FirebaseApp,
  { emulators }: FirebaseConfig,
  token: string,
): Promise<Auth> {
  // Without a pop-up resolver: the server signs users in, and the resolver loads third-party scripts.
  const auth = initializeAuth(app, { persistence: inMemoryPersistence });
  if (emulators.auth) {
    connectAuthEmulator(auth, `http://${emulators.auth}`, { disableWarnings: true });
  }
  await setPersistence(auth, inMemoryPersistence);
  await signInWithCustomToken(auth, token);
  return auth;
}
