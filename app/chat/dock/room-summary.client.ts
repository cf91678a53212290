import type { RoomSummary } from "#app/chat/room-summary.ts";
import { fetchJson } from "#app/http/fetch-json.ts";

/** The time between two requests of a visible page that waits for a message. */
const WAITING_INTERVAL_MS = 10_000;

/** The time between two requests of any other visible page. */
const INTERVAL_MS = 120_000;

/**
 * Asks the server for the room's summary while the page is visible, and returns the function that stops it.
 *
 * @param listener gets `null` when the server can't be reached. Returns whether the page waits for a message
 */
export function subscribeToSummary(listener: (summary: RoomSummary | null) => boolean): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let askedAt = -Infinity;
  let intervalMs = INTERVAL_MS;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function ask() {
    askedAt = Date.now();
    const summary = await fetchSummary(signal);
    if (signal.aborted) return;
    intervalMs = listener(summary) ? WAITING_INTERVAL_MS : INTERVAL_MS;
    schedule();
  }

  function schedule() {
    clearTimeout(timer);
    if (document.visibilityState !== "visible") return;
    timer = setTimeout(() => void ask(), Math.max(0, askedAt + intervalMs - Date.now()));
  }

  schedule();
  document.addEventListener("visibilitychange", schedule, { signal });
  return () => {
    clearTimeout(timer);
    controller.abort();
  };
}

function fetchSummary(signal: AbortSignal): Promise<RoomSummary | null> {
  const toSummary = (summary: object) => (isSummary(summary) ? summary : null);
  return fetchJson("/rooms/general/summary", toSummary, signal);
}

function isSummary(summary: object): summary is RoomSummary {
  return "here" in summary;
}
