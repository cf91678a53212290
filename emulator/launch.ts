import { readFile } from "node:fs/promises";

import { startAuthFront } from "./auth-front.ts";
import { AuthMemory } from "./auth-memory.ts";
import { readData, saveData, type SavedData } from "./data.ts";
import { startDatabase, type DatabaseServer } from "./database/server.ts";
import { findFireemu, startFireemu, type Fireemu } from "./fireemu.ts";
import type { FirebaseSettings } from "./firebase-json.ts";
import { startGoogle } from "./google/server.ts";
import type { FirebaseHosts } from "./hosts.ts";
import { explain, LaunchError } from "./launch-error.ts";
import { findFreePort, isFreePort, LOOPBACK, requireFreePort } from "./ports.ts";

const SAVE_INTERVAL_MS = 30_000;

export interface FirebaseOptions extends FirebaseSettings {
  projectId: string;
  /** Servers that run already: they are used as they are, and not started. Nothing is kept then. */
  given?: Partial<FirebaseHosts>;
  /** Whether a server whose port is taken starts on a free one, and says so. @default false: nothing starts */
  isMovable?: boolean;
  /** Folder that keeps the data between runs. Absent: they are forgotten at the end. */
  dataFolder?: string;
  /** Returns the address of the app's page for links from mails, as the Firebase console has it. Absent: they lead to the Auth server. */
  actionUrl?: () => string | undefined;
  /** Called with sentences for the person at the terminal, such as a link that production would have mailed. */
  say?: (sentence: string) => void;
}

/** A running local Firebase. Disposing of it saves the data, where they are kept, and stops every server it started. */
export interface LocalFirebase extends AsyncDisposable {
  projectId: string;
  hosts: FirebaseHosts;
  /** Whether it started with nothing in it: without data of an earlier run, and without servers that ran already. */
  isNew: boolean;
  /** Resolves with the reason when a server ends without being asked to. */
  died: Promise<LaunchError>;
}

/**
 * Starts the Auth, Firestore and Realtime Database servers and the stand-in for Google on loopback. Resolves when every one of them answers.
 *
 * @throws LaunchError when a port is in use, a rules file is wrong, or no program can play the servers here
 */
export async function startFirebase(options: FirebaseOptions): Promise<LocalFirebase> {
  const ports = await choosePorts(options);
  const { dataFolder } = options;
  const saved = dataFolder === undefined ? undefined : await readData(dataFolder);
  const running = new Running();
  try {
    return await startServers({ ...options, ports }, saved, running);
  } catch (error) {
    await running.stop();
    throw error;
  }
}

/** What to undo at the end, the last done first. */
class Running {
  readonly #stops: (() => Promise<unknown>)[] = [];

  onStop(stop: () => Promise<unknown>): void {
    this.#stops.push(stop);
  }

