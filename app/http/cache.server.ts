import { getRemainingMs, withoutTimeLimit } from "./outgoing-calls.server.ts";
import { resolveWithin } from "./wait.ts";

const MAX_ENTRIES = 1000;

/**
 * How long a request waits for another request's read. The read may never end, because workerd cancels subrequests when
 * their request ends.
 */
const JOIN_TIMEOUT_MS = 700;

/** How long `dedupe` shares a result. Covers requests that the browser sends before it has received the first response. */
const RESULT_MAX_AGE_MS = 30_000;

/** A call that several requests wait for. */
interface SharedCall<T> {
  /** Milliseconds since the Unix epoch. */
  startedAt: number;
  result: Promise<T>;
}

/** Creates a cache in the memory of this isolate. Beyond `maxEntries` the oldest is deleted. */
export function createCache<T>(maxAgeMs: number, now: () => number, maxEntries = MAX_ENTRIES) {
  const entries = new Map<string, { value: T; setAt: number }>();
  return {
    /** Returns the value, or `undefined` when there is none or it is too old. */
    find(key: string, ageMs = maxAgeMs): T | undefined {
      const entry = entries.get(key);
      return entry && now() - entry.setAt < ageMs ? entry.value : undefined;
    },
    set(key: string, value: T): void {
      entries.delete(key);
      entries.set(key, { value, setAt: now() });
      if (entries.size <= maxEntries) return;
      const [oldest] = entries.keys();
      if (oldest !== undefined) entries.delete(oldest);
    },
    delete: (key: string): void => void entries.delete(key),
  };
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
  const running = new Map<string, SharedCall<T>>();

  function isUsable(startedAt: number, { maxAgeMs, changedAt = -Infinity }: Requirements): boolean {
    return now() - startedAt < maxAgeMs && startedAt > changedAt;
  }

  function find(key: string, requirements: Requirements): ReadResult<T> | undefined {
    const read = finished.find(key);
    return read && isUsable(read.startedAt, requirements) ? read : undefined;
  }

  /** Returns a read of another request that may end in time. */
  function findRunning(key: string, requirements: Requirements): SharedCall<T> | undefined {
    const read = running.get(key);
    return read && !isOver(read) && isUsable(read.startedAt, requirements) ? read : undefined;
  }

  function isOver({ startedAt }: SharedCall<T>): boolean {
    return now() - startedAt >= JOIN_TIMEOUT_MS;
  }

  /** Waits for a read. Resolves with `undefined` if it fails or takes too long. */
  async function join(key: string, read: SharedCall<T>): Promise<ReadResult<T> | undefined> {
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
  function end(key: string, read: SharedCall<T>): void {
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

interface DedupeOptions {
  /** How long a caller waits. The call continues for later callers. */
  timeoutMs: number;
  /** Returns the error for a caller that has waited too long. */
  onTimeout: () => Error;
  now: () => number;
}

/**
 * Shares one call among concurrent callers with the same key, and its result among the callers of the next 30 s. When it
 * fails, all that wait for it get the error. Later callers try again.
 *
 * workerd cancels subrequests when their request ends, so a shared call may never settle once the browser has aborted the
 * request that started it. Therefore no caller waits longer than `timeoutMs`, and none joins a pending call that is older.
 */
export function dedupe<T>(
  call: (key: string) => Promise<T>,
  { timeoutMs, onTimeout, now }: DedupeOptions,
): (key: string) => Promise<T> {
  const calls = new Map<string, SharedCall<T>>();
  const settled = new WeakSet<SharedCall<T>>();

  function isOver(shared: SharedCall<T>): boolean {
    const age = now() - shared.startedAt;
    return age >= (settled.has(shared) ? RESULT_MAX_AGE_MS : timeoutMs);
  }

  function start(key: string): SharedCall<T> {
    for (const [old, shared] of calls) if (isOver(shared)) calls.delete(old);
    const shared = { result: withoutTimeLimit(() => call(key)), startedAt: now() };
    calls.set(key, shared);
    shared.result.then(
      () => settled.add(shared),
      () => {
        if (calls.get(key) === shared) calls.delete(key);
      },
    );
    return shared;
  }

  return async (key) => {
    const existing = calls.get(key);
    const { result } = existing && !isOver(existing) ? existing : start(key);
    if (await resolveWithin(Promise.allSettled([result]), timeoutMs)) return result;
    throw onTimeout();
  };
}
