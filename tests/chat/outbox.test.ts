import { expect, test } from "vitest";

import { createBrowser, flushPromises } from "#tests/support/outbox-browser.ts";

test("sends messages one at a time, in order, each with its own id and its writer's uid", async () => {
  const { openTab, posts, texts, delayResponses } = createBrowser();
  const { outbox, sendText } = openTab();
  outbox.start();
  delayResponses(true);
  sendText("A");
  sendText("B");
  await flushPromises();
  expect(posts.map(({ text }) => text)).toEqual(["A"]);
  expect(outbox.getState().entries.map(({ text }) => text)).toEqual(["A", "B"]);

  delayResponses(false);
  await flushPromises();
  expect(texts()).toEqual(["A", "B"]);
  expect(new Set(posts.map(({ id }) => id)).size).toBe(2);
  expect(posts.map(({ uid }) => uid)).toEqual(["ana", "ana"]);
});

test("shows a message at once, and removes it once the feed shows it", async () => {
  const { openTab } = createBrowser();
  const { outbox, sendText, entries, showStored } = openTab();
  outbox.start();
  sendText("A");
  expect(entries()).toEqual(["A waiting"]);

  await flushPromises();
  expect(entries()).toEqual(["A sent"]);
  showStored();
  expect(entries()).toEqual([]);
});

test("waits while the server is unavailable, with growing delays, and then sends in order", async () => {
  const { openTab, outcomes, waits, goOnline, texts } = createBrowser();
  const { outbox, sendText, entries } = openTab();
  outbox.start();
  outcomes.push("fails", "response is lost", "fails");
  sendText("A");
  sendText("B");
  await flushPromises();
  expect(outbox.getState()).toMatchObject({ delay: { reason: "unavailable" }, error: null });
  expect(entries()).toEqual(["A waiting", "B waiting"]);

  const delays: number[] = [];
  while (waits.length > 0) {
    delays.push(...waits.map(({ ms }) => ms));
    goOnline();
    await flushPromises();
  }
  expect(delays).toEqual([1000, 2000, 4000]);
  expect(texts()).toEqual(["A", "B"]);
  expect(outbox.getState().delay).toBeNull();
});

test("sends the next message at once when the feed shows one that got no response", async () => {
  const { openTab, outcomes, waits, goOnline, posts } = createBrowser();
  const { outbox, sendText, entries, showStored } = openTab();
  outbox.start();
  outcomes.push("fails", "fails", "response is lost", "fails");
  sendText("A");
  sendText("B");
  await flushPromises();
  goOnline();
  await flushPromises();
  goOnline();
  await flushPromises();
  expect(posts.map(({ text }) => text)).toEqual(["A", "A", "A"]);
  waits.length = 0;

  showStored();
  await flushPromises();

  expect(posts.map(({ text }) => text)).toEqual(["A", "A", "A", "B"]);
  expect(entries()).toEqual(["B waiting"]);
  // B has failed once.
  expect(waits.map(({ ms }) => ms)).toEqual([1000]);
});

test("tries again at once when the user sends another message, or the room can be reached", async () => {
  const { openTab, outcomes, posts, texts } = createBrowser();
  const { outbox, sendText } = openTab();
  outbox.start();
  outcomes.push("fails", "fails");
  sendText("A");
  await flushPromises();
  expect(posts).toHaveLength(1);

  sendText("B");
  await flushPromises();
  expect(posts.map(({ text }) => text)).toEqual(["A", "A"]);

  outbox.retryNow();
  await flushPromises();
  expect(texts()).toEqual(["A", "B"]);
});

test("a message that was sent too fast waits, even when the user sends another one", async () => {
  const { openTab, outcomes, posts } = createBrowser();
  const { outbox, sendText } = openTab();
  outbox.start();
  outcomes.push("is too fast");
  sendText("A");
  await flushPromises();

  sendText("B");
  outbox.retryNow();
  await flushPromises();

  expect(posts).toHaveLength(1);
});

test("waits as long as the server says when the user sends too fast", async () => {
  const { openTab, outcomes, waits, goOnline, texts } = createBrowser();
  const { outbox, sendText } = openTab();
  outbox.start();
  outcomes.push("is too fast");
  sendText("A");
  await flushPromises();
  expect(waits.map(({ ms }) => ms)).toEqual([4000]);

  goOnline();
  await flushPromises();
  expect(texts()).toEqual(["A"]);
});

test("keeps a rejected message, sends the next one, and sends the first again on demand", async () => {
  const { openTab, outcomes, texts } = createBrowser();
  const { outbox, sendText, entries, inputText } = openTab();
  outbox.start();
  outcomes.push("is denied", "succeeds", "is denied", "is denied");
  sendText("A");
  sendText("B");
  await flushPromises();
  expect(entries()).toEqual(["A failed", "B sent"]);
  expect(outbox.getState().error).toMatchObject({ reason: "denied" });

  const [first] = outbox.getState().entries;
  outbox.retry(first?.id ?? "");
  await flushPromises();
  expect(entries()).toEqual(["A failed", "B sent"]);
  outbox.setText("Typed");
  outbox.edit(first?.id ?? "");
  expect(inputText()).toBe("Typed\nA");
  expect(entries()).toEqual(["B sent"]);

  sendText("C");
  await flushPromises();
  const failed = outbox.getState().entries.find(({ status }) => status === "failed");
  outbox.discard(failed?.id ?? "");
  expect(entries()).toEqual(["B sent"]);
  expect(texts()).toEqual(["B"]);
});

test("removes a message that the feed shows although its response was lost", async () => {
  const { openTab, outcomes, goOnline, posts } = createBrowser();
  const { outbox, sendText, entries, showStored } = openTab();
  outbox.start();
  outcomes.push("response is lost");
  sendText("A");
  await flushPromises();
  expect(entries()).toEqual(["A waiting"]);

  showStored();
  await flushPromises();
  goOnline();
  await flushPromises();
  expect(entries()).toEqual([]);
  expect(posts).toHaveLength(1);
});

test("removes a sent message that the feed does not show within five seconds", async () => {
  const { openTab, clock } = createBrowser();
  const { outbox, sendText, entries } = openTab();
  outbox.start();
  sendText("A");
  await flushPromises();

  clock.now = 5000;
  outbox.markShown(new Set());
  expect(entries()).toEqual(["A sent"]);
  clock.now = 5001;
  outbox.markShown(new Set());
  expect(entries()).toEqual([]);
});
