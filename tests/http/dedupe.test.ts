import { expect, test } from "vitest";

import { dedupe } from "#app/http/dedupe.server.ts";

/** Calls whose answers the test gives. */
function createCalls({ timeoutMs = 5000 } = {}) {
  const clock = { now: 0 };
  const asked: { key: string; answer: (value: string) => void; fail: (error: Error) => void }[] =
    [];
  const ask = dedupe(
    (key) =>
      new Promise<string>((answer, fail) => {
        asked.push({ key, answer, fail });
      }),
    { timeoutMs, onTimeout: () => new Error("too slow"), now: () => clock.now },
  );
  return { clock, asked, ask };
}

test("all who ask at once share one call, and those who come within half a minute its result", async () => {
  const { clock, asked, ask } = createCalls();

  const answers = [ask("a"), ask("a"), ask("a")];
  asked[0]?.answer("result");
  expect(await Promise.all(answers)).toEqual(["result", "result", "result"]);

  clock.now += 29_999;
  expect(await ask("a")).toBe("result");
  expect(asked).toHaveLength(1);

  clock.now += 1;
  const later = ask("a");
  asked[1]?.answer("another");
  expect(await later).toBe("another");
});

test("who asks something else gets an answer of their own", async () => {
  const { asked, ask } = createCalls();

  const answers = [ask("a"), ask("b")];
  for (const { key, answer } of asked) answer(`of ${key}`);

  expect(await Promise.all(answers)).toEqual(["of a", "of b"]);
});

test("a failure is told to all who wait, and to nobody later", async () => {
  const { asked, ask } = createCalls();

  const answers = [ask("a"), ask("a")];
  asked[0]?.fail(new Error("refused"));
  for (const answer of answers) await expect(answer).rejects.toThrow("refused");

  const later = ask("a");
  asked[1]?.answer("result");
  expect(await later).toBe("result");
});

test("whoever waits too long is told, and what comes in the end serves the next", async () => {
  const { asked, ask } = createCalls({ timeoutMs: 1 });

  await expect(ask("a")).rejects.toThrow("too slow");
  asked[0]?.answer("result");
  await Promise.resolve();

  expect(await ask("a")).toBe("result");
  expect(asked).toHaveLength(1);
});

test("nobody joins a call that is too old to be answered", async () => {
  const { clock, asked, ask } = createCalls({ timeoutMs: 5000 });
  const lost = ask("a").catch(() => "never");

  clock.now += 5000;
  const answer = ask("a");
  asked[1]?.answer("result");

  expect(await answer).toBe("result");
  asked[0]?.answer("late");
  expect(await lost).toBe("late");
});
