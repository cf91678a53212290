const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;

/** Returns a wait in words, and as the header for status 429. */
export function describeWait(ms: number) {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  const retryAfter = { "Retry-After": String(seconds) };
  if (seconds < 2 * MINUTE_SECONDS) return { words: formatCount(seconds, "second"), retryAfter };
  if (seconds < 2 * HOUR_SECONDS) {
    return { words: formatCount(Math.ceil(seconds / MINUTE_SECONDS), "minute"), retryAfter };
  }
  return { words: formatCount(Math.ceil(seconds / HOUR_SECONDS), "hour"), retryAfter };
}

function formatCount(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
