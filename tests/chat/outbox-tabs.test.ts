import { expect, test } from "vitest";

import { createBrowser, flushPromises } from "#tests/support/outbox-browser.ts";

test("sends the messages of a crashed tab once, and restores its half-written text", async () => {
  const { openTab, outcomes, goOnline, texts, delayResponses } = createBrowser();
  const first = openTab();
  await first.outbox.start();
  outcomes.push("succeeds", "response is lost", "fails");
  delayResponses(true);
  for (const text of ["A", "B", "C"]) first.sendText(text);
  first.outbox.setText("D, half wri");
  await flushPromises();
  first.close();
  delayResponses(false);
  await flushPromises();

  const second = openTab();
  await second.outbox.start();
  await flushPromises();
  while (second.outbox.getState().delay) {
    goOnline();
    await flushPromises();
  }
  expect(texts()).toEqual(["A", "B", "C"]);
  expect(second.inputText()).toBe("D, half wri");
});

test("shows another tab's messages, and continues to send them when that tab closes", async () => {
  const { openTab, outcomes, goOnline, texts } = createBrowser();
  const first = openTab();
  const second = openTab();
  await Promise.all([first.outbox.start(), second.outbox.start()]);
  outcomes.push("fails", "fails");
  first.sendText("A");
  await flushPromises();
  first.sendText("B");
  await flushPromises();
  expect(second.entries()).toEqual(["A waiting", "B waiting"]);
  expect(texts()).toEqual([]);

  first.close();
  await flushPromises();
  goOnline();
  await flushPromises();
  expect(texts()).toEqual(["A", "B"]);
});

test("another user of the browser neither sees nor sends a user's messages", async () => {
  const { openTab, outcomes, room } = createBrowser();
  const ana = openTab("ana");
  await ana.outbox.start();
  outcomes.push("fails");
  ana.sendText("A");
  ana.outbox.setText("Half wri");
  await flushPromises();
  ana.close();

  const tomas = openTab("tomas");
  await tomas.outbox.start();
  tomas.sendText("Mine");
  await flushPromises();
  expect(tomas.entries()).toEqual(["Mine sent"]);
  expect(room.map(({ text, uid }) => [text, uid])).toEqual([["Mine", "tomas"]]);

  const again = openTab("ana");
  await again.outbox.start();
  await flushPromises();
  expect(again.inputText()).toBe("Half wri");
  expect(room.map(({ text, uid }) => [text, uid])).toEqual([
    ["Mine", "tomas"],
    ["A", "ana"],
  ]);
});

test("keeps what is typed while another tab's change is being read, whenever that happens", async () => {
  for (let moment = 0; moment < 30; moment += 1) {
    const { openTab } = createBrowser();
    const [first, second] = [openTab(), openTab()];
    await Promise.all([first.outbox.start(), second.outbox.start()]);

    second.sendText("A");
    for (let step = 0; step < moment; step += 1) await Promise.resolve();
    first.outbox.setText("Half wri");
    await flushPromises();

    expect(first.inputText(), `after ${moment} steps`).toBe("Half wri");
  }
});

test("a tab keeps what was sent and typed, whenever it is reloaded", async () => {
  for (let moment = 0; moment < 30; moment += 1) {
    const { openTab, texts } = createBrowser();
    const first = openTab();
    await first.outbox.start();
    first.outbox.setText("Before");
    await flushPromises();

    first.sendText("A");
    first.outbox.setText("Half wri");
    for (let step = 0; step < moment; step += 1) await Promise.resolve();
    first.close();
    const second = openTab("ana", first.tabCopy);
    await second.outbox.start();
    await flushPromises();

    expect(texts(), `after ${moment} steps`).toEqual(["A"]);
    expect(second.inputText(), `after ${moment} steps`).toBe("Half wri");
  }
});

test("a tab keeps a message that is being edited, whenever it is reloaded", async () => {
  for (let moment = 0; moment < 30; moment += 1) {
    const { clock, openTab, outcomes } = createBrowser();
    const first = openTab();
    await first.outbox.start();
    outcomes.push("is denied");
    first.sendText("A");
    await flushPromises();
    clock.now += 1000;

    const id = first.outbox.getState().entries[0]?.id ?? "";
    void first.outbox.edit(id);
    for (let step = 0; step < moment; step += 1) await Promise.resolve();
    first.close();
    const second = openTab("ana", first.tabCopy);
    await second.outbox.start();

    const texts = [...second.entries(), second.inputText()].filter(Boolean);
    expect([["A failed", "A"], ["A"]], `after ${moment} steps`).toContainEqual(texts);
  }
});

test("a tab that is reloaded before its outbox is loaded keeps what was sent", async () => {
  const { openTab, texts } = createBrowser();
  const first = openTab();
  first.sendText("A");
  void first.outbox.start();
  first.close();
  const second = openTab("ana", first.tabCopy);
  second.sendText("B");
  second.close();
  const third = openTab("ana", second.tabCopy);
  await third.outbox.start();
  await flushPromises();

  expect(texts()).toEqual(["A", "B"]);
});

test("a tab that is opened again much later keeps what was typed in another tab since", async () => {
  const { clock, openTab } = createBrowser();
  const first = openTab();
  await first.outbox.start();
  first.outbox.setText("Old");
  first.close();
  await flushPromises();

  const second = openTab();
  await second.outbox.start();
  clock.now = 60_000;
  second.outbox.setText("New");
  await flushPromises();
  const third = openTab("ana", first.tabCopy);
  await third.outbox.start();

  expect(third.inputText()).toBe("New");
});
