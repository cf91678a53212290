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
 * Signs an app in with a custom token. Called again, it replaces the sign-in.
 *
 * The sign-in is kept in memory only. Only the session cookie survives a reload, so the two cannot disagree.
 */
export async function signInToApp(
  app: FirebaseApp,
  { emulators }: FirebaseConfig,
  token: string,
): Promise<Auth> {
  await hideUnusableIndexedDB();
  // Without a pop-up resolver: the server signs users in, and the resolver loads third-party scripts.
  const auth = initializeAuth(app, { persistence: inMemoryPersistence });
  if (emulators.auth) {
    connectAuthEmulator(auth, `http://${emulators.auth}`, { disableWarnings: true });
  }
  await setPersistence(auth, inMemoryPersistence);
  await signInWithCustomToken(auth, token);
  return auth;
}

/** Empty: it only shows whether databases can be opened. */
const DATABASE = "inkglade-check";

const TIMEOUT_MS = 3000;

let checked: Promise<void> | undefined;

/**
 * Hides IndexedDB from this page's scripts if it cannot be used: browsers may deny it, and Safari sometimes never
 * responds. The Firebase SDK would fail, or wait forever, although it works without IndexedDB.
 */
function hideUnusableIndexedDB(): Promise<void> {
  return (checked ??= check());
}

async function check(): Promise<void> {
  try {
    await openDatabase();
  } catch {
    Object.defineProperty(globalThis, "indexedDB", {
      value: undefined,
      configurable: true,
      writable: true,
    });
  }
}

/** @throws when the database does not open in time */
function openDatabase(): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE);
    setTimeout(() => reject(new Error("IndexedDB does not respond.")), TIMEOUT_MS);
    request.addEventListener("success", () => {
      request.result.close();
      resolve();
    });
    request.addEventListener("error", () => reject(new Error("The database does not open.")));
  });
}
