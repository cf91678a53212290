import { postForm } from "#app/http/fetch-json.ts";
import type { ReadingPosition } from "#app/stories/positions/position.ts";

// One module, so that the browser loads all of it with one dynamic import.
export { findOnDevice, saveOnDevice } from "#app/stories/positions/device-positions.ts";
export { createPositionTracker } from "./position-tracker.ts";

const INTERVAL_MS = 10_000;

export type PositionSync = ReturnType<typeof createPositionSync>;

/**
 * Saves a user's positions in their account, at most every 10 seconds, and always the latest.
 *
 * @param uid sent with each position, so that the server rejects it after another user has signed in
 */
export function createPositionSync(uid: string) {
  let pending: ReadingPosition | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Sends the pending position, if any. Call it before the page is left. */
  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    if (!pending) return;
    const form = { uid, position: JSON.stringify(pending) };
    pending = undefined;
    timer = setTimeout(flush, INTERVAL_MS);
    // If it fails, this device still has the position.
    void postForm("/reading-positions", form, { keepalive: true });
  }

  return {
    save(position: ReadingPosition): void {
      pending = position;
      timer ??= setTimeout(flush);
    },
    flush,
  };
}
