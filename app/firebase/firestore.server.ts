import { createFirestoreClient, type FirestoreClient } from "firebase-rest-firestore";

import type { Env } from "#app/env.server.ts";
import { requirePath } from "./document-path.server.ts";

/**
 * Returns a Firestore client that acts as the owner of `idToken`, or as a visitor without one, so that
 * `firestore.rules` judge whatever it does. Make one per request.
 *
 * The library only knows service accounts and emulators without any header, and puts paths into addresses as they are.
 * The one method through which its requests get their headers is replaced, and those that take a path are guarded;
 * nothing else in the app knows.
 */
export function createFirestoreAs(env: Env, idToken: string | null): FirestoreClient {
  const emulator = env.FIRESTORE_EMULATOR_HOST && new URL(`http://${env.FIRESTORE_EMULATOR_HOST}`);
  const client = createFirestoreClient({
    projectId: env.FIREBASE_PROJECT_ID,
    // The library insists on a service account, whose token is then never asked for.
    clientEmail: "unused",
    privateKey: "unused",
    ...(emulator && {
      useEmulator: true,
      emulatorHost: emulator.hostname,
      emulatorPort: Number(emulator.port),
    }),
  });

  const headers = {
    "Content-Type": "application/json",
    ...(idToken && { Authorization: `Bearer ${idToken}` }),
  };
  const get = client.get.bind(client);
  const query = client.query.bind(client);
  const createWithId = client.createWithId.bind(client);
  const guarded: Pick<FirestoreClient, "get" | "query" | "createWithId"> = {
    get: async (collection, id) => get(...requireDocument(collection, id)),
    query: async (collection, ...more) => query(requirePath(collection), ...more),
    createWithId: async (collection, id, data) =>
      createWithId(...requireDocument(collection, id), data),
  };
  Object.assign(client, { prepareHeaders: () => Promise.resolve(headers), ...guarded });
  return client;
}

function requireDocument(collection: string, id: string): [string, string] {
  requirePath(`${collection}/${id}`);
  return [collection, id];
}
