import type { FirebaseApp } from "firebase/app";
import {
  connectFirestoreEmulator,
  initializeFirestore,
  type Firestore,
  type FirestoreSettings,
} from "firebase/firestore";

import type { FirebaseConfig } from "./config.ts";

/** Creates the Firestore of an app. Call it only once per app. */
export function createFirestore(
  app: FirebaseApp,
  { emulators }: FirebaseConfig,
  settings: FirestoreSettings,
): Firestore {
  const firestore = initializeFirestore(app, settings);
  if (emulators.firestore) {
    const { hostname, port } = new URL(`http://${emulators.firestore}`);
    connectFirestoreEmulator(firestore, hostname, Number(port));
  }
  return firestore;
}
