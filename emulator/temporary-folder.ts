import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PREFIX = "inkglade";

/**
 * Creates a temporary folder named after this process. First removes the folders of earlier processes that were killed
 * before they could remove them.
 */
export async function createTemporaryFolder(kind: string): Promise<string> {
  await removeStaleFolders(kind);
  return await mkdtemp(join(tmpdir(), `${PREFIX}-${kind}-${process.pid}-`));
}

/** Returns the environment variables that make a program use the folder for its temporary files. */
export function useTemporaryFolder(folder: string): Record<string, string> {
  return { TMPDIR: folder, TMP: folder, TEMP: folder };
}

/** Removes a folder. Retries, because an ending process may still write to it. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/** Whether a process with this id is running, under any user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

async function removeStaleFolders(kind: string): Promise<void> {
  const pattern = new RegExp(`^${PREFIX}-${kind}-(\\d+)-`);
  for (const name of await readdir(tmpdir())) {
    const [, pid] = pattern.exec(name) ?? [];
    if (pid === undefined || isRunning(Number(pid))) continue;
    // The temporary folder is shared, and another user's cannot be removed.
    await removeFolder(join(tmpdir(), name)).catch(() => undefined);
  }
}