  async stop(): Promise<void> {
    for (let stop = this.#stops.pop(); stop !== undefined; stop = this.#stops.pop()) await stop();
  }
}

async function startServers(
  options: FirebaseOptions,
  saved: SavedData | undefined,
  running: Running,
): Promise<LocalFirebase> {
  const { given = {}, ports, projectId, dataFolder, say = () => {} } = options;
  const hosts = { ...given };

  const fireemu = await startAuthAndFirestore(options, saved);
  if (fireemu !== undefined) {
    running.onStop(() => fireemu.stop());
    hosts.FIREBASE_AUTH_EMULATOR_HOST ??= fireemu.authHost;
    hosts.FIRESTORE_EMULATOR_HOST ??= fireemu.firestoreHost;
  }

  const database =
    given.FIREBASE_DATABASE_EMULATOR_HOST === undefined
      ? await startRealtimeDatabase(options, saved)
      : undefined;
  hosts.FIREBASE_DATABASE_EMULATOR_HOST ??= `${LOOPBACK}:${database?.port}`;

  if (dataFolder !== undefined && fireemu?.authHost !== undefined && database !== undefined) {
    const auth = new AuthMemory(saved?.sessions);
    const front = { port: ports.auth, target: fireemu.authHost, projectId, memory: auth };
    const server = await startAuthFront(front);
    running.onStop(() => server.close());
    hosts.FIREBASE_AUTH_EMULATOR_HOST = `${LOOPBACK}:${server.port}`;

    const exportTo = (folder: string) => fireemu.exportTo(folder);
    const live = { exportTo, database: () => database.export(), auth };
    const saving = saveRegularly(() => saveData(dataFolder, live), say);
    running.onStop(() => saving.stop());
  }
  // On any port: only the app, which is told, leads there.
  const google = await startGoogle();
  running.onStop(() => google.close());
  hosts.GOOGLE_EMULATOR_HOST = `${LOOPBACK}:${google.port}`;

  // Before the last save: whoever is connected goes offline, and that is what is saved.
  if (database !== undefined) running.onStop(() => database.close());

  return {
    projectId,
    hosts: requireAll(hosts),
    isNew: saved === undefined && Object.keys(given).length === 0,
    died: new Promise((resolve) => {
      void fireemu?.exited.then((reason) => {
        resolve(new LaunchError(`The Auth and Firestore servers stopped: ${reason}.`));
      });
    }),
    [Symbol.asyncDispose]: () => running.stop(),
  };
}

function requireAll(hosts: Partial<FirebaseHosts>): FirebaseHosts {
  const { FIREBASE_AUTH_EMULATOR_HOST, FIRESTORE_EMULATOR_HOST } = hosts;
  const { FIREBASE_DATABASE_EMULATOR_HOST, GOOGLE_EMULATOR_HOST } = hosts;
  if (
    !FIREBASE_AUTH_EMULATOR_HOST ||
    !FIRESTORE_EMULATOR_HOST ||
    !FIREBASE_DATABASE_EMULATOR_HOST ||
    !GOOGLE_EMULATOR_HOST
  ) {
    throw new Error("Expected every server to say where it listens");
  }
  return {
    FIREBASE_AUTH_EMULATOR_HOST,
    FIRESTORE_EMULATOR_HOST,
    FIREBASE_DATABASE_EMULATOR_HOST,
    GOOGLE_EMULATOR_HOST,
  };
}

/** Saves every thirty seconds, and once more at the end. Two saves never overlap. */
function saveRegularly(save: () => Promise<void>, say: (sentence: string) => void) {
  let last = Promise.resolve();
  function saveNext(): Promise<void> {
    last = last.then(save).catch((error: unknown) => say(explain(error)));
    return last;
  }
  const timer = setInterval(saveNext, SAVE_INTERVAL_MS);
  return {
    stop() {
      clearInterval(timer);
      return saveNext();
    },
  };
}

async function startAuthAndFirestore(
  options: FirebaseOptions,
  saved: SavedData | undefined,
): Promise<Fireemu | undefined> {
  const { given = {}, ports, rules, dataFolder, projectId, say } = options;
  // Where data are kept, another server stands before Auth, and has its port.
  const ownPort = dataFolder === undefined ? ports.auth : 0;
  const authPort = given.FIREBASE_AUTH_EMULATOR_HOST === undefined ? ownPort : undefined;
  const firestorePort = given.FIRESTORE_EMULATOR_HOST === undefined ? ports.firestore : undefined;
  if (authPort === undefined && firestorePort === undefined) return undefined;

  return await startFireemu({
    command: await requireFireemu(),
    projectId,
    authPort,
    firestorePort,
    rulesPath: rules.firestore,
    indexesPath: rules.firestoreIndexes,
    importFrom: saved?.folder,
    canExport: dataFolder !== undefined,
    onActionLink: say && ((sentence) => say(pointTo(options.actionUrl?.(), sentence))),
  });
}

/** Returns a sentence about a link to the Auth server as one about a link to the app. */
function pointTo(actionUrl: string | undefined, sentence: string): string {
  if (actionUrl === undefined) return sentence;
  return sentence.replace(/http:\S+\/emulator\/action\?(\S+)/, (_link, query: string) => {
    const params = new URLSearchParams(query);
    params.delete("newPassword"); // A hint of the Auth server's own page.
    return `${actionUrl}?${params}`;
  });
}

async function requireFireemu(): Promise<readonly string[]> {
  const command = await findFireemu();
  if (command !== undefined) return command;
  throw new LaunchError(
    `No program for the Auth and Firestore servers was found for ${process.platform}-${process.arch}. ` +
      "Put fireemu on the PATH (https://github.com/t-k/fireemu), or start Google's emulators and name them in " +
      "FIREBASE_AUTH_EMULATOR_HOST and FIRESTORE_EMULATOR_HOST.",
  );
}

async function startRealtimeDatabase(
  { ports, rules }: FirebaseOptions,
  saved: SavedData | undefined,
): Promise<DatabaseServer> {
  const text = await readFile(rules.database, "utf8").catch(() => {
    throw new LaunchError(`${rules.database} is missing or cannot be read.`);
  });
  try {
    const database = await startDatabase({ host: LOOPBACK, port: ports.database, rules: text });
    try {
      if (saved !== undefined) database.import(saved.database);
      return database;
    } catch (error) {
      await database.close();
      throw error;
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `The Realtime Database did not start: ${rules.database}: ${reason}.`;
    throw new LaunchError(message, { cause: error });
  }
}

const SERVERS = {
  auth: { title: "the Auth server", variable: "FIREBASE_AUTH_EMULATOR_HOST" },
  firestore: { title: "the Firestore server", variable: "FIRESTORE_EMULATOR_HOST" },
  database: { title: "the Realtime Database", variable: "FIREBASE_DATABASE_EMULATOR_HOST" },
} as const;

/**
 * Returns where the servers are to listen: where the settings say or, if they may move, elsewhere.
 *
 * @throws LaunchError when a port is in use that they may not leave
 */
async function choosePorts(options: FirebaseOptions): Promise<FirebaseSettings["ports"]> {
  const { given = {}, isMovable = false, say = () => {} } = options;
  const ports = { ...options.ports };
  for (const server of ["auth", "firestore", "database"] as const) {
    const { title, variable } = SERVERS[server];
    const port = ports[server];
    if (given[variable] !== undefined) continue;
    if (!isMovable) {
      const advice = `Stop what uses it, or change emulators.${server}.port in firebase.json.`;
      await requireFreePort(port, title, advice);
    } else if (!(await isFreePort(port))) {
      ports[server] = await findFreePort();
      say(`Port ${port} is already in use, so ${title} is at ${LOOPBACK}:${ports[server]}.`);
    }
  }
  return ports;
}
