import { expect, test } from "vitest";

import { createCircuitBreaker } from "#app/http/outgoing-calls.server.ts";

const PAUSE_MS = 2000;

/** A breaker with a clock that the test controls. */
function startBreaker() {
  const clock = { now: 1_000_000 };
  const breaker = createCircuitBreaker(() => clock.now);
  return {
    ...breaker,
    clock,
    /** Calls the service, which does not respond for a second. */
    fail(times: number) {
      const startedAt = clock.now;
      clock.now += 1000;
      for (let count = 0; count < times; count += 1) breaker.recordFailure(startedAt);
    },
  };
}

test("opens when five calls in a row get no response", () => {
  const breaker = startBreaker();

  breaker.fail(4);
  expect(breaker.allowCall()).toBe(true);
  breaker.recordResponse();
  breaker.clock.now += 1;
  breaker.fail(4);
  expect(breaker.allowCall()).toBe(true);
  breaker.fail(1);

  expect(breaker.isOpen()).toBe(true);
  expect(breaker.allowCall()).toBe(false);
});

test("an open breaker lets one call try in each pause, even if the one before never ended", () => {
  const breaker = startBreaker();
  breaker.fail(5);

  breaker.clock.now += PAUSE_MS;
  expect([breaker.allowCall(), breaker.allowCall(), breaker.allowCall()]).toEqual([
    true,
    false,
    false,
  ]);
  breaker.clock.now += PAUSE_MS - 1;
  expect(breaker.allowCall()).toBe(false);
  breaker.clock.now += 1;
  expect([breaker.allowCall(), breaker.allowCall()]).toEqual([true, false]);
});

test("a call without a response starts a new pause", () => {
  const breaker = startBreaker();
  breaker.fail(5);
  breaker.clock.now += PAUSE_MS;
  expect(breaker.allowCall()).toBe(true);

  breaker.fail(1);

  breaker.clock.now += PAUSE_MS - 1;
  expect(breaker.allowCall()).toBe(false);
  breaker.clock.now += 1;
  expect(breaker.allowCall()).toBe(true);
});

test("one response closes the breaker for all calls", () => {
  const breaker = startBreaker();
  breaker.fail(5);

  breaker.recordResponse();

  expect(breaker.isOpen()).toBe(false);
  expect([breaker.allowCall(), breaker.allowCall()]).toEqual([true, true]);
});

test("failed calls from before the last response do not open the breaker", () => {
  const breaker = startBreaker();
  const before = breaker.clock.now;
  breaker.clock.now += 500;
  breaker.recordResponse();
  breaker.clock.now += 500;

  for (let count = 0; count < 50; count += 1) breaker.recordFailure(before);

  expect(breaker.isOpen()).toBe(false);
});
