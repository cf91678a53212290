import {
  connectDatabaseEmulator,
  forceWebSockets,
  getDatabase as getFirebaseDatabase,
  type Database,
} from "firebase/database";

import { getFirebaseApp } from "./app.client.ts";
import type { FirebaseConfig } from "./config.ts";

let database: Database | undefined;

/** Returns the Realtime Database, connecting on first use. */
export function getDatabase(config: FirebaseConfig): Database {
  if (database) return database;

  // After a failed socket, the SDK would use long polling for good, which loads scripts that our CSP forbids.
  forceWebSockets();
  database = getFirebaseDatabase(getFirebaseApp(config));
  if (config.emulators.database) {
    const { hostname, port } = new URL(`http://${config.emulators.database}`);
    connectDatabaseEmulator(database, hostname, Number(port));
  }
  return database;
}
