import type { RoomSummary } from "#app/chat/room-summary.ts";
import { fetchJson } from "#app/http/fetch-json.ts";

/** The time between two requests of a visible page. */
const INTERVAL_MS = 120_000;

/**
 * Asks the server for the room's summary while the page is visible, and returns the function that stops it. The listener
 * gets `null` when the server can't be reached.
 */
export function subscribeToSummary(listener: (summary: RoomSummary | null) => void): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let askedAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function ask() {
    askedAt = Date.now();
    const summary = await fetchSummary(signal);
    if (signal.aborted) return;
    listener(summary);
    schedule(INTERVAL_MS);
  }

  function schedule(delay: number) {
    clearTimeout(timer);
    if (document.visibilityState === "visible") timer = setTimeout(() => void ask(), delay);
  }

  schedule(0);
  document.addEventListener(
    "visibilitychange",
    () => schedule(Math.max(0, askedAt + INTERVAL_MS - Date.now())),
    { signal },
  );
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
