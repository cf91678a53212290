import { initializeApp, type FirebaseApp } from "firebase/app";
import { connectFirestoreEmulator, getFirestore, type Firestore } from "firebase/firestore";

import type { FirebaseConfig } from "./config.ts";

/** Returns the Firebase app with that name, by default the main one. Creates it on first use. */
export function getFirebaseApp(
  { apiKey, projectId, appId, databaseURL }: FirebaseConfig,
  name?: string,
): FirebaseApp {
  // With the same arguments, `initializeApp` returns the existing app.
  return initializeApp({ apiKey, projectId, appId, databaseURL }, name);
}

/** Creates the Firestore of an app, which stores nothing on the device. Call it only once per app. */
export function createFirestore(app: FirebaseApp, { emulators }: FirebaseConfig): Firestore {
  const firestore = getFirestore(app);
  if (emulators.firestore) {
    const { hostname, port } = new URL(`http://${emulators.firestore}`);
    connectFirestoreEmulator(firestore, hostname, Number(port));
  }
  return firestore;
}

/** Empty: it only shows whether databases can be opened. */
const DATABASE = "inkglade-check";

const TIMEOUT_MS = 3000;

let checked: Promise<void> | undefined;

/**
 * Hides IndexedDB from this page's scripts if it cannot be used: browsers may deny it, and Safari sometimes never
 * responds. The Firebase SDK would fail, or wait forever, although it works without IndexedDB. Call it before the SDK.
 */
export function hideUnusableIndexedDB(): Promise<void> {
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
