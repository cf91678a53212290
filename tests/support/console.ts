import { afterEach, beforeEach, expect, vi } from "vitest";

let expected = 0;

beforeEach(() => {
  expected = 0;
  vi.spyOn(console, "error");
});

afterEach(() => {
  const calls = vi.mocked(console.error).mock.calls.slice();
  vi.restoreAllMocks();
  if (expected === 0) expect(calls, "no unexpected error is logged").toEqual([]);
  else expect(calls.length, "the expected error is logged").toBeGreaterThan(0);
});

/** Expects this test to log an error, and fails it otherwise. Does not print the error. */
export function expectConsoleError(): void {
  expected += 1;
  vi.mocked(console.error).mockImplementation(() => {});
}
