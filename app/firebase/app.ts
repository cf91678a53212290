import { getApps, initializeApp, type FirebaseApp } from "firebase/app";

import type { FirebaseConfig } from "#app/schemas/firebase-config.ts";

/** Returns the browser's one Firebase app, making it on first use. */
export function getFirebaseApp({
  apiKey,
  projectId,
  appId,
  databaseURL,
}: FirebaseConfig): FirebaseApp {
  return getApps()[0] ?? initializeApp({ apiKey, projectId, appId, databaseURL });
}
