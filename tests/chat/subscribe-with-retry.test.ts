import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { subscribeWithRetry } from "#app/chat/use-feed.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  vi.stubGlobal("window", new EventTarget());
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Records the subscriptions, whose values and errors the test chooses. */
function startSubscription() {
  const subscriptions: { send: (value: string) => void; fail: () => void; isOpen: boolean }[] = [];
  const values: string[] = [];
  const onError = vi.fn();
  let isOffline = false;
  const unsubscribe = subscribeWithRetry<string>(
    async ({ onValue, onError: fail }) => {
      const subscription = { send: onValue, fail, isOpen: true };
      subscriptions.push(subscription);
      if (isOffline) throw new TypeError("Failed to fetch");
      return () => (subscription.isOpen = false);
    },
    { onValue: (value) => values.push(value), onError },
  );
  return {
    subscriptions,
    values,
    onError,
    unsubscribe,
    setOffline: (value: boolean) => (isOffline = value),
    getLast: () => {
      const last = subscriptions.at(-1);
      if (!last) throw new Error("There is no subscription");
      return last;
    },
  };
}

test("subscribes again after an error, with growing delays up to a minute", async () => {
  const { subscriptions, getLast, onError } = startSubscription();
  const delays: number[] = [];

  for (let count = 1; count <= 9; count += 1) {
    await vi.advanceTimersByTimeAsync(0);
    getLast().fail();
    const failedAt = Date.now();
    while (subscriptions.length === count) await vi.advanceTimersByTimeAsync(500);
    delays.push(Date.now() - failedAt);
  }

  expect(delays).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * 1000));
  expect(onError).toHaveBeenCalledTimes(9);
  expect(subscriptions.filter(({ isOpen }) => isOpen)).toHaveLength(1);
});

test("starts with the shortest delay again once values arrive", async () => {
  const { subscriptions, values, getLast } = startSubscription();
  for (const delayMs of [1000, 2000]) {
    getLast().fail();
    await vi.advanceTimersByTimeAsync(delayMs);
  }

  getLast().send("Hello");
  getLast().fail();
  await vi.advanceTimersByTimeAsync(1000);

  expect(subscriptions).toHaveLength(4);
  expect(values).toEqual(["Hello"]);
});

test("subscribes again at once when the browser is online", async () => {
  const { subscriptions, getLast, setOffline } = startSubscription();
  setOffline(true);
  for (let count = 0; count < 5; count += 1) {
    getLast().fail();
    await vi.advanceTimersByTimeAsync(60_000);
  }
  const { length } = subscriptions;
  getLast().fail();
  setOffline(false);

  window.dispatchEvent(new Event("online"));
  window.dispatchEvent(new Event("online"));

  expect(subscriptions).toHaveLength(length + 1);
});

test("ignores what an ended subscription still reports, and ends with the page", async () => {
  const { subscriptions, values, onError, getLast, unsubscribe } = startSubscription();
  await vi.advanceTimersByTimeAsync(0);
  const first = getLast();
  first.fail();
  first.fail();
  first.send("Too late");
  await vi.advanceTimersByTimeAsync(1000);

  unsubscribe();
  getLast().send("Too late");
  getLast().fail();
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(60_000);

  expect(onError).toHaveBeenCalledTimes(1);
  expect(values).toEqual([]);
  expect(subscriptions.map(({ isOpen }) => isOpen)).toEqual([false, false]);
});
