import { readFile } from "node:fs/promises";

import { startDatabase, type DatabaseServer } from "./database/server.ts";
import { findFireemu, startFireemu, type Fireemu } from "./fireemu.ts";
import type { FirebaseSettings } from "./firebase-json.ts";
import type { FirebaseHosts } from "./hosts.ts";
import { LaunchError } from "./launch-error.ts";
import { LOOPBACK, requireFreePort } from "./ports.ts";

export interface FirebaseOptions extends FirebaseSettings {
  projectId: string;
  /** Servers that run already: they are used as they are, and not started. */
  given?: Partial<FirebaseHosts>;
  /** Called with sentences for the person at the terminal, such as a link that production would have mailed. */
  say?: (sentence: string) => void;
}

/** A running local Firebase. Disposing of it stops every server it started. */
export interface LocalFirebase extends AsyncDisposable {
  projectId: string;
  hosts: FirebaseHosts;
  /** Resolves with the reason when a server ends without being asked to. */
  died: Promise<LaunchError>;
}

/**
 * Starts the Auth, Firestore and Realtime Database servers on loopback. Resolves when every one of them answers.
 *
 * @throws LaunchError when a port is in use, a rules file is wrong, or no program can play the servers here
 */
export async function startFirebase(options: FirebaseOptions): Promise<LocalFirebase> {
  const { given = {} } = options;
  await requireFreePorts(options);

  const [fireemu, database] = await Promise.all([
    startAuthAndFirestore(options),
    given.FIREBASE_DATABASE_EMULATOR_HOST === undefined
      ? startRealtimeDatabase(options)
      : undefined,
  ]);

  return {
    projectId: options.projectId,
    hosts: {
      FIREBASE_AUTH_EMULATOR_HOST: given.FIREBASE_AUTH_EMULATOR_HOST ?? fireemu?.authHost ?? "",
      FIRESTORE_EMULATOR_HOST: given.FIRESTORE_EMULATOR_HOST ?? fireemu?.firestoreHost ?? "",
      FIREBASE_DATABASE_EMULATOR_HOST:
        given.FIREBASE_DATABASE_EMULATOR_HOST ?? `${LOOPBACK}:${database?.port ?? 0}`,
    },
    died: new Promise((resolve) => {
      void fireemu?.exited.then((reason) =>
        resolve(new LaunchError(`The Auth and Firestore servers stopped: ${reason}.`)),
      );
    }),
    async [Symbol.asyncDispose]() {
      await Promise.all([fireemu?.stop(), database?.close()]);
    },
  };
}

async function startAuthAndFirestore(options: FirebaseOptions): Promise<Fireemu | undefined> {
  const { given = {}, ports, rules } = options;
  const authPort = given.FIREBASE_AUTH_EMULATOR_HOST === undefined ? ports.auth : undefined;
  const firestorePort = given.FIRESTORE_EMULATOR_HOST === undefined ? ports.firestore : undefined;
  if (authPort === undefined && firestorePort === undefined) return undefined;

  const command = await findFireemu();
  if (command === undefined) {
    throw new LaunchError(
      `No Firebase Auth and Firestore server for ${process.platform}-${process.arch} was found.`,
    );
  }
  return await startFireemu({
    command,
    projectId: options.projectId,
    authPort,
    firestorePort,
    rulesPath: rules.firestore,
    indexesPath: rules.firestoreIndexes,
    canExport: false,
    onActionLink: options.say,
  });
}

async function startRealtimeDatabase({ ports, rules }: FirebaseOptions): Promise<DatabaseServer> {
  const text = await readFile(rules.database, "utf8").catch(() => {
    throw new LaunchError(`${rules.database} is missing or cannot be read.`);
  });
  try {
    return await startDatabase({ host: LOOPBACK, port: ports.database, rules: text });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new LaunchError(`${rules.database}: ${reason}`, { cause: error });
  }
}

async function requireFreePorts({ given = {}, ports }: FirebaseOptions): Promise<void> {
  if (given.FIREBASE_AUTH_EMULATOR_HOST === undefined) {
    await requireFreePort(ports.auth, "the Auth server", adviceFor("auth"));
  }
  if (given.FIRESTORE_EMULATOR_HOST === undefined) {
    await requireFreePort(ports.firestore, "the Firestore server", adviceFor("firestore"));
  }
  if (given.FIREBASE_DATABASE_EMULATOR_HOST === undefined) {
    await requireFreePort(ports.database, "the Realtime Database", adviceFor("database"));
  }
}

function adviceFor(server: string): string {
  return `Stop what uses it, or change emulators.${server}.port in firebase.json.`;
}
