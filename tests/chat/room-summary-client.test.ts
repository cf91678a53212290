import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { refreshSummary, subscribeToSummary } from "#app/chat/dock/room-summary.client.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", {});
  vi.stubGlobal("document", Object.assign(new EventTarget(), { visibilityState: "visible" }));
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function setVisibility(visibilityState: string) {
  Object.assign(document, { visibilityState });
  document.dispatchEvent(new Event("visibilitychange"));
}

/** Opens the room, and returns when the page asks for the summary in five minutes, in milliseconds since then. */
async function openRoom(arrivesAt?: number) {
  const asked: number[] = [];
  const start = Date.now();
  vi.stubGlobal("fetch", () => {
    asked.push(Date.now() - start);
    return Promise.resolve(Response.json({ here: null, newest: null }));
  });
  const options = { uid: "ana", onSummary: () => false, onOpen: () => {} };
  const unsubscribe = subscribeToSummary(options);
  if (arrivesAt !== undefined) setTimeout(refreshSummary, arrivesAt);
  await vi.advanceTimersByTimeAsync(300_000);
  unsubscribe();
  return asked;
}

test("an open room asks every two minutes, because it may show only messages about a story", async () => {
  expect(await openRoom()).toEqual([0, 120_000, 240_000]);
});

test("an open room counts an answer that arrives before it asks", async () => {
  refreshSummary();

  expect(await openRoom()).toEqual([5000, 125_000, 245_000]);
});

test("an open room asks soon after an answer has arrived", async () => {
  expect(await openRoom(30_000)).toEqual([0, 35_000, 155_000, 275_000]);
  expect(await openRoom(2000)).toEqual([0, 10_000, 130_000, 250_000]);
});

test("an answer to a hidden page is counted once the user returns", async () => {
  const opened = openRoom(30_000);
  setTimeout(() => setVisibility("hidden"), 20_000);
  setTimeout(() => setVisibility("visible"), 40_000);

  expect(await opened).toEqual([0, 45_000, 165_000, 285_000]);
});

/** Hides the page, and records its notifications. */
function stubNotifications() {
  const shown: EventTarget[] = [];
  const notified: string[] = [];
  class Notification extends EventTarget {
    static permission = "granted";
    constructor(text: string) {
      super();
      shown.push(this);
      notified.push(text);
    }
    close() {}
  }
  vi.stubGlobal("Notification", Notification);
  vi.stubGlobal("window", { Notification, focus: () => {} });
  Object.assign(document, { visibilityState: "hidden" });
  return { shown, notified };
}

const toAnswer = (at: number) => ({
  count: 1,
  newest: { key: `answer-${at}`, at, text: `Answer ${at}`, path: "/home", laterPath: "/later" },
});

test.each([
  ["soon", "/home", 60_000],
  ["late", "/later", 3_600_000],
])(
  "a notification that is clicked %s leads to the answer, and marks it as read",
  async (_when, expected, ms) => {
    const { shown } = stubNotifications();
    const summaries = [toAnswer(1), toAnswer(2)];
    const posted: string[] = [];
    vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
      if (init?.body instanceof URLSearchParams) posted.push(`${path} ${init.body.toString()}`);
      return Response.json({ here: null, newest: null, answers: summaries.shift() });
    });
    const opened: unknown[] = [];

    const unsubscribe = subscribeToSummary({
      uid: "ana",
      onSummary: () => false,
      onOpen: (...args) => void opened.push(args),
    });
    await vi.advanceTimersByTimeAsync(20_000);
    await vi.advanceTimersByTimeAsync(ms);
    for (const notification of shown) notification.dispatchEvent(new Event("click"));
    unsubscribe();

    expect(opened).toEqual([[expected, 0]]);
    expect(posted).toEqual(["/rooms/general/answers uid=ana&answer=answer-2"]);
  },
);

test("a hidden page notifies of each answer once, also when some are read or unknown in between", async () => {
  const { notified } = stubNotifications();
  const first = toAnswer(1);
  const second = toAnswer(2);
  const summaries = [null, first, undefined, first, second, first, null, first];
  vi.stubGlobal("fetch", async () =>
    Response.json({ here: null, newest: null, answers: summaries.shift() }),
  );

  const unsubscribe = subscribeToSummary({
    uid: "ana",
    onSummary: () => false,
    onOpen: () => {},
  });
  await vi.advanceTimersByTimeAsync(75_000);
  unsubscribe();

  expect(summaries).toEqual([]);
  expect(notified).toEqual(["Answer 1", "Answer 2"]);
});
