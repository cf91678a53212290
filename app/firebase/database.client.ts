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

  // Long polling is tried for ever once a socket has failed, and loads scripts that our policy forbids.
  forceWebSockets();
  database = getFirebaseDatabase(getFirebaseApp(config));
  if (config.emulators.database) {
    const { hostname, port } = new URL(`http://${config.emulators.database}`);
    connectDatabaseEmulator(database, hostname, Number(port));
  }
  return database;
}
