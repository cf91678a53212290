import type { FirebaseApp } from "firebase/app";
import {
  connectDatabaseEmulator,
  forceWebSockets,
  getDatabase as getFirebaseDatabase,
  type Database,
} from "firebase/database";

import { getFirebaseApp } from "./app.client.ts";
import type { FirebaseConfig } from "./config.ts";

let database: Database | undefined;

/** Returns the Realtime Database of the main app, connecting on first use. */
export function getDatabase(config: FirebaseConfig): Database {
  return (database ??= connectDatabase(getFirebaseApp(config), config));
}

/** Connects an app to the Realtime Database. Call it only once per app. */
export function connectDatabase(app: FirebaseApp, { emulators }: FirebaseConfig): Database {
  // After a failed socket, the SDK would use long polling from then on, which loads scripts that our CSP forbids.
  forceWebSockets();
  const connected = getFirebaseDatabase(app);
  if (emulators.database) {
    const { hostname, port } = new URL(`http://${emulators.database}`);
    connectDatabaseEmulator(connected, hostname, Number(port));
  }
  return connected;
}
