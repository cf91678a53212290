import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";

import * as z from "zod";

import { LaunchError } from "./launch-error.ts";

const loopbackSchema = z.enum(["127.0.0.1", "localhost"], {
  error: "must be 127.0.0.1: the local Firebase is not for other machines",
});

const portSchema = z.int().min(1).max(65_535);

function createEmulatorSchema(defaultPort: number) {
  const port = portSchema.default(defaultPort);
  return z.object({ host: loopbackSchema.optional(), port }).prefault({});
}

/** The fields of `firebase.json` that local servers need, with Firebase's default ports. */
const firebaseJsonSchema = z.object({
  firestore: z.object({ rules: z.string(), indexes: z.string() }),
  database: z.object({ rules: z.string() }),
  emulators: z
    .object({
      auth: createEmulatorSchema(9099),
      firestore: createEmulatorSchema(8080),
      database: createEmulatorSchema(9000),
      ui: z
        .object({
          enabled: z.boolean().default(true),
          host: loopbackSchema.optional(),
          port: portSchema.default(4000),
        })
        .prefault({}),
    })
    .prefault({}),
});

/** The ports and rules files of the local servers. */
export interface FirebaseSettings {
  ports: { auth: number; firestore: number; database: number };
  /** Absolute paths. */
  rules: { firestore: string; firestoreIndexes: string; database: string };
}

export interface FirebaseJson extends FirebaseSettings {
  /** The port of the pages that show the data. `undefined` when there are to be none. */
  uiPort: number | undefined;
}

/**
 * Reads `firebase.json`.
 *
 * @throws LaunchError naming the field that is wrong
 */
export async function readFirebaseJson(path: string): Promise<FirebaseJson> {
  const parsed = firebaseJsonSchema.safeParse(await readJson(path));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new LaunchError(`${path}: ${issue?.path.join(".")}: ${issue?.message}.`);
  }
  const { firestore, database, emulators } = parsed.data;
  const folder = dirname(resolve(path));
  return {
    ports: {
      auth: emulators.auth.port,
      firestore: emulators.firestore.port,
      database: emulators.database.port,
    },
    uiPort: emulators.ui.enabled ? emulators.ui.port : undefined,
    rules: {
      firestore: resolve(folder, firestore.rules),
      firestoreIndexes: resolve(folder, firestore.indexes),
      database: resolve(folder, database.rules),
    },
  };
}

/**
 * Reads a JSON file.
 *
 * @throws LaunchError when the file is missing or is not JSON
 */
export async function readJson(path: string): Promise<unknown> {
  let text;
  try {
    text = await readFile(path, "utf8");
  } catch {
    throw new LaunchError(`${path} is missing or cannot be read.`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new LaunchError(
      `${path} is not valid JSON: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
}
