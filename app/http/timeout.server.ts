import { UnavailableError } from "./unavailable-error.server.ts";

/**
 * Waits for a promise for at most `timeoutMs` milliseconds. Does not cancel the operation behind it.
 *
 * @throws {UnavailableError} on timeout
 */
export async function withTimeout<T>(promise: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const error = new UnavailableError(`No response within ${timeoutMs} ms`);
    timer = setTimeout(() => reject(error), timeoutMs);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
