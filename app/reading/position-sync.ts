import type { ReadingPosition } from "./position.ts";

const INTERVAL_MS = 10_000;

export type PositionSync = ReturnType<typeof createPositionSync>;

/**
 * Saves a user's positions in their account, at most one every 10 seconds. Only the last one counts.
 *
 * @param uid sent along, so that the server refuses the position after somebody else has signed in
 */
export function createPositionSync(uid: string) {
  let waiting: ReadingPosition | undefined;
  let sentAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;

  /** Sends what waits. Call before the page goes. */
  function flush(): void {
    clearTimeout(timer);
    if (!waiting) return;
    const body = new URLSearchParams({ uid, position: JSON.stringify(waiting) });
    waiting = undefined;
    sentAt = Date.now();
    // The browser finishes the request after the page. One that fails loses nothing: the device has the position.
    void fetch("/places", { method: "POST", body, keepalive: true }).catch(() => undefined);
  }

  return {
    save(position: ReadingPosition): void {
      waiting = position;
      clearTimeout(timer);
      timer = setTimeout(flush, Math.max(0, sentAt + INTERVAL_MS - Date.now()));
    },
    flush,
  };
}
