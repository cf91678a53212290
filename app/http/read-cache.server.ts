import { createCache } from "./cache.server.ts";
import { getRemainingMs } from "./outgoing-calls.server.ts";
import { resolveWithin } from "./resolve-within.ts";

/**
 * How long a request waits for another request's read. The read may never end, because workerd cancels subrequests when
 * their request ends.
 */
const JOIN_TIMEOUT_MS = 700;

interface Read<T> {
  /** Milliseconds since the Unix epoch. */
  startedAt: number;
  result: Promise<T>;
}

interface ReadResult<T> {
  /** When the read began, in milliseconds since the Unix epoch. */
  startedAt: number;
  value: T;
}

interface Requirements {
  /** 0 if the caller needs its own read. */
  maxAgeMs: number;
  /** Only reads that began later are shared. Milliseconds since the Unix epoch. */
  changedAt?: number;
}

/**
 * Creates a cache of what this isolate reads. Concurrent requests for the same key share one read, so that a slow service
 * is not called once for each of them. When a read fails, or does not end in time, one of the waiting requests begins
 * another.
 */
export function createReadCache<T>(now: () => number, maxEntries?: number) {
  const finished = createCache<ReadResult<T>>(Infinity, now, maxEntries);
  const running = new Map<string, Read<T>>();

  function isUsable(startedAt: number, { maxAgeMs, changedAt = -Infinity }: Requirements): boolean {
    return now() - startedAt < maxAgeMs && startedAt > changedAt;
  }

  function find(key: string, requirements: Requirements): ReadResult<T> | undefined {
    const read = finished.find(key);
    return read && isUsable(read.startedAt, requirements) ? read : undefined;
  }

  /** Returns a read of another request that may end in time. */
  function findRunning(key: string, requirements: Requirements): Read<T> | undefined {
    const read = running.get(key);
    return read && !isOver(read) && isUsable(read.startedAt, requirements) ? read : undefined;
  }

  function isOver({ startedAt }: Read<T>): boolean {
    return now() - startedAt >= JOIN_TIMEOUT_MS;
  }

  /** Waits for a read. Resolves with `undefined` if it fails or takes too long. */
  async function join(key: string, read: Read<T>): Promise<ReadResult<T> | undefined> {
    const { startedAt } = read;
    const result = read.result.then((value) => ({ startedAt, value }));
    const joined = await resolveWithin(result, Math.min(JOIN_TIMEOUT_MS, getRemainingMs()));
    if (!joined) end(key, read);
    return joined;
  }

  async function start(key: string, run: () => Promise<T>): Promise<ReadResult<T>> {
    const startedAt = now();
    const read = { startedAt, result: run() };
    for (const [other, begun] of running) if (isOver(begun)) running.delete(other);
    running.set(key, read);
    try {
      const result = { startedAt, value: await read.result };
      const latest = finished.find(key);
      if (!latest || latest.startedAt <= startedAt) finished.set(key, result);
      return result;
    } finally {
      end(key, read);
    }
  }

  /** Stops sharing a read that is still running. */
  function end(key: string, read: Read<T>): void {
    if (running.get(key) === read) running.delete(key);
  }

  return {
    /** Returns a finished read that meets the requirements, or `undefined`. Its `value` may be `null`. */
    find,

    /** Returns what was read recently or is being read for another request; otherwise calls `run`. */
    async read(
      key: string,
      requirements: Requirements,
      run: () => Promise<T>,
    ): Promise<ReadResult<T>> {
      while (getRemainingMs() > 0) {
        const cached = find(key, requirements);
        if (cached) return cached;
        const read = findRunning(key, requirements);
        if (!read) break;
        const joined = await join(key, read);
        if (joined) return joined;
      }
      return start(key, run);
    },
  };
}
