import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, readdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

import type * as z from "zod";

import { authSessionsSchema, type AuthRecorder, type AuthSessions } from "./auth-recorder.ts";
import { lockFile, type Lock } from "./database/lock.ts";
import { hasFile } from "./find-program.ts";
import { readJson } from "./firebase-json.ts";
import { LaunchError, SavedDataError } from "./launch-error.ts";

const WRITABLE_BY_OTHERS = 0o022;
const DATABASE_FILE = "database.jsonl";

/** The data of an earlier run. */
export interface SavedData {
  /** An export of accounts and documents in Firebase's own format. */
  folder: string;
  sessions: AuthSessions;
}

/** The running servers whose data is saved. */
export interface DataSource {
  exportTo(folder: string): Promise<void>;
  auth: AuthRecorder;
}

/**
 * Returns the folder to save data in: `.firebase` in the checkout or, when other users can write there or the user cannot, a
 * folder in the user's state folder. `undefined` when neither is private, because the Auth server writes passwords to private
 * folders only.
 */
export async function chooseDataFolder(checkout: string): Promise<string | undefined> {
  const root = resolve(checkout);
  const stateHome = process.env.XDG_STATE_HOME || join(homedir(), ".local/state");
  const name = `${basename(root)}-${createHash("sha256").update(root).digest("hex").slice(0, 8)}`;
  for (const folder of [join(root, ".firebase"), join(stateHome, "firebase", name)]) {
    if (await isPrivate(folder)) return folder;
  }
  return undefined;
}

/**
 * Locks the folder, by its database file, so that two processes do not overwrite each other's data. `undefined` when another
 * process holds the lock.
 */
export async function lockData(dataFolder: string): Promise<Lock | undefined> {
  return await lockFile(await prepareDatabaseFile(dataFolder));
}

/**
 * Reads the data of an earlier run. `undefined` when there is none.
 *
 * @throws SavedDataError
 */
export async function readData(dataFolder: string): Promise<SavedData | undefined> {
  const folder = await findData(dataFolder);
  if (folder === undefined) return undefined;
  return {
    folder,
    sessions: await readFileOf(authSessionsSchema, join(folder, "sessions.json")),
  };
}

async function readFileOf<Value>(schema: z.ZodType<Value>, path: string): Promise<Value> {
  try {
    return schema.parse(await readJson(path));
  } catch (error) {
    const reason = error instanceof LaunchError ? error.message : `${path} has another format.`;
    throw new SavedDataError(reason, { cause: error });
  }
}

/** Renames the data of an earlier run, so that the next run starts without it. Returns the new path. */
export async function setDataAside(dataFolder: string, now: Date): Promise<string> {
  const folder = await findData(dataFolder);
  const path = join(dataFolder, `unreadable-${now.toISOString().replaceAll(/[:.]/g, "-")}`);
  if (folder === undefined) await mkdir(path, { mode: 0o700 });
  else await rename(folder, path);
  const database = join(dataFolder, DATABASE_FILE);
  if (await hasPath(database)) await rename(database, join(path, DATABASE_FILE));
  return path;
}

/** Returns the file in which the Realtime Database keeps its data. */
export async function prepareDatabaseFile(dataFolder: string): Promise<string> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  return join(dataFolder, DATABASE_FILE);
}

async function findData(dataFolder: string): Promise<string | undefined> {
  // Only `previous` exists when the machine stopped between the two renames of a save.
  for (const folder of [join(dataFolder, "current"), join(dataFolder, "previous")]) {
    if (await hasPath(folder)) return folder;
  }
  return undefined;
}

/** Replaces the saved data. A crash in the middle leaves the data of the last save. */
export async function saveData(dataFolder: string, data: DataSource): Promise<void> {
  const next = join(dataFolder, "next");
  const current = join(dataFolder, "current");
  const previous = join(dataFolder, "previous");
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  await removeUnfinished(dataFolder);

  await data.exportTo(next);
  const accounts = join(next, "auth_export/accounts.json");
  await writePrivateFile(accounts, data.auth.completeAccounts(await readFile(accounts, "utf8")));
  await writePrivateFile(join(next, "sessions.json"), JSON.stringify(data.auth.exportSessions()));

  // Without `current`, a save was killed between its renames, and `previous` is the only data.
  if (await hasPath(current)) {
    await rm(previous, { recursive: true, force: true });
    await rename(current, previous);
  }
  await rename(next, current);
  await rm(previous, { recursive: true, force: true });
}

/** Removes what a save has left that was killed. fireemu writes to a folder `.next.…` before it renames it. */
async function removeUnfinished(dataFolder: string): Promise<void> {
  const names = (await readdir(dataFolder)).filter((name) => /^\.?next\b/.test(name));
  await Promise.all(names.map((name) => rm(join(dataFolder, name), { recursive: true })));
}

async function writePrivateFile(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600 });
}

/**
 * Whether the user can write to the folder, and no other user but root to it or its ancestors. The folder may not exist yet.
 */
async function isPrivate(folder: string): Promise<boolean> {
  const userId = process.getuid?.();
  if (userId === undefined) return true; // Windows has no numeric owners.
  let path = folder;
  while (!(await hasPath(path))) path = dirname(path);
  path = await realpath(path);
  if (!(await hasFile(path, constants.W_OK))) return false;
  for (;;) {
    const { mode, uid } = await stat(path);
    if ((mode & WRITABLE_BY_OTHERS) !== 0 || (uid !== 0 && uid !== userId)) return false;
    if (path === dirname(path)) return true;
    path = dirname(path);
  }
}

async function hasPath(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
