import { readFile } from "node:fs/promises";

import { startAuthProxy } from "./auth-proxy.ts";
import { AuthRecorder } from "./auth-recorder.ts";
import { prepareDatabaseFile, readData, saveData, setDataAside } from "./data-folder.ts";
import type { SavedData } from "./data-folder.ts";
import { JournalError } from "./database/journal.ts";
import type { Lock } from "./database/lock.ts";
import { startDatabase, type DatabaseServer } from "./database/server.ts";
import type { Engine } from "./engine.ts";
import type { FirebaseSettings } from "./firebase-json.ts";
import { startFirestoreProxy } from "./firestore-proxy.ts";
import { startGoogle } from "./google/server.ts";
import type { FirebaseHosts } from "./hosts.ts";
import { isDiskFull, LaunchError, SavedDataError } from "./launch-error.ts";
import { findFreePort, LOOPBACK, reservePort, takePort } from "./ports.ts";
import { saveAfterChanges } from "./saving.ts";
import { startEngine } from "./start-engine.ts";

export interface FirebaseOptions extends FirebaseSettings {
  projectId: string;
  /** Servers that are already running. They are used instead of new ones, and no data is saved then. */
  existingHosts?: Partial<FirebaseHosts>;
  /** The folder to save data in between runs. Without it, data is lost at the end. */
  dataFolder?: string;
  /** The lock of that folder, if the caller holds it. */
  lock?: Lock;
  /**
   * Returns the URL of the app's page for e-mailed links, the "action URL" in the Firebase console.
   *
   * @default the Auth server's page
   */
  actionUrl?: () => string | undefined;
  /** Called with messages for the terminal, such as a link that production would e-mail. */
  log?: (message: string) => void;
  /** Called with each link that production would e-mail, in a sentence. @default `log` */
  onMail?: (message: string) => void;
}

/** A running local Firebase. Disposing of it saves the data, if there is a folder for it, and stops its servers. */
export interface LocalFirebase extends AsyncDisposable {
  projectId: string;
  hosts: FirebaseHosts;
  /** What runs Auth and Firestore. `undefined` when both were already running. */
  engine?: Engine["name"];
  /** Whether it started without saved data. Servers that were already running may have data. */
  isNew: boolean;
  /** Resolves with the reason when a server stops unexpectedly. */
  died: Promise<LaunchError>;
}

/**
 * Starts the Auth, Firestore and Realtime Database servers and the stand-in for Google on loopback. Resolves when all of
 * them listen. A server whose port is in use starts on a free one, and data that cannot be read is set aside; both are logged.
 *
 * @throws LaunchError when a rules file is wrong, or no program for Auth and Firestore is available
 */
export async function startFirebase(options: FirebaseOptions): Promise<LocalFirebase> {
  const { ports, freePort } = await takePorts(options);
  const isAlone = Object.keys(options.existingHosts ?? {}).length === 0;
  const dataFolder = isAlone ? options.dataFolder : undefined;
  try {
    return await startWithData({ ...options, ports, freePort, dataFolder });
  } finally {
    // Those of servers that did not start.
    for (const server of SERVER_NAMES) await freePort(server);
  }
}

interface StartOptions extends FirebaseOptions {
  /** Frees a port directly before its server listens, so that no other process gets it meanwhile. */
  freePort: (server: keyof typeof SERVERS) => Promise<void>;
}

async function startWithData(options: StartOptions): Promise<LocalFirebase> {
  const { dataFolder, log = () => {} } = options;
  const cleanups = new CleanupStack();
  try {
    const saved = dataFolder === undefined ? undefined : await readData(dataFolder);
    return await startServers(options, saved, cleanups);
  } catch (error) {
    await cleanups[Symbol.asyncDispose]();
    if (!(error instanceof SavedDataError) || dataFolder === undefined) throw error;
    const path = await setDataAside(dataFolder, new Date());
    log(`The saved data cannot be read. It is now in ${path}: ${error.message}`);
    return await startWithData(options);
  }
}

