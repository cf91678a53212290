import { initializeApp, type FirebaseApp } from "firebase/app";

import type { FirebaseConfig } from "./config.ts";

/** Returns the Firebase app with that name, by default the main one. Creates it on first use. */
export function getFirebaseApp(
  { apiKey, projectId, appId, databaseURL }: FirebaseConfig,
  name?: string,
): FirebaseApp {
  // With the same arguments, `initializeApp` returns the existing app.
  return initializeApp({ apiKey, projectId, appId, databaseURL }, name);
}
