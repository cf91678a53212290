/** The delays of `retry`. */
const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 60_000;

/** Resolves after `ms` milliseconds. Rejects with the signal's reason when it is aborted. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort);
  });
}

/**
 * Waits for a promise for at most `ms` milliseconds. Resolves with `undefined` if it rejects or takes longer. Does not
 * cancel the operation behind it.
 */
export async function resolveWithin<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([promise.catch(() => undefined), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Calls a function until it succeeds, and returns its result. The delays between two attempts grow from a second to a
 * minute.
 *
 * @throws the signal's reason when it is aborted
 */
export async function retry<Result>(
  attempt: () => Promise<Result>,
  signal?: AbortSignal,
): Promise<Result> {
  for (let delayMs = FIRST_DELAY_MS; ; delayMs = Math.min(delayMs * 2, MAX_DELAY_MS)) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch {
      // Many browsers lose the connection at the same time, and should not all reconnect at the same time.
      await wait(delayMs * (0.75 + Math.random() / 2), signal);
    }
  }
}
