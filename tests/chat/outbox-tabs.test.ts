import { expect, test } from "vitest";

import { createBrowser, flushPromises } from "#tests/support/outbox-browser.ts";

test("sends the messages of a crashed tab once, and restores its half-written text", async () => {
  const { openTab, outcomes, goOnline, texts, delayResponses } = createBrowser();
  const first = openTab();
  first.outbox.start();
  outcomes.push("succeeds", "response is lost", "fails");
  delayResponses(true);
  for (const text of ["A", "B", "C"]) first.sendText(text);
  first.outbox.setText("D, half wri");
  await flushPromises();
  first.close();
  delayResponses(false);
  await flushPromises();

  const second = openTab();
  second.outbox.start();
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
  first.outbox.start();
  second.outbox.start();
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
  ana.outbox.start();
  outcomes.push("fails");
  ana.sendText("A");
  ana.outbox.setText("Half wri");
  await flushPromises();
  ana.close();

  const tomas = openTab("tomas");
  tomas.outbox.start();
  tomas.sendText("Mine");
  await flushPromises();
  expect(tomas.entries()).toEqual(["Mine sent"]);
  expect(room.map(({ text, uid }) => [text, uid])).toEqual([["Mine", "tomas"]]);

  const again = openTab("ana");
  again.outbox.start();
  await flushPromises();
  expect(again.inputText()).toBe("Half wri");
  expect(room.map(({ text, uid }) => [text, uid])).toEqual([
    ["Mine", "tomas"],
    ["A", "ana"],
  ]);
});

test("a tab that is closed at once keeps what was sent, typed and moved to the composer", async () => {
  const { openTab, outcomes, texts } = createBrowser();
  const first = openTab();
  first.outbox.start();
  outcomes.push("is denied");
  first.sendText("A");
  await flushPromises();
  first.sendText("B");
  first.outbox.setText("Half wri");
  first.outbox.edit(first.outbox.getState().entries[0]?.id ?? "");
  first.close();

  const second = openTab();
  second.outbox.start();
  await flushPromises();
  expect(second.entries()).toEqual(["B sent"]);
  expect(second.inputText()).toBe("Half wri\nA");
  expect(texts()).toEqual(["B"]);
});

test("a tab takes over what another tab types", async () => {
  const { openTab } = createBrowser();
  const [first, second] = [openTab(), openTab()];
  for (const { outbox } of [first, second]) outbox.start();

  first.outbox.setText("Half wri");
  await flushPromises();
  expect(second.inputText()).toBe("Half wri");
  second.outbox.setText("Half written");
  await flushPromises();
  expect(first.inputText()).toBe("Half written");
});
