import { withoutTimeLimit } from "./outgoing-calls.server.ts";
import { resolveWithin } from "./resolve-within.ts";

/** How long a result is shared. Covers requests that the browser sends before it has received the first response. */
const RESULT_MAX_AGE_MS = 30_000;

interface SharedCall<T> {
  result: Promise<T>;
  /** Milliseconds since the Unix epoch. */
  startedAt: number;
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
