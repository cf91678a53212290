import { deleteApp, type FirebaseApp } from "firebase/app";
import {
  doc,
  memoryLocalCache,
  onSnapshot,
  setLogLevel,
  type DocumentData,
  type DocumentSnapshot,
} from "firebase/firestore";

import { getFirebaseApp } from "./app.client.ts";
import type { FirebaseConfig } from "./config.ts";
import { createFirestore } from "./firestore.client.ts";
import { hideUnusableIndexedDB } from "./indexed-db.ts";
import { createAuth, signInWith, type FetchToken } from "./sign-in.client.ts";

const FIRST_RETRY_MS = 2000;
const MAX_RETRY_MS = 5 * 60_000;

/** A document that only one user may read. */
interface UserDocument {
  uid: string;
  path: string;
}

let count = 0;

/**
 * Subscribes to a document as its user, and returns a function that unsubscribes. Ends with the user's session. Errors
 * are not reported: it retries with a growing delay, and the next page load has the current data anyway.
 *
 * Each subscription has its own Firebase app. The room's app persists what it reads, where the next user of this browser
 * would find it, and may read through another tab that is not signed in.
 *
 * @param onData called with the document's data, first as it is now and then after each change
 */
export function subscribeToUserDocument(
  config: FirebaseConfig,
  { uid, path }: UserDocument,
  fetchToken: FetchToken,
  onData: (data: DocumentData) => void,
): () => void {
  let current: FirebaseApp | null = null;
  let retryMs = FIRST_RETRY_MS;
  let retry: ReturnType<typeof setTimeout> | undefined;
  // Without a network, the SDK would fill the console with warnings.
  setLogLevel("silent");

  async function open() {
    clearTimeout(retry);
    if (current || !navigator.onLine) return;
    const app = getFirebaseApp(config, `own-${(count += 1)}`);
    current = app;
    const isClosed = () => current !== app;

    function fail() {
      if (isClosed()) return;
      close();
      retry = setTimeout(() => void open(), retryMs);
      retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
    }

    function handleSnapshot(snapshot: DocumentSnapshot) {
      // The cache is older than the data of the page.
      if (isClosed() || snapshot.metadata.fromCache) return;
      retryMs = FIRST_RETRY_MS;
      const data = snapshot.data();
      if (data) onData(data);
    }

    try {
      await hideUnusableIndexedDB();
      const token = await fetchToken();
      if (isClosed()) return;
      if (token === null) return stop();
      await signInWith(createAuth(app, config), uid, token);
      if (isClosed()) return;
      const firestore = createFirestore(app, config, { localCache: memoryLocalCache() });
      onSnapshot(doc(firestore, path), { includeMetadataChanges: true }, handleSnapshot, fail);
    } catch {
      fail();
    }
  }

  function close() {
    clearTimeout(retry);
    if (current) void deleteApp(current).catch(() => {});
    current = null;
  }

  function resume() {
    retryMs = FIRST_RETRY_MS;
    void open();
  }

  function stop() {
    window.removeEventListener("online", resume);
    window.removeEventListener("offline", close);
    window.removeEventListener("pagehide", close);
    window.removeEventListener("pageshow", resume);
    close();
  }

  window.addEventListener("online", resume);
  window.addEventListener("offline", close);
  // An open connection would keep the page out of the back/forward cache.
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", resume);
  void open();
  return stop;
}