/** Runs cleanup functions in reverse order, like `AsyncDisposableStack`, which Node.js 20 lacks. */
class CleanupStack implements AsyncDisposable {
  readonly #cleanups: (() => Promise<unknown>)[] = [];

  defer(cleanup: () => Promise<unknown>): void {
    this.#cleanups.push(cleanup);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const cleanup of this.#cleanups.splice(0).reverse()) await cleanup();
  }
}

async function startServers(
  options: StartOptions,
  saved: SavedData | undefined,
  cleanups: CleanupStack,
): Promise<LocalFirebase> {
  const { existingHosts = {}, ports, freePort, projectId, dataFolder, log = () => {} } = options;
  const hosts = { ...existingHosts };

  const engine = await startAuthAndFirestore(options, saved);
  if (engine !== undefined) {
    cleanups.defer(() => engine.stop());
    hosts.FIREBASE_AUTH_EMULATOR_HOST ??= engine.authHost;
    hosts.FIRESTORE_EMULATOR_HOST ??= engine.firestoreHost;
  }

  const database =
    existingHosts.FIREBASE_DATABASE_EMULATOR_HOST === undefined
      ? await startRealtimeDatabase(options)
      : undefined;
  hosts.FIREBASE_DATABASE_EMULATOR_HOST ??= `${LOOPBACK}:${database?.port}`;

  if (dataFolder !== undefined && engine?.authHost && engine.firestoreHost) {
    const recorder = new AuthRecorder(saved?.sessions);
    const source = { exportTo: (folder: string) => engine.exportTo(folder), auth: recorder };
    const save = async () => {
      if (options.lock?.isHeld() === false) {
        throw new LaunchError(`Another process now saves its data in ${dataFolder}.`);
      }
      await saveData(dataFolder, source);
    };
    const saving = saveAfterChanges(save, log);
    // After the proxies are closed, so that the last save contains every write.
    cleanups.defer(() => saving.stop());

    const onWrite = () => saving.noteChange();
    const target = engine.authHost;
    await freePort("auth");
    const auth = await startAuthProxy({ port: ports.auth, target, projectId, recorder, onWrite });
    cleanups.defer(() => auth.close());
    hosts.FIREBASE_AUTH_EMULATOR_HOST = `${LOOPBACK}:${auth.port}`;
    const firestorePort = Number(new URL(`http://${engine.firestoreHost}`).port);
    await freePort("firestore");
    const firestore = await startFirestoreProxy({
      port: ports.firestore,
      target: firestorePort,
      onWrite,
    });
    cleanups.defer(() => firestore.close());
    hosts.FIRESTORE_EMULATOR_HOST = `${LOOPBACK}:${firestore.port}`;
  }
  // Any free port works, because only the app links to it.
  const google = await startGoogle();
  cleanups.defer(() => google.close());
  hosts.GOOGLE_EMULATOR_HOST = `${LOOPBACK}:${google.port}`;

  if (database !== undefined) cleanups.defer(() => database.close());

  return {
    projectId,
    hosts: requireHosts(hosts),
    engine: engine?.name,
    isNew: saved === undefined,
    died: new Promise((resolve) => {
      void engine?.exited.then((reason) => {
        resolve(new LaunchError(`The Auth and Firestore servers stopped: ${reason}.`));
      });
    }),
    [Symbol.asyncDispose]: () => cleanups[Symbol.asyncDispose](),
  };
}

function requireHosts(hosts: Partial<FirebaseHosts>): FirebaseHosts {
  const { FIREBASE_AUTH_EMULATOR_HOST, FIRESTORE_EMULATOR_HOST } = hosts;
  const { FIREBASE_DATABASE_EMULATOR_HOST, GOOGLE_EMULATOR_HOST } = hosts;
  if (
    !FIREBASE_AUTH_EMULATOR_HOST ||
    !FIRESTORE_EMULATOR_HOST ||
    !FIREBASE_DATABASE_EMULATOR_HOST ||
    !GOOGLE_EMULATOR_HOST
  ) {
    throw new Error("The host of a server is missing");
  }
  return {
    FIREBASE_AUTH_EMULATOR_HOST,
    FIRESTORE_EMULATOR_HOST,
    FIREBASE_DATABASE_EMULATOR_HOST,
    GOOGLE_EMULATOR_HOST,
  };
}

