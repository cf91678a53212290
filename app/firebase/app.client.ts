import { initializeApp, type FirebaseApp } from "firebase/app";

import type { FirebaseConfig } from "./config.ts";

/** Returns the Firebase app of that name, or the browser's main one, making it on first use. */
export function getFirebaseApp(
  { apiKey, projectId, appId, databaseURL }: FirebaseConfig,
  name?: string,
): FirebaseApp {
  // It returns the one that is there already.
  return initializeApp({ apiKey, projectId, appId, databaseURL }, name);
}
