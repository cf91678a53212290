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
