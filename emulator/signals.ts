const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Resolves when a person or the system asks this process to stop. Asked a second time while it is stopping, the
 * process ends at once.
 */
export function untilAskedToStop(): Promise<void> {
  return new Promise((resolve) => {
    let wasAsked = false;
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (wasAsked) process.exit(130);
        wasAsked = true;
        resolve();
      });
    }
  });
}
