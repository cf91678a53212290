import { once } from "node:events";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const PARENT_CHECK_INTERVAL_MS = 200;

/**
 * Returns an AbortSignal that is aborted when this process is asked to stop. A second request ends the process
 * immediately.
 */
export function createStopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(1);
      controller.abort();
    });
  }
  // npm sends SIGTERM only to the shell in between, which ends without forwarding it.
  if (process.env.npm_lifecycle_event !== undefined) {
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) controller.abort();
    }, PARENT_CHECK_INTERVAL_MS).unref();
  }
  return controller.signal;
}

/** Resolves when the signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}
