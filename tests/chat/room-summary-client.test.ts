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
