import { afterEach, beforeEach, expect, vi } from "vitest";

let expected = 0;

beforeEach(() => {
  expected = 0;
  vi.spyOn(console, "error");
});

afterEach(() => {
  const calls = vi.mocked(console.error).mock.calls.slice();
  vi.restoreAllMocks();
  // Files share a worker: what a failed test has left must not fail the next.
  vi.unstubAllGlobals();
  vi.useRealTimers();
  if (expected === 0) expect(calls, "nothing is logged as an error unexpectedly").toEqual([]);
  else expect(calls.length, "what was to be logged as an error was").toBeGreaterThan(0);
});

/** Lets this test log errors, and makes it fail unless it does. Nothing of it is printed. */
export function expectConsoleError(): void {
  expected += 1;
  vi.mocked(console.error).mockImplementation(() => {});
}
