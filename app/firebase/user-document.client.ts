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
import { createAuth, signInWith, type FetchToken } from "./sign-in.client.ts";

const FIRST_RETRY_MS = 2000;
const LONGEST_RETRY_MS = 5 * 60_000;

/** A document that is one person's alone. */
interface OwnDocument {
  uid: string;
  path: string;
}

let count = 0;

/**
 * Follows a document as the person whose it is, and returns how to stop. Ends with their session, and fails quietly:
 * what does not come live is there at the next look, and until then it is tried again.
 *
 * It has a Firebase app of its own. The room's keeps what it reads in the browser, for whoever comes next, and may read
 * through another tab, which need not be signed in.
 */
export function watchOwnDocument(
  config: FirebaseConfig,
  { uid, path }: OwnDocument,
  fetchToken: FetchToken,
  onData: (data: DocumentData) => void,
): () => void {
  let current: FirebaseApp | null = null;
  let retryMs = FIRST_RETRY_MS;
  let retry: ReturnType<typeof setTimeout> | undefined;
  // The library would complain aloud of a network that is away.
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
      retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
    }

    function tell(snapshot: DocumentSnapshot) {
      // What the memory alone knows is older than what the page came with.
      if (isClosed() || snapshot.metadata.fromCache) return;
      retryMs = FIRST_RETRY_MS;
      const data = snapshot.data();
      if (data) onData(data);
    }

    try {
      const token = await fetchToken();
      if (isClosed()) return;
      if (token === null) return stop();
      await signInWith(createAuth(app, config), uid, token);
      if (isClosed()) return;
      const firestore = createFirestore(app, config, { localCache: memoryLocalCache() });
      onSnapshot(doc(firestore, path), { includeMetadataChanges: true }, tell, fail);
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
  // A page kept for going back would keep its connection.
  window.addEventListener("pagehide", close);
  window.addEventListener("pageshow", resume);
  void open();
  return stop;
}
