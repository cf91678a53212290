import type { RoomSummary } from "#app/chat/room-summary.ts";

/** How often a visible page asks. */
const INTERVAL_MS = 120_000;

const TIMEOUT_MS = 10_000;

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

async function fetchSummary(signal: AbortSignal): Promise<RoomSummary | null> {
  try {
    const response = await fetch("/rooms/general/summary", {
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const summary: unknown = response.ok ? await response.json() : null;
    return isSummary(summary) ? summary : null;
  } catch {
    return null;
  }
}

/** A proxy or captive portal may answer in place of our server. */
function isSummary(summary: unknown): summary is RoomSummary {
  return typeof summary === "object" && summary !== null && "here" in summary;
}
