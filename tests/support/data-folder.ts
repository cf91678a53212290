import { mkdtemp, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";

/** Returns a folder, not yet created, in which a Firebase can save its data. Only the user can write to it. */
export async function createDataFolder(): Promise<AsyncDisposable & { folder: string }> {
  const parent = await mkdtemp(join(homedir(), ".saved-data-test-"));
  return {
    folder: join(parent, "data"),
    [Symbol.asyncDispose]: () => rm(parent, { recursive: true }),
  };
}
