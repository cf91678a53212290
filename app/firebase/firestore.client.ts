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
