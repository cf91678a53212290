/** For requests that were sent before the browser had the result. */
const RESULT_MAX_AGE_MS = 30_000;

interface SharedCall<T> {
  result: Promise<T>;
  /** Milliseconds since the Unix epoch. */
  startedAt: number;
}

interface DedupeOptions {
  /** How long a caller waits. The call continues for later callers. */
  timeoutMs: number;
  /** Returns the error for a caller who has waited too long. */
  onTimeout: () => Error;
  now: () => number;
}

/**
 * Makes concurrent calls with the same key share one call, and calls of the next half minute its result. A failure is
 * shared by the callers that wait for it. Later calls try again.
 *
 * workerd cancels subrequests when their request ends, so another user's navigation may abort a shared call: nobody
 * waits longer than `timeoutMs` for it, and nobody joins a pending call that is older.
 */
export function dedupe<T>(
  call: (key: string) => Promise<T>,
  { timeoutMs, onTimeout, now }: DedupeOptions,
): (key: string) => Promise<T> {
  // In the order in which they started.
  const calls = new Map<string, SharedCall<T>>();
  const settled = new WeakSet<SharedCall<T>>();

  function isOver(shared: SharedCall<T>): boolean {
    const age = now() - shared.startedAt;
    return age >= (settled.has(shared) ? RESULT_MAX_AGE_MS : timeoutMs);
  }

  function start(key: string): SharedCall<T> {
    for (const [old, shared] of calls) if (isOver(shared)) calls.delete(old);
    const shared = { result: call(key), startedAt: now() };
    calls.set(key, shared);
    shared.result.then(
      () => settled.add(shared),
      () => {
        if (calls.get(key) === shared) calls.delete(key);
      },
    );
    return shared;
  }

  return (key) => {
    const known = calls.get(key);
    const shared = known && !isOver(known) ? known : start(key);
    return waitFor(shared.result, timeoutMs, onTimeout);
  };
}

async function waitFor<T>(result: Promise<T>, ms: number, onTimeout: () => Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(onTimeout()), ms);
  });
  try {
    return await Promise.race([result, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
