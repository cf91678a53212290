import { expect, test } from "vitest";

import { createRateLimits, type LimitName, describeWait } from "#app/session/rate-limit.server.ts";

function start(bindings: object = {}) {
  const clock = { now: Date.UTC(2026, 0, 1) };
  const limits = createRateLimits(bindings, () => clock.now);
  const consume = (uid: string, write: LimitName) => limits.consume(write, uid);
  /** Returns how many writes in a row are allowed. */
  const count = async (uid: string, write: LimitName) => {
    for (let made = 0; made < 1000; made += 1) if (!(await consume(uid, write))) return made;
    throw new Error("Expected a limit below 1000");
  };
  return { clock, consume, count };
}

test("a user can save 300 times a minute", async () => {
  const { clock, consume, count } = start();

  expect(await count("ana", "draft")).toBe(300);
  expect(await consume("tomas", "draft"), "another user").toBe(true);
  expect(await consume("ana", "position"), "another kind of write").toBe(true);

  clock.now += 59_999;
  expect(await consume("ana", "draft")).toBe(false);
  clock.now += 1;
  expect(await consume("ana", "draft")).toBe(true);
});

test("ten tabs that save every two seconds are never limited", async () => {
  const { clock, consume } = start();

  const allowed = new Set<boolean>();
  for (let ms = 0; ms < 10 * 60_000; ms += 2000) {
    for (let tab = 0; tab < 10; tab += 1) allowed.add(await consume("ana", "draft"));
    clock.now += 2000;
  }

  expect(allowed).toEqual(new Set([true]));
});

test("a profile can be changed 30 times a minute", async () => {
  expect(await start().count("ana", "profile")).toBe(30);
});

test("uses the deployment's binding if there is one", async () => {
  const keys: string[] = [];
  const WRITES = {
    limit: ({ key }: { key: string }) => {
      keys.push(key);
      return Promise.resolve({ success: keys.length < 3 });
    },
  };

  expect(await start({ WRITES }).count("ana", "draft")).toBe(2);
  expect(new Set(keys)).toEqual(new Set(["draft ana"]));
});

test("changes of a profile use the binding with their limit", async () => {
  let uses = 0;
  const ATTEMPTS_LOOSE = {
    limit: () => Promise.resolve({ success: (uses += 1) < 3 }),
  };

  expect(await start({ ATTEMPTS_LOOSE }).count("ana", "profile")).toBe(2);
});

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
