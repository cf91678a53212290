import { createHash } from "node:crypto";
import { mkdir, readFile, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

import * as z from "zod";

import { authSessionsSchema, type AuthMemory, type AuthSessions } from "./auth-memory.ts";
import { readJson } from "./firebase-json.ts";
import { isRunning } from "./temporary-folder.ts";

const WRITABLE_BY_OTHERS = 0o022;

const databaseSchema = z.record(z.string(), z.unknown());

/** What was there when the local Firebase stopped. */
export interface SavedData {
  /** An export of accounts and documents in Firebase's own format. */
  folder: string;
  /** Trees of the Realtime Database by namespace. */
  database: Record<string, unknown>;
  sessions: AuthSessions;
}

/** What is worth saving of a running local Firebase. */
export interface LiveData {
  exportTo(folder: string): Promise<void>;
  database(): Record<string, unknown>;
  auth: AuthMemory;
}

/**
 * Returns the folder to keep data in: `.firebase` in the checkout or, where others may write there, a folder in the
 * person's own state folder. `undefined` where neither is private: the Auth server does not write passwords there.
 */
export async function chooseDataFolder(checkout: string): Promise<string | undefined> {
  const root = resolve(checkout);
  const state = process.env.XDG_STATE_HOME || join(homedir(), ".local/state");
  const name = `${basename(root)}-${createHash("sha256").update(root).digest("hex").slice(0, 8)}`;
  for (const folder of [join(root, ".firebase"), join(state, "firebase", name)]) {
    if (await isPrivate(folder)) return folder;
  }
  return undefined;
}

/**
 * Reserves the folder for this process: two that save there would each undo what the other saves. Returns how to release
 * it, or `undefined` when another process has it.
 */
export async function lockData(dataFolder: string): Promise<(() => Promise<void>) | undefined> {
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const path = join(dataFolder, "lock");
  for (;;) {
    try {
      await writeFile(path, String(process.pid), { flag: "wx", mode: 0o600 });
      return () => rm(path, { force: true });
    } catch (error) {
      const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
      if (!isThere) throw error;
    }
    const owner = Number(await readFile(path, "utf8").catch(() => ""));
    if (owner > 0 && isRunning(owner)) return undefined;
    // Its process was killed before it could release it.
    await rm(path, { force: true });
  }
}

/** Reads what an earlier run left in the folder. `undefined` when there is nothing yet. */
export async function readData(dataFolder: string): Promise<SavedData | undefined> {
  // The older copy is there alone only when the machine stopped between the two renames of a save.
  for (const folder of [join(dataFolder, "current"), join(dataFolder, "previous")]) {
    if (!(await exists(folder))) continue;
    return {
      folder,
      database: databaseSchema.parse(await readJson(join(folder, "database.json"))),
      sessions: authSessionsSchema.parse(await readJson(join(folder, "sessions.json"))),
    };
  }
  return undefined;
}

/** Replaces what the folder holds, at once: a crash in the middle leaves the data of the last save. */
export async function saveData(dataFolder: string, data: LiveData): Promise<void> {
  const next = join(dataFolder, "next");
  const current = join(dataFolder, "current");
  const previous = join(dataFolder, "previous");
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  await rm(next, { recursive: true, force: true });

  await data.exportTo(next);
  const accounts = join(next, "auth_export/accounts.json");
  await writePrivately(accounts, data.auth.addPasswords(await readFile(accounts, "utf8")));
  await writePrivately(join(next, "sessions.json"), JSON.stringify(data.auth.exportSessions()));
  await writePrivately(join(next, "database.json"), JSON.stringify(data.database()));

  await rm(previous, { recursive: true, force: true });
  if (await exists(current)) await rename(current, previous);
  await rename(next, current);
  await rm(previous, { recursive: true, force: true });
}

async function writePrivately(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: 0o600 });
}

/** Whether nobody but the person and the system can rename what leads to the folder, which may not exist yet. */
async function isPrivate(folder: string): Promise<boolean> {
  const me = process.getuid?.();
  if (me === undefined) return true; // Windows has no such owners.
  let path = folder;
  while (!(await exists(path))) path = dirname(path);
  path = await realpath(path);
  for (;;) {
    const { mode, uid } = await stat(path);
    if ((mode & WRITABLE_BY_OTHERS) !== 0 || (uid !== 0 && uid !== me)) return false;
    if (path === dirname(path)) return true;
    path = dirname(path);
  }
}

async function exists(path: string): Promise<boolean> {
  return await stat(path).then(
    () => true,
    () => false,
  );
}
