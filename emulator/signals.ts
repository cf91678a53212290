import { once } from "node:events";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const PARENT_CHECK_INTERVAL_MS = 200;

/** Signals within this time are one request: after Ctrl-C, the terminal sends one, and npm often another. */
const REPEAT_MS = 1000;

/**
 * Returns an AbortSignal that is aborted when this process is asked to stop. A second request ends the process
 * immediately.
 */
export function createStopSignal(): AbortSignal {
  const controller = new AbortController();
  let firstAt: number | undefined;
  for (const name of SIGNALS) {
    process.on(name, () => {
      firstAt ??= performance.now();
      if (performance.now() - firstAt > REPEAT_MS) process.exit(1);
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

export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}
