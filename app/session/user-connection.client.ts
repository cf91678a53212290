import { deleteApp } from "firebase/app";
import type { Auth, ParsedToken } from "firebase/auth";
import type { Database } from "firebase/database";
import {
  disableNetwork,
  doc,
  enableNetwork,
  onSnapshot,
  setLogLevel,
  type DocumentData,
  type Firestore,
} from "firebase/firestore";

import { signInToApp } from "#app/firebase/auth.client.ts";
import type { FirebaseConfig } from "#app/firebase/config.ts";
import {
  connectDatabase,
  maintainConnection,
  type MaintainedConnection,
} from "#app/firebase/database.client.ts";
import { createFirestore, getFirebaseApp } from "#app/firebase/firestore.client.ts";
import { requestJson } from "#app/http/fetch-json.ts";
import { retry } from "#app/http/wait.ts";

/** A page's connection to Firebase as its user. */
export interface UserConnection {
  /** Returns the Realtime Database, connecting on first use. */
  getDatabase: () => Database;
  /** Returns Firestore, connecting on first use. */
  getFirestore: () => Firestore;
  /**
   * Returns the claims of the ID token, which is renewed first if it has expired, or if `mustRenew`.
   *
   * @throws when the token cannot be renewed
   */
  getClaims: (mustRenew?: boolean) => Promise<ParsedToken>;
  /** Lets later callers of `connectUser` sign in again. Call it when the rules deny access: the session has ended. */
  discard: () => void;
}

interface SharedConnection {
  /** Whether another caller with this user can share the connection. */
  isFor: (uid: string) => boolean;
  join: (signal: AbortSignal) => Promise<UserConnection | null>;
}

/** A document that only one user may read. */
interface UserDocument {
  uid: string;
  path: string;
}

let shared: SharedConnection | undefined;
let count = 0;

/**
 * Signs in to Firebase as the user of the session. Everything in the page that acts as the user shares the sign-in and its
 * connections, until the signals of all callers are aborted. The room's messages do without it, because everybody may
 * read them.
 *
 * Returns `null` when nobody, or another user, is signed in.
 *
 * @throws when the sign-in fails, or the signal is aborted
 */
export async function connectUser(
  config: FirebaseConfig,
  uid: string,
  signal: AbortSignal,
): Promise<UserConnection | null> {
  signal.throwIfAborted();
  if (!shared?.isFor(uid)) shared = createConnection(config, uid);
  return shared.join(signal);
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

function createConnection(config: FirebaseConfig, ownUid: string): SharedConnection {
  const app = getFirebaseApp(config, `user-${(count += 1)}`);
  const controller = new AbortController();
  const { signal } = controller;
  let auth: Auth | undefined;
  let database: Database | undefined;
  let databaseConnection: MaintainedConnection | undefined;
  let firestore: Firestore | undefined;
  let members = 0;
  let isHidden = false;

  async function signIn(): Promise<boolean> {
    const fetched = await fetchToken();
    if (!isTokenFor(fetched, ownUid)) return false;
    auth = await signInToApp(app, config, fetched.token);
    return true;
  }

  function discard() {
    if (shared === self) shared = undefined;
  }

  function close() {
    if (signal.aborted) return;
    discard();
    controller.abort();
    databaseConnection?.end();
    void deleteApp(app).catch(ignore);
  }

  async function leave() {
    // The members' own listeners run first, and may still write.
    await Promise.resolve();
    members -= 1;
    if (members === 0) close();
  }

  function pause() {
    isHidden = true;
    databaseConnection?.pause();
    if (firestore) void disableNetwork(firestore).catch(ignore);
  }

  async function resume({ persisted }: PageTransitionEvent) {
    if (!persisted) return;
    isHidden = false;
    // Another user may have signed in meanwhile, or this one again, with a new session. Without a response, Firebase is
    // probably unreachable too.
    const isStillUser = await signIn().catch(() => true);
    if (isHidden || signal.aborted) return;
    if (!isStillUser) return discard();
    databaseConnection?.resume();
    if (firestore) void enableNetwork(firestore).catch(ignore);
  }

  // An open connection would keep the page out of the back/forward cache. In the cache, its user would stay online.
  window.addEventListener("pagehide", pause, { signal });
  window.addEventListener("pageshow", (event) => void resume(event), { signal });

  const connection: UserConnection = {
    getDatabase() {
      if (!database) {
        database = connectDatabase(app, config);
        databaseConnection = maintainConnection(database);
      }
      return database;
    },

    getFirestore() {
      // Without a network, the SDK would fill the console with warnings.
      setLogLevel("silent");
      return (firestore ??= createFirestore(app, config));
    },

    async getClaims(mustRenew) {
      if (!auth?.currentUser) throw new Error("The sign-in has ended.");
      return (await auth.currentUser.getIdTokenResult(mustRenew)).claims;
    },

    discard,
  };

  const signedIn = signIn();
  // The next caller tries again.
  void signedIn.then((isSignedIn) => isSignedIn || close(), close);

  const self: SharedConnection = {
    // The SDK signs out when Firebase no longer renews the token.
    isFor: (uid) => uid === ownUid && (!auth || auth.currentUser !== null),

    async join(memberSignal) {
      members += 1;
      memberSignal.addEventListener("abort", () => void leave());
      const isSignedIn = await signedIn;
      memberSignal.throwIfAborted();
      return isSignedIn ? connection : null;
    },
  };
  return self;
}

/**
 * Fetches the custom token that signs the browser in to Firebase as the session's user; `null` when signed out.
 *
 * @throws when the server cannot issue a token
 */
async function fetchToken(): Promise<unknown> {
  const loaded = await requestJson("/firebase-token", { method: "POST" });
  if (loaded.status !== "responded") throw new Error(`No token: ${loaded.status}`);
  const { response, body } = loaded;
  if (response.status === 401) return null;
  if (!response.ok) throw new Error(`No token: ${response.status}`);
  return body;
}

/** Does not use Zod, which would add 24 KB. */
function isTokenFor(fetched: unknown, ownUid: string): fetched is { token: string } {
  if (typeof fetched !== "object" || fetched === null) return false;
  const { uid, token }: { uid?: unknown; token?: unknown } = fetched;
  return uid === ownUid && typeof token === "string";
}

function ignore() {}
