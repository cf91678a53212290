import { randomUUID } from "node:crypto";

import { deleteApp, initializeApp } from "firebase/app";
import { connectDatabaseEmulator, getDatabase, goOffline } from "firebase/database";
import type { Database } from "firebase/database";

import { startDatabase } from "#emulator/database/server.ts";
import type { DatabaseServer, DatabaseServerOptions } from "#emulator/database/server.ts";

/** The namespace that the SDK derives from the project of the clients below. */
export const NAMESPACE = "demo-test-default-rtdb";

/** Rules for tests that are not about rules. */
export const OPEN_RULES = '{"rules": {".read": true, ".write": true}}';

/** Starts a server on a free port, open to all unless rules are given; dispose of it at the end of the test. */
export function startTestDatabase(
  options: Partial<DatabaseServerOptions> = {},
): Promise<DatabaseServer> {
  return startDatabase({
    rules: OPEN_RULES,
    onError: (error) => {
      throw error;
    },
    ...options,
  });
}

/** A Firebase app of its own, connected by the official SDK. */
export interface TestClient extends AsyncDisposable {
  readonly db: Database;
}

/** Connects as the person, as an administrator (`owner`), or as nobody. */
export function connectClient(server: DatabaseServer, uid?: string): TestClient {
  const app = initializeApp({ projectId: "demo-test", appId: "1:1:web:1" }, randomUUID());
  const db = getDatabase(app);
  connectDatabaseEmulator(
    db,
    server.host,
    server.port,
    uid === undefined ? {} : { mockUserToken: uid === "owner" ? "owner" : { sub: uid } },
  );
  return {
    db,
    async [Symbol.asyncDispose]() {
      goOffline(db);
      await deleteApp(app);
    },
  };
}

/** Sends a REST request to the test namespace, as an administrator unless told otherwise. */
export function sendRest(
  server: DatabaseServer,
  path: string,
  init: RequestInit = {},
): Promise<Response> {
  const url = new URL(path, `http://${server.host}:${server.port}`);
  url.searchParams.set("ns", NAMESPACE);
  return fetch(url, { headers: { Authorization: "Bearer owner" }, ...init });
}
