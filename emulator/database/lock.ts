import { closeSync, fstatSync, futimes, openSync, rmSync, statSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

const RENEWAL_MS = 1000;

/** A process that was killed has left its lock, and does not renew it. */
const STALE_MS = 5000;
const CHECK_MS = 250;

/** The lock of a file that only one process may use. */
export interface Lock {
  /** `false` when this process was suspended, and another has taken the lock in the meantime. */
  isHeld(): boolean;
  release(): void;
}

/**
 * Locks a file, which need not exist. `undefined` when another process holds the lock. It is a file that its holder renews:
 * process ids mean nothing outside of a container.
 */
export async function lockFile(file: string): Promise<Lock | undefined> {
  const path = `${file}.lock`;
  for (;;) {
    try {
      return hold(path, openSync(path, "wx", 0o600));
    } catch (error) {
      const isLocked = error instanceof Error && "code" in error && error.code === "EEXIST";
      if (!isLocked) throw error;
    }
    if (await isRenewed(path)) return undefined;
    // If another process has just replaced it, that one holds it no longer, and notices.
    rmSync(path, { force: true });
  }
}

function hold(path: string, descriptor: number): Lock {
  const isHeld = () => fstatSync(descriptor).nlink > 0;
  const timer = setInterval(() => {
    const now = new Date();
    // A renewal can fail while the disk is full.
    futimes(descriptor, now, now, () => {});
  }, RENEWAL_MS).unref();
  function release(): void {
    clearInterval(timer);
    process.off("exit", release);
    const wasHeld = isHeld();
    closeSync(descriptor);
    if (wasHeld) rmSync(path, { force: true });
  }
  process.on("exit", release);
  return { isHeld, release };
}

/** Whether the lock changes while we look at it. Its time is not compared with ours: a container's clock may differ. */
async function isRenewed(path: string): Promise<boolean> {
  const first = readTime(path);
  for (let waited = 0; waited < STALE_MS && readTime(path) !== undefined; waited += CHECK_MS) {
    await delay(CHECK_MS);
    const time = readTime(path);
    if (time !== undefined && time !== first) return true;
  }
  return false;
}

function readTime(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
