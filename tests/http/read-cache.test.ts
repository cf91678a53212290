import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { createReadCache } from "#app/http/cache.server.ts";
import { recordCalls } from "#app/http/outgoing-calls.server.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Returns a cache whose reads the test ends. */
function createCache() {
  const cache = createReadCache<string>(() => Date.now());
  const reads: { end: (value: string) => void; fail: (error: Error) => void }[] = [];
  const run = () => new Promise<string>((end, fail) => void reads.push({ end, fail }));
  return {
    reads,
    read: async (requirements: { maxAgeMs?: number; changedAt?: number } = {}) =>
      (await cache.read("key", { maxAgeMs: 5000, ...requirements }, run)).value,
  };
}

test("requests that need the same at the same time share one read, and later ones its value", async () => {
  const { reads, read } = createCache();
  const values = [read(), read(), read()];
  reads[0]?.end("A");

  expect(await Promise.all(values)).toEqual(["A", "A", "A"]);
  expect(await read()).toBe("A");
  expect(reads).toHaveLength(1);
});

test("a value is as old as the beginning of its read", async () => {
  const { reads, read } = createCache();
  const first = read();
  vi.setSystemTime(Date.now() + 4000);
  reads[0]?.end("A");
  await first;
  vi.setSystemTime(Date.now() + 1000);

  const second = read();
  reads[1]?.end("B");
  expect(await second).toBe("B");
});

test("a read that began before a change is not shared", async () => {
  const { reads, read } = createCache();
  const before = read();
  const after = read({ changedAt: Date.now() });
  reads[1]?.end("new");
  reads[0]?.end("old");

  expect(await Promise.all([before, after])).toEqual(["old", "new"]);
});

test("a slow read does not replace the value of a later one", async () => {
  const { reads, read } = createCache();
  const slow = read();
  vi.setSystemTime(Date.now() + 1);
  const later = read({ maxAgeMs: 0 });
  reads[1]?.end("new");
  await later;
  reads[0]?.end("old");
  await slow;

  expect(await read()).toBe("new");
});

test("when a read never ends, the requests that waited for it share another one", async () => {
  const { reads, read } = createCache();
  const lost = read();
  const values = Array.from({ length: 50 }, () => read());
  await vi.advanceTimersByTimeAsync(1000);
  reads[1]?.end("A");

  expect(await Promise.all(values)).toEqual(Array.from({ length: 50 }, () => "A"));
  expect(reads).toHaveLength(2);
  reads[0]?.end("late");
  expect(await lost).toBe("late");
});

test("while reads fail, each is made only once at a time", async () => {
  const { reads, read } = createCache();
  const values = Array.from({ length: 50 }, () => read().catch(() => "failed"));
  for (let count = 1; count <= 3; count += 1) {
    reads[count - 1]?.fail(new Error("Unavailable"));
    await vi.advanceTimersByTimeAsync(0);
    expect(reads).toHaveLength(count + 1);
  }
  reads[3]?.end("A");

  const found = await Promise.all(values);
  expect(found.filter((value) => value === "failed")).toHaveLength(3);
  expect(found.filter((value) => value === "A")).toHaveLength(47);
});

test("no request waits for another's read longer than its own calls may take", async () => {
  const { reads, read } = createCache();
  void read();
  const joined = recordCalls({ id: "", calls: [] }, "GET", () => read(), 100);
  await vi.advanceTimersByTimeAsync(100);

  expect(reads).toHaveLength(2);
  reads[1]?.end("A");
  expect(await joined).toBe("A");
});

test("a failed read fails for its request alone", async () => {
  const { reads, read } = createCache();
  const failed = read();
  const joined = read();
  reads[0]?.fail(new Error("No time left"));
  await expect(failed).rejects.toThrow("No time left");
  await vi.advanceTimersByTimeAsync(0);
  reads[1]?.end("A");

  expect(await joined).toBe("A");
});
