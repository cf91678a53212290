import { expect, test } from "vitest";

import { describeWait } from "#app/session/retry-after.server.ts";

test.each([
  [0, "1 second", "1"],
  [1001, "2 seconds", "2"],
  [119_000, "119 seconds", "119"],
  [120_000, "2 minutes", "120"],
  [7_199_000, "120 minutes", "7199"],
  [7_200_000, "2 hours", "7200"],
])("a wait of %i ms is said as %s", (ms, words, seconds) => {
  expect(describeWait(ms)).toEqual({ words, retryAfter: { "Retry-After": seconds } });
});
