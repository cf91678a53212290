import * as fc from "fast-check";
import { expect, test } from "vitest";

import { createBrowser, flushPromises } from "#tests/support/outbox-browser.ts";

test("keeps for the visit what the full storage does not store, and says that it needs the page", async () => {
  const { goOnline, openTab, outcomes, storage, texts } = createBrowser();
  const { outbox, entries, inputText, sendText, close } = openTab();
  outbox.start();
  outbox.setText("Half");
  expect(outbox.isPersistent()).toBe(true);
  storage.isFull = true;
  outcomes.push("fails");

  sendText("A message that does not fit");
  outbox.setText("Half written");
  outbox.setEdit("m1", "Hello");
  await flushPromises();

  expect(entries()).toEqual(["A message that does not fit waiting"]);
  expect(outbox.isPersistent()).toBe(false);
  expect(inputText()).toBe("Half written");
  expect(outbox.getState().edits).toMatchObject([{ id: "m1", text: "Hello" }]);
  goOnline();
  await flushPromises();
  expect(texts()).toEqual(["A message that does not fit"]);
  close();
  const next = openTab();
  next.outbox.start();
  expect(next.inputText()).toBe("");
});

test("stores again what a tab has after the user has deleted the site's data", async () => {
  const { goOnline, openTab, outcomes, storage, texts } = createBrowser();
  const { outbox, entries, sendText, close } = openTab();
  outbox.start();
  outcomes.push("fails", "is denied");
  sendText("A");
  outbox.setEdit("m1", "Hello");
  outbox.setReply({ id: "original", lines: "> Tomas: Why?\n" });
  outbox.setText("Half wri");
  await flushPromises();

  storage.clear();
  outbox.setText("Half written");
  expect(entries()).toEqual(["A waiting"]);
  storage.clear();
  goOnline();
  await flushPromises();
  expect(entries()).toEqual(["A failed"]);
  close();

  const next = openTab();
  next.outbox.start();
  expect(next.entries()).toEqual(["A failed"]);
  expect(next.outbox.getState().input).toMatchObject({
    text: "Half written",
    replyTo: "original",
  });
  expect(next.outbox.getState().edits).toMatchObject([{ id: "m1", text: "Hello" }]);
  expect(texts()).toEqual([]);
});

test("ignores what it cannot read, whatever is stored", async () => {
  const key = fc.constantFrom(
    "inkglade.message.ana.m1",
    "inkglade.message.ana.",
    "inkglade.edit.ana.m1",
    "inkglade.composer.ana",
  );
  const part = fc.record(
    {
      id: fc.jsonValue(),
      text: fc.jsonValue(),
      status: fc.constantFrom("sent", "pending", null),
      order: fc.jsonValue(),
      stored: fc.jsonValue(),
      replyTo: fc.jsonValue(),
      answered: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const value = fc.oneof(
    fc.string(),
    fc.json(),
    part.map((one) => JSON.stringify(one)),
  );
  const property = fc.asyncProperty(fc.array(fc.tuple(key, value)), async (items) => {
    const { openTab, storage, texts } = createBrowser();
    for (const [name, item] of items) storage.setItem(name, item);
    const { outbox, sendText } = openTab();
    outbox.start();
    outbox.markShown(new Set());
    sendText("A");
    await flushPromises();

    expect(texts()).toHaveLength(1);
    const { edits, entries } = outbox.getState();
    for (const { text } of [...edits, ...entries]) expect(typeof text).toBe("string");
    for (const { replyTo } of entries) expect(["string", "undefined"]).toContain(typeof replyTo);
  });
  await fc.assert(property);
});
