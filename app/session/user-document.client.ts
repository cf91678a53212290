import { doc, onSnapshot, type DocumentData } from "firebase/firestore";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import { retry } from "#app/http/wait.ts";
import { connectUser } from "./user-connection.client.ts";

/** A document that only one user may read. */
interface UserDocument {
  uid: string;
  path: string;
}

/**
 * Subscribes to a document as its user, until the signal is aborted or the user's session ends. Errors are not reported:
 * it retries with a growing delay, and the next page load has the current data anyway.
 *
 * @param onData called with the document's data, first as it is now and then after each change
 */
export function subscribeToUserDocument(
  config: FirebaseConfig,
  { uid, path }: UserDocument,
  onData: (data: DocumentData) => void,
  signal: AbortSignal,
): void {
  /** Resolves when the session has ended, and rejects when the subscription fails. */
  async function subscribe(): Promise<void> {
    const failure = new AbortController();
    const connection = await connectUser(config, uid, AbortSignal.any([signal, failure.signal]));
    if (!connection) return;
    await new Promise<never>((_, reject) => {
      const unsubscribe = onSnapshot(
        doc(connection.getFirestore(), path),
        { includeMetadataChanges: true },
        (snapshot) => {
          const data = snapshot.data();
          // The cache is older than the data of the page.
          if (data && !snapshot.metadata.fromCache) onData(data);
        },
        (error) => {
          // The session may have ended.
          connection.discard();
          failure.abort();
          reject(error);
        },
      );
      signal.addEventListener("abort", unsubscribe);
    });
  }

  void retry(subscribe, signal).catch(() => undefined);
}