async function startAuthAndFirestore(
  options: StartOptions,
  saved: SavedData | undefined,
): Promise<Engine | undefined> {
  const { existingHosts = {}, ports, rules, dataFolder, projectId, log = () => {} } = options;
  const { onMail = log } = options;
  // When data is saved, proxies listen on the ports.
  const { auth, firestore } = dataFolder === undefined ? ports : { auth: 0, firestore: 0 };
  const authPort = existingHosts.FIREBASE_AUTH_EMULATOR_HOST === undefined ? auth : undefined;
  const firestorePort = existingHosts.FIRESTORE_EMULATOR_HOST === undefined ? firestore : undefined;
  if (authPort === undefined && firestorePort === undefined) return undefined;
  if (authPort) await options.freePort("auth");
  if (firestorePort) await options.freePort("firestore");

  return await startEngine({
    projectId,
    authPort,
    firestorePort,
    rulesPath: rules.firestore,
    indexesPath: rules.firestoreIndexes,
    importFrom: saved?.folder,
    canExport: dataFolder !== undefined,
    log,
    onActionLink: (message) => onMail(replaceActionLink(options.actionUrl?.(), message)),
  });
}

/** Replaces the link to the Auth server in a message with a link to the app. */
function replaceActionLink(actionUrl: string | undefined, message: string): string {
  if (actionUrl === undefined) return message;
  return message.replace(/http:\S+\/emulator\/action\?(\S+)/, (_link, query: string) => {
    const params = new URLSearchParams(query);
    params.delete("newPassword"); // Only for the Auth server's own page.
    return `${actionUrl}?${params}`;
  });
}

async function startRealtimeDatabase({
  ports,
  freePort,
  rules,
  dataFolder,
  lock,
  log,
}: StartOptions): Promise<DatabaseServer> {
  const text = await readFile(rules.database, "utf8").catch(() => {
    throw new LaunchError(`${rules.database} is missing or cannot be read.`);
  });
  const file = dataFolder === undefined ? undefined : await prepareDatabaseFile(dataFolder);
  await freePort("database");
  return await startDatabase({
    host: LOOPBACK,
    port: ports.database,
    rules: text,
    file,
    lock,
    onWarning: log,
  }).catch((error: unknown) => {
    if (error instanceof JournalError) {
      throw new SavedDataError(`${file}: ${error.message}.`, { cause: error });
    }
    if (isDiskFull(error)) throw error;
    const message = `The Realtime Database did not start: ${rules.database}: ${toReason(error)}.`;
    throw new LaunchError(message, { cause: error });
  });
}

function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const SERVERS = {
  auth: { title: "the Auth server", variable: "FIREBASE_AUTH_EMULATOR_HOST" },
  firestore: { title: "the Firestore server", variable: "FIRESTORE_EMULATOR_HOST" },
  database: { title: "the Realtime Database", variable: "FIREBASE_DATABASE_EMULATOR_HOST" },
} as const;

const SERVER_NAMES = ["auth", "firestore", "database"] as const;

/** Takes the configured ports, or free ones in place of those in use. */
async function takePorts(
  options: FirebaseOptions,
): Promise<Pick<StartOptions, "ports" | "freePort">> {
  const { existingHosts = {}, log = () => {} } = options;
  const ports = { ...options.ports };
  const taken = new Map<string, () => Promise<void>>();
  for (const port of Object.values(ports)) reservePort(port);
  for (const server of SERVER_NAMES) {
    const { title, variable } = SERVERS[server];
    if (existingHosts[variable] !== undefined) continue;
    const port = ports[server];
    const take = () => takePort(ports[server], title, "Start again.");
    taken.set(
      server,
      await take().catch(async () => {
        ports[server] = await findFreePort();
        log(`Port ${port} is already in use, so ${title} is at ${LOOPBACK}:${ports[server]}.`);
        return await take();
      }),
    );
  }
  return { ports, freePort: async (server) => await taken.get(server)?.() };
}
