import { READER_COUNTS_URL, type ReaderCounts } from "./readers.ts";

/** How often a visible page asks. */
const INTERVAL_MS = 20_000;

const TIMEOUT_MS = 10_000;

/** Asks the server for the numbers while the page is visible, until the signal is aborted. */
export function watchReaders(listener: (counts: ReaderCounts) => void, signal: AbortSignal): void {
  if (signal.aborted) return;
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
  signal.addEventListener("abort", () => clearTimeout(timer));
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
