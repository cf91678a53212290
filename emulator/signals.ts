import { once } from "node:events";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const PARENT_CHECK_INTERVAL_MS = 200;

/**
 * Returns a signal that is aborted when a person or the system asks this process to stop. Asked a second time while it
 * is stopping, the process ends at once.
 */
export function watchForStop(): AbortSignal {
  const controller = new AbortController();
  for (const name of SIGNALS) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(1);
      controller.abort();
    });
  }
  // npm hands SIGTERM to the shell between us, which ends without telling anybody.
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
