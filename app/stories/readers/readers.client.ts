import { READER_COUNTS_URL, type ReaderCounts } from "./readers.ts";

/** How often a visible page asks. */
const INTERVAL_MS = 20_000;

const TIMEOUT_MS = 10_000;

/** Asks the server for the numbers while the page is visible, and returns the function that stops it. */
export function subscribeToReaders(listener: (counts: ReaderCounts) => void): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let askedAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function ask() {
    askedAt = Date.now();
    const counts = await fetchCounts(signal);
    if (signal.aborted) return;
    if (counts) listener(counts);
    schedule();
  }

  function schedule() {
    clearTimeout(timer);
    if (document.visibilityState !== "visible") return;
    timer = setTimeout(() => void ask(), Math.max(0, askedAt + INTERVAL_MS - Date.now()));
  }

  schedule();
  document.addEventListener("visibilitychange", schedule, { signal });
  return () => {
    clearTimeout(timer);
    controller.abort();
  };
}

async function fetchCounts(signal: AbortSignal): Promise<ReaderCounts | null> {
  try {
    const response = await fetch(READER_COUNTS_URL, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    const counts: unknown = response.ok ? await response.json() : null;
    return isCounts(counts) ? counts : null;
  } catch {
    return null;
  }
}

/** A proxy or captive portal may answer in place of our server. */
function isCounts(counts: unknown): counts is ReaderCounts {
  return (
    typeof counts === "object" &&
    counts !== null &&
    Object.values(counts).every((count) => Number.isSafeInteger(count))
  );
}
