import {
  closeSync,
  fstatSync,
  futimes,
  openSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
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
 * Locks a file, which need not exist. `undefined` when another process holds the lock. It is a file that its holder renews,
 * because a process id means nothing in another container, and is used again after a restart.
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
    if (!hasHolderEnded(path) && (await isRenewed(path))) return undefined;
    // If another process has just replaced it, that one holds it no longer, and notices.
    rmSync(path, { force: true });
  }
}

function hold(path: string, descriptor: number): Lock {
  try {
    writeSync(descriptor, `${process.pid} ${getMachine()}`);
  } catch {
    // The disk is full. The next start waits to see that the lock is stale.
  }
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

/** Names the machine, or the container, in which a process id means something. */
function getMachine(): string {
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

/** Whether the holder was a process of this machine, or container, that does not exist any more. */
function hasHolderEnded(path: string): boolean {
  try {
    const holder = readFileSync(path, "utf8");
    const id = Number.parseInt(holder, 10);
    if (holder === `${id} ${getMachine()}`) process.kill(id, 0);
    return false;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
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
