import { expect, test } from "vitest";

import { dedupe } from "#app/http/cache.server.ts";

/** Returns a deduplicated function whose calls the test resolves. */
function createDedupedCall({ timeoutMs = 5000 } = {}) {
  const clock = { now: 0 };
  const calls: { key: string; respond: (value: string) => void; fail: (error: Error) => void }[] =
    [];
  const call = dedupe(
    (key) =>
      new Promise<string>((respond, fail) => {
        calls.push({ key, respond, fail });
      }),
    { timeoutMs, onTimeout: () => new Error("too slow"), now: () => clock.now },
  );
  return { clock, calls, call };
}

test("concurrent calls share one call, and calls within half a minute its result", async () => {
  const { clock, calls, call } = createDedupedCall();

  const results = [call("a"), call("a"), call("a")];
  calls[0]?.respond("result");
  expect(await Promise.all(results)).toEqual(["result", "result", "result"]);

  clock.now += 29_999;
  expect(await call("a")).toBe("result");
  expect(calls).toHaveLength(1);

  clock.now += 1;
  const later = call("a");
  calls[1]?.respond("another");
  expect(await later).toBe("another");
});

test("calls with different keys get results of their own", async () => {
  const { calls, call } = createDedupedCall();

  const results = [call("a"), call("b")];
  for (const { key, respond } of calls) respond(`of ${key}`);

  expect(await Promise.all(results)).toEqual(["of a", "of b"]);
});

test("all waiting callers share a failure, and later calls try again", async () => {
  const { calls, call } = createDedupedCall();

  const results = [call("a"), call("a")];
  calls[0]?.fail(new Error("refused"));
  for (const result of results) await expect(result).rejects.toThrow("refused");

  const later = call("a");
  calls[1]?.respond("result");
  expect(await later).toBe("result");
});

test("a caller that waits too long gets an error, and later callers the late result", async () => {
  const { calls, call } = createDedupedCall({ timeoutMs: 1 });

  await expect(call("a")).rejects.toThrow("too slow");
  calls[0]?.respond("result");
  await Promise.resolve();

  expect(await call("a")).toBe("result");
  expect(calls).toHaveLength(1);
});

test("no caller joins a call that is older than the timeout", async () => {
  const { clock, calls, call } = createDedupedCall({ timeoutMs: 5000 });
  const lost = call("a").catch(() => "never");

  clock.now += 5000;
  const respond = call("a");
  calls[1]?.respond("result");

  expect(await respond).toBe("result");
  calls[0]?.respond("late");
  expect(await lost).toBe("late");
});
