import { randomUUID } from "node:crypto";

import { readFirebaseJson } from "#emulator/firebase-json.ts";
import { startFirebase as launchFirebase } from "#emulator/firebase.ts";
import type { FirebaseHosts } from "#emulator/hosts.ts";
import { LOCAL_API_KEY, LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import { forgetMails } from "./mail.ts";

export interface NewAccount {
  /** @default a fresh address */
  email?: string;
  /** @default "correct horse" */
  password?: string;
  displayName?: string;
  photoUrl?: string;
  disabled?: boolean;
  /** Whether the account looks after the room. @default false */
  isOperator?: boolean;
}

export interface TestAccount {
  localId: string;
  email: string;
  password: string;
  displayName: string;
  idToken: string;
  refreshToken: string;
}

export interface TestFirebase extends AsyncDisposable {
  /** The hosts for the app's environment. */
  hosts: FirebaseHosts;
  projectId: string;
  apiKey: string;
  addAccount(account?: NewAccount): Promise<TestAccount>;
  /** Deletes or disables an account, or revokes its tokens, as an administrator. */
  endAccount(account: TestAccount, how: "deleted" | "disabled" | "revoked"): Promise<void>;
  /** Deletes every account, document and database value. */
  clear(): Promise<void>;
}

/** Whether Firestore is Google's emulator. emulator/README.md says how it differs. */
export const isGoogleFirestore = Boolean(process.env.TEST_FIRESTORE_HOST);

/** The process of the Auth and Firestore servers. It takes longer to start than most tests take. */
interface Servers extends AsyncDisposable {
  hosts: FirebaseHosts;
  projectId: string;
}

/** Servers for the next tests. The one that has been idle for longest comes first. */
const idle: Servers[] = [];
let isReused = false;
/** How many running Firebases tests have. */
let running = 0;

/** From now on, a new Firebase uses the servers of a disposed one, if there are any, and clears them first. */
export function reuseServers(): void {
  isReused = true;
}

/** Stops the servers that no test uses. */
export async function stopIdleServers(): Promise<void> {
  await Promise.all(idle.splice(0).map((servers) => servers[Symbol.asyncDispose]()));
}

/**
 * Starts an empty local Firebase on free ports with the repository's rules files. Every test uses its own:
 * `await using firebase = await startFirebase()`.
 *
 * With `TEST_FIRESTORE_HOST` or `TEST_AUTH_HOST`, tests use the servers at these addresses instead, and clear them when
 * they start; a test that starts several shares the data among them. `npm run test:google` sets both. One of them alone,
 * for example: `gcloud emulators firestore start --host-port=127.0.0.1:8085 --rules=firestore.rules`, then
 * `TEST_FIRESTORE_HOST=127.0.0.1:8085 npx vitest run tests/rules`.
 */
export async function startFirebase(): Promise<TestFirebase> {
  const servers = await acquireServers();
  const { FIREBASE_AUTH_EMULATOR_HOST, FIRESTORE_EMULATOR_HOST } = servers.hosts;
  const firebase = await launch({ FIREBASE_AUTH_EMULATOR_HOST, FIRESTORE_EMULATOR_HOST });
  running += 1;
  return toTestFirebase(firebase, async () => {
    running -= 1;
    await firebase[Symbol.asyncDispose]();
    if (isReused) idle.push(servers);
    else await servers[Symbol.asyncDispose]();
  });
}

/** Starts a local Firebase with the data in a folder. Disposing of it saves the data there. */
export async function startSavedFirebase(dataFolder: string): Promise<TestFirebase> {
  const firebase = await launch({}, dataFolder);
  return toTestFirebase(firebase, () => firebase[Symbol.asyncDispose]());
}

function toTestFirebase(
  { hosts, projectId }: Pick<Servers, "hosts" | "projectId">,
  dispose: () => PromiseLike<void>,
): TestFirebase {
  return {
    hosts,
    projectId,
    apiKey: LOCAL_API_KEY,
    addAccount: (account) => addAccount(hosts.FIREBASE_AUTH_EMULATOR_HOST, account),
    endAccount: (account, how) => endAccount(hosts.FIREBASE_AUTH_EMULATOR_HOST, account, how),
    clear: () => clearFirebase(hosts),
    [Symbol.asyncDispose]: dispose,
  };
}

async function acquireServers(): Promise<Servers> {
  const { TEST_AUTH_HOST, TEST_FIRESTORE_HOST } = process.env;
  const reused = idle.shift();
  const servers =
    reused ??
    (await launch({
      ...(TEST_AUTH_HOST && { FIREBASE_AUTH_EMULATOR_HOST: TEST_AUTH_HOST }),
      ...(TEST_FIRESTORE_HOST && { FIRESTORE_EMULATOR_HOST: TEST_FIRESTORE_HOST }),
    }));
  const isShared = TEST_AUTH_HOST !== undefined || TEST_FIRESTORE_HOST !== undefined;
  if (isShared ? running === 0 : reused) await clearFirebase(servers.hosts);
  return servers;
}

async function launch(
  existingHosts: Partial<FirebaseHosts>,
  dataFolder?: string,
): Promise<Servers> {
  return await launchFirebase({
    ...(await readFirebaseJson("firebase.json")),
    ports: { auth: 0, firestore: 0, database: 0 },
    projectId: LOCAL_PROJECT_ID,
    existingHosts,
    dataFolder,
  });
}

/** Creates an account on the Auth server at `host:port`, and signs in. */
async function addAccount(host: string, account: NewAccount = {}): Promise<TestAccount> {
  const { email = `${randomUUID()}@example.com`, password = "correct horse" } = account;
  const person = await callAuth(host, "accounts:signUp", { email, password });
  const { displayName = "", photoUrl, disabled, isOperator = false } = account;
  const { localId: id = "" } = person;
  const update = `projects/${LOCAL_PROJECT_ID}/accounts:update`;
  if (displayName || photoUrl) {
    await callAuth(host, update, { localId: id, displayName, photoUrl });
  }
  if (isOperator) {
    const customAttributes = JSON.stringify({ operator: true });
    await callAuth(host, update, { localId: id, customAttributes });
  }
  // Signs in again, so that the ID token contains the name, the photo and the claim.
  const signedIn = await callAuth(host, "accounts:signInWithPassword", { email, password });
  const { localId = "", idToken = "", refreshToken = "" } = signedIn;
  const added = { localId, email, password, displayName, idToken, refreshToken };
  if (disabled === true) await endAccount(host, added, "disabled");
  return added;
}

async function endAccount(
  host: string,
  { localId }: TestAccount,
  how: "deleted" | "disabled" | "revoked",
): Promise<void> {
  const project = `projects/${LOCAL_PROJECT_ID}`;
  if (how === "deleted") await callAuth(host, `${project}/accounts:delete`, { localId });
  if (how === "disabled") {
    await callAuth(host, `${project}/accounts:update`, { localId, disableUser: true });
  }
  if (how === "revoked") {
    // In seconds, and later than every token issued so far.
    const validSince = String(Math.ceil(Date.now() / 1000) + 1);
    await callAuth(host, `${project}/accounts:update`, { localId, validSince });
  }
}

/** Deletes every account, document and database value on the hosts. */
async function clearFirebase(hosts: FirebaseHosts): Promise<void> {
  const auth = `http://${hosts.FIREBASE_AUTH_EMULATOR_HOST}/emulator/v1/projects/${LOCAL_PROJECT_ID}`;
  const firestore = `http://${hosts.FIRESTORE_EMULATOR_HOST}/emulator/v1/projects/${LOCAL_PROJECT_ID}`;
  const database = `http://${hosts.FIREBASE_DATABASE_EMULATOR_HOST}`;
  await Promise.all([
    send("DELETE", `${auth}/accounts`),
    send("DELETE", `${firestore}/databases/(default)/documents`),
    send("DELETE", `${database}/.json?ns=${LOCAL_PROJECT_ID}-default-rtdb`),
  ]);
  if (process.env.TEST_AUTH_HOST !== undefined) await forgetMails(hosts);
}

async function callAuth(host: string, method: string, body: object) {
  const url = `http://${host}/identitytoolkit.googleapis.com/v1/${method}?key=${LOCAL_API_KEY}`;
  const response = await send("POST", url, { returnSecureToken: true, ...body });
  // The Auth API responds to these methods with an object of strings.
  return (await response.json()) as Record<string, string | undefined>;
}

async function send(method: string, url: string, body?: object): Promise<Response> {
  const response = await fetch(url, {
    method,
    // The emulators accept this token as an administrator's: rules do not apply to it.
    headers: { Authorization: "Bearer owner", "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  if (!response.ok)
    throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return response;
}
