import type { FirebaseApp } from "firebase/app";
import {
  connectDatabaseEmulator,
  forceWebSockets,
  getDatabase,
  type Database,
} from "firebase/database";

import type { FirebaseConfig } from "./config.ts";

/** Connects an app to the Realtime Database. Call it only once per app. */
export function connectDatabase(app: FirebaseApp, { emulators }: FirebaseConfig): Database {
  // After a failed socket, the SDK would use long polling from then on, which loads scripts that our CSP forbids.
  forceWebSockets();
  const database = getDatabase(app);
  if (emulators.database) {
    const { hostname, port } = new URL(`http://${emulators.database}`);
    connectDatabaseEmulator(database, hostname, Number(port));
  }
  return database;
}
