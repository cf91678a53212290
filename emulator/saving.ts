import { describeLaunchError } from "./launch-error.ts";

/** Long enough for the changes of one request, and a kill loses little more than this. */
const SAVE_DELAY_MS = 100;

/** Saves after changes. */
export interface Saving {
  /** Saves soon. Call it when something has changed. */
  noteChange(): void;
  /** Saves what has changed since the last save. */
  stop(): Promise<void>;
}

/**
 * Starts to save after changes. Saves never overlap, and the pause between two is as long as the first took, so that large
 * data takes at most half of a processor. A save that fails is repeated. Nothing is saved while nothing changes.
 */
export function saveAfterChanges(
  save: () => Promise<void>,
  log: (message: string) => void,
): Saving {
  let hasChanged = false;
  let isStopped = false;
  let lastMs = 0;
  let isFailing = false;
  let timer: NodeJS.Timeout | undefined;
  let saving = Promise.resolve();

  function schedule(): void {
    if (timer !== undefined || isStopped) return;
    timer = setTimeout(
      () => {
        saving = saveNow().then(() => {
          timer = undefined;
          if (hasChanged) schedule();
        });
      },
      Math.max(SAVE_DELAY_MS, lastMs),
    );
  }

  async function saveNow(): Promise<void> {
    const startedAt = performance.now();
    hasChanged = false;
    try {
      await save();
      isFailing = false;
    } catch (error) {
      hasChanged = true;
      // While the disk is full, every attempt fails.
      if (!isFailing) log(describeLaunchError(error));
      isFailing = true;
    }
    lastMs = performance.now() - startedAt;
  }

  return {
    noteChange() {
      hasChanged = true;
      schedule();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await saving;
      if (hasChanged) await saveNow();
    },
  };
}
