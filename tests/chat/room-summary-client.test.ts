import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { refreshSummary, subscribeToSummary } from "#app/chat/dock/room-summary.client.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("document", Object.assign(new EventTarget(), { visibilityState: "visible" }));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Opens the room, and returns when the page asks for the summary, in milliseconds since then. */
async function openRoom() {
  const asked: number[] = [];
  const start = Date.now();
  vi.stubGlobal("fetch", () => {
    asked.push(Date.now() - start);
    return Promise.resolve(Response.json({ here: null, newest: null }));
  });
  const options = { isRoomOpen: true, onSummary: () => false, onOpen: () => {} };
  const unsubscribe = subscribeToSummary(options);
  await vi.advanceTimersByTimeAsync(60_000);
  unsubscribe();
  return asked;
}

test("an open room asks for the number of answers once", async () => {
  expect(await openRoom()).toEqual([0]);
});

test("an open room counts an answer that arrives before it asks", async () => {
  refreshSummary();

  expect(await openRoom()).toEqual([5000]);
});

test("a hidden page notifies of each answer once, also when some are read or unknown in between", async () => {
  const notified: string[] = [];
  class Notification extends EventTarget {
    static permission = "granted";
    constructor(text: string) {
      super();
      notified.push(text);
    }
  }
  vi.stubGlobal("Notification", Notification);
  vi.stubGlobal("window", { Notification });
  Object.assign(document, { visibilityState: "hidden" });
  const toAnswer = (at: number) => ({
    count: 1,
    newest: { key: `answer-${at}`, at, text: `Answer ${at}`, path: "/home" },
  });
  const first = toAnswer(1);
  const second = toAnswer(2);
  const summaries = [null, first, undefined, first, second, first, null, first];
  vi.stubGlobal("fetch", async () =>
    Response.json({ here: null, newest: null, answers: summaries.shift() }),
  );

  const unsubscribe = subscribeToSummary({
    isRoomOpen: false,
    onSummary: () => false,
    onOpen: () => {},
  });
  await vi.advanceTimersByTimeAsync(75_000);
  unsubscribe();

  expect(summaries).toEqual([]);
  expect(notified).toEqual(["Answer 1", "Answer 2"]);
});
