import { fetchJson } from "#app/http/fetch-json.ts";
import { READER_COUNTS_URL, type ReaderCounts } from "./readers.ts";

/** The time between two requests of a visible page. */
const INTERVAL_MS = 10_000;

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

function fetchCounts(signal: AbortSignal): Promise<ReaderCounts | null> {
  const toCounts = (counts: object) => (isCounts(counts) ? counts : null);
  return fetchJson(READER_COUNTS_URL, toCounts, signal);
}

function isCounts(counts: object): counts is ReaderCounts {
  return Object.values(counts).every((count) => Number.isSafeInteger(count));
}
