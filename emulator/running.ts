import { createHash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import * as z from "zod";

import { isRunning } from "./temporary-folder.ts";

/** Only this machine's, because other users can write to the temporary folder. */
const hostSchema = z.string().regex(/^(?:127\.0\.0\.1|localhost|\[::1\]):\d+$/);

const recordSchema = z.object({
  pid: z.int(),
  hosts: z.object({
    FIREBASE_AUTH_EMULATOR_HOST: hostSchema,
    FIRESTORE_EMULATOR_HOST: hostSchema,
  }),
});

type RunningRecord = z.infer<typeof recordSchema>;
export type RunningHosts = RunningRecord["hosts"];

/**
 * Records where the servers of a checkout listen, since their ports may be taken by others. Returns a function that removes
 * the record.
 */
export async function recordRunning(
  checkout: string,
  { FIREBASE_AUTH_EMULATOR_HOST, FIRESTORE_EMULATOR_HOST }: RunningHosts,
): Promise<() => Promise<void>> {
  const path = getPath(checkout);
  const hosts = { FIREBASE_AUTH_EMULATOR_HOST, FIRESTORE_EMULATOR_HOST };
  const earlier = await read(path);
  await replace(path, { pid: process.pid, hosts });
  return async () => {
    // A second launcher of the checkout replaces the record, and restores it when it ends.
    if ((await read(path))?.pid === process.pid) await replace(path, earlier);
  };
}

/** Returns where the servers of a checkout listen, or `undefined` when none are running. */
export async function findRunning(checkout: string): Promise<RunningHosts | undefined> {
  const record = await read(getPath(checkout));
  return record && isRunning(record.pid) ? record.hosts : undefined;
}

/** In the temporary folder, because there may be no folder for data. */
function getPath(checkout: string): string {
  const name = `${process.getuid?.()}:${resolve(checkout)}`;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 16);
  return join(tmpdir(), `local-firebase-${hash}.json`);
}

async function replace(path: string, record: RunningRecord | undefined): Promise<void> {
  await rm(path, { force: true });
  if (record) await writeFile(path, JSON.stringify(record), { flag: "wx", mode: 0o600 });
}

async function read(path: string) {
  try {
    return recordSchema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return undefined; // No record, or one that was not completely written.
  }
}
