const MINUTE_SECONDS = 60;

/** Returns a wait in words, and as the header for status 429. */
export function describeWait(ms: number) {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  const retryAfter = { "Retry-After": String(seconds) };
  if (seconds < 2 * MINUTE_SECONDS) return { words: formatCount(seconds, "second"), retryAfter };
  return { words: formatCount(Math.ceil(seconds / MINUTE_SECONDS), "minute"), retryAfter };
}

function formatCount(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
