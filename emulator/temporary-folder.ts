import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PREFIX = "inkglade";

/**
 * Makes a folder for as long as this process runs. Those of earlier processes that were killed before they could remove
 * them go first.
 */
export async function makeTemporaryFolder(kind: string): Promise<string> {
  await removeLeftOnes(kind);
  return await mkdtemp(join(tmpdir(), `${PREFIX}-${kind}-${process.pid}-`));
}

/** What runs in the folder may still be writing its last words. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Whether a process of that number runs, whoever's it is. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

async function removeLeftOnes(kind: string): Promise<void> {
  const pattern = new RegExp(`^${PREFIX}-${kind}-(\\d+)-`);
  for (const name of await readdir(tmpdir())) {
    const [, pid] = pattern.exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    // Another person's, in a folder that all share, stays.
    await removeFolder(join(tmpdir(), name)).catch(() => undefined);
  }
}
