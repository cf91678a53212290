import { wait } from "./wait.ts";

const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 60_000;

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
