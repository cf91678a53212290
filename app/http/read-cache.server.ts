import { createCache } from "./cache.server.ts";
import { wait } from "./wait.ts";

/** How long a request waits for another's read. Twice this time is less than the calls of a page may take. */
const JOIN_TIMEOUT_MS = 700;
/** After waiting in vain, one of the requests reads by itself, and the others wait for that. */
const MAX_JOINS = 2;

interface Read<T> {
  /** Milliseconds since the Unix epoch. */
  startedAt: number;
  result: Promise<T>;
}

interface Requirements {
  /** 0 if the caller needs a read of its own. */
  maxAgeMs: number;
  /** Reads that began up to this time may lack a change. Milliseconds since the Unix epoch. */
  changedAt?: number;
}

/**
 * Creates a cache of what this isolate reads. Requests that need the same at the same time share one read, so that a slow
 * service does not get more of them.
 *
 * workerd cancels subrequests when their request ends, so another's read may never end. Then a request reads by itself.
 */
export function createReadCache<T>(now: () => number, maxEntries?: number) {
  const finished = createCache<{ startedAt: number; value: T }>(Infinity, now, maxEntries);
  const running = new Map<string, Read<T>>();

  function isUsable(startedAt: number, { maxAgeMs, changedAt = -Infinity }: Requirements): boolean {
    return now() - startedAt < maxAgeMs && startedAt > changedAt;
  }

  function find(key: string, requirements: Requirements): { value: T } | undefined {
    const read = finished.find(key);
    return read && isUsable(read.startedAt, requirements) ? read : undefined;
  }

  /** Waits for a read. Resolves with `undefined` if it fails or takes too long. */
  async function join(key: string, read: Read<T>): Promise<{ value: T } | undefined> {
    const timer = new AbortController();
    const timeout = wait(JOIN_TIMEOUT_MS, timer.signal).catch(() => undefined);
    const result = read.result.then((value) => ({ value })).catch(() => undefined);
    const joined = await Promise.race([result, timeout]);
    timer.abort();
    if (!joined) end(key, read);
    return joined || undefined;
  }

  async function start(key: string, run: () => Promise<T>): Promise<T> {
    const read = { startedAt: now(), result: run() };
    running.set(key, read);
    try {
      const value = await read.result;
      const latest = finished.find(key);
      if (!latest || latest.startedAt <= read.startedAt) {
        finished.set(key, { startedAt: read.startedAt, value });
      }
      return value;
    } finally {
      end(key, read);
    }
  }

  /** Makes sure that no other request waits for a read. */
  function end(key: string, read: Read<T>): void {
    if (running.get(key) === read) running.delete(key);
  }

  return {
    /** Returns what was read, if this isolate has it; its `value` may be `null`. */
    find,

    /** Returns what was read lately or is being read for another request; otherwise calls `run`. */
    async read(key: string, requirements: Requirements, run: () => Promise<T>): Promise<T> {
      for (let joins = 0; joins < MAX_JOINS; joins += 1) {
        const cached = find(key, requirements);
        if (cached) return cached.value;
        const read = running.get(key);
        if (!read || !isUsable(read.startedAt, requirements)) break;
        const joined = await join(key, read);
        if (joined) return joined.value;
      }
      return start(key, run);
    },
  };
}
