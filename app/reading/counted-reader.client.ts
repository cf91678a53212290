import { deleteApp } from "firebase/app";

import { getUnseenPath } from "#app/chat/presence.ts";
import { getFirebaseApp } from "#app/firebase/app.client.ts";
import type { FirebaseConfig } from "#app/firebase/config.ts";
import { connectDatabase } from "#app/firebase/database.client.ts";
import { maintainConnection } from "#app/firebase/maintain-connection.client.ts";
import { hideUnusableIndexedDB } from "#app/firebase/indexed-db.ts";
import { createAuth, signInWith } from "#app/firebase/sign-in.client.ts";
import { retry } from "#app/http/retry.ts";
import { fetchToken } from "#app/session/fetch-token.ts";
import { maintainRecord } from "#app/stories/readers/reader-record.client.ts";
import { getUncountedPath } from "#app/stories/readers/readers.ts";

let count = 0;

/**
 * Counts a user among those who have a story open, until the returned function is called or the connection is lost. A
 * user counts once per story, however many tabs they have, and not while they are unseen or have chosen not to count.
 *
 * Has its own Firebase app, because the room signs its app out when it is closed. Errors are not reported.
 */
export function startCountedReader(
  config: FirebaseConfig,
  { uid, story }: { uid: string; story: string },
): () => void {
  const app = getFirebaseApp(config, `reader-${(count += 1)}`);
  const controller = new AbortController();
  const { signal } = controller;

  async function start() {
    await hideUnusableIndexedDB();
    const token = await retry(fetchToken, signal);
    if (signal.aborted || token === null) return;
    await signInWith(createAuth(app, config), uid, token);
    if (signal.aborted) return;
    const db = connectDatabase(app, config);
    const settings = [getUnseenPath(uid), getUncountedPath(uid)];
    maintainRecord(db, { uid, story, settings }, signal);
    const connection = maintainConnection(db);
    signal.addEventListener("abort", () => connection.end());
    // An open connection would keep the page out of the back/forward cache.
    addEventListener("pagehide", () => connection.pause(), { signal });
    addEventListener("pageshow", ({ persisted }) => persisted && connection.resume(), { signal });
  }

  // A user who cannot be signed in is not counted.
  void start().catch(() => undefined);
  return () => {
    controller.abort();
    // The database removes the record of a connection that ends.
    void deleteApp(app).catch(() => undefined);
  };
}
