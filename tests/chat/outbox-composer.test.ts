import { expect, test } from "vitest";

import { toError } from "#app/chat/post-message.ts";
import { createOutboxes } from "#app/chat/outbox/use-outbox.ts";
import { createBrowser, flushPromises } from "#tests/support/outbox-browser.ts";

test("returns the last message to the composer when the user is signed out", async () => {
  const { openTab, outcomes, delayResponses, texts } = createBrowser();
  const { outbox, sendText, inputText, entries } = openTab();
  outbox.start();
  outcomes.push("is signed out");
  delayResponses(true);
  sendText("A");
  await flushPromises();
  sendText("B");
  await flushPromises();
  expect(inputText()).toBe("");
  delayResponses(false);
  await flushPromises();
  expect(inputText()).toBe("B");
  expect(entries()).toEqual(["A waiting"]);
  expect(outbox.getState().error).toMatchObject({ reason: "unauthenticated" });
  expect(texts()).toEqual([]);

  outbox.start();
  expect(outbox.getState().error).toBeNull();
  await flushPromises();
  outbox.send();
  await flushPromises();
  expect(texts()).toEqual(["A", "B"]);
});

test("does not store a message twice whose response was lost before the user was signed out", async () => {
  const { openTab, outcomes, goOnline, texts } = createBrowser();
  const { outbox, sendText, inputText } = openTab();
  outbox.start();
  outcomes.push("response is lost", "is signed out");
  sendText("A");
  await flushPromises();
  goOnline();
  await flushPromises();
  expect(inputText()).toBe("A");

  outbox.send();
  await flushPromises();
  expect(texts()).toEqual(["A"]);
});

test("keeps what is being typed when the user is signed out", async () => {
  const { openTab, outcomes, delayResponses } = createBrowser();
  const { outbox, sendText, inputText, entries } = openTab();
  outbox.start();
  outcomes.push("is signed out");
  delayResponses(true);
  sendText("A");
  await flushPromises();
  outbox.setText("B, half wri");
  delayResponses(false);
  await flushPromises();

  expect(inputText()).toBe("B, half wri");
  expect(entries()).toEqual(["A waiting"]);
});

test("keeps the stored text and what was typed or quoted before it was loaded", async () => {
  const { openTab } = createBrowser();
  const first = openTab();
  first.outbox.start();
  first.outbox.setText("Half wri");
  await flushPromises();
  first.close();

  const second = openTab();
  second.outbox.appendText("A quote");
  await flushPromises();
  second.outbox.start();
  expect(second.inputText()).toBe("Half wri\nA quote");
  await flushPromises();
  second.close();

  const third = openTab();
  third.outbox.start();
  expect(third.inputText()).toBe("Half wri\nA quote");
});

test("sends a restored message with its own id, and does not overwrite typed text", async () => {
  const { openTab, posts } = createBrowser();
  const returned = { id: "lost", text: "A" };
  const error = toError(returned, "unavailable", "");
  const { outbox } = openTab();
  outbox.start();
  outbox.restore({ id: "next", text: "A", returned }, error);
  expect(outbox.getState()).toMatchObject({ error });
  outbox.send();
  await flushPromises();
  expect(posts).toMatchObject([{ id: "lost", text: "A" }]);

  const other = createBrowser().openTab();
  other.outbox.setText("Typed");
  other.outbox.restore({ id: "next", text: "A", returned }, error);
  expect(other.inputText()).toBe("Typed");
});

test("empties the composer when the feed shows a restored message", async () => {
  const { openTab } = createBrowser();
  const { outbox, inputText } = openTab();
  const returned = { id: "lost", text: "A" };
  outbox.restore({ id: "next", text: "A", returned }, toError(returned, "unavailable", ""));

  outbox.markShown(new Set(["lost"]));
  expect(inputText()).toBe("");
  expect(outbox.getState().error).toBeNull();
});

test("appends lines below the typed text", () => {
  const { outbox, inputText } = createBrowser().openTab();
  outbox.appendText("One");
  outbox.appendText("Two");

  expect(inputText()).toBe("One\nTwo");
});

test("keeps a text that is too long in the composer, and does not send an empty one", async () => {
  const { openTab, posts } = createBrowser();
  const { outbox, sendText, inputText } = openTab();
  outbox.start();
  outbox.setText("x".repeat(4001));
  expect(outbox.send()).toBe(false);
  await flushPromises();
  expect(inputText()).toHaveLength(4001);
  expect(outbox.getState().error).toMatchObject({
    reason: "invalid",
    message: "Not sent.",
    hint: "A message can have up to 4,000 characters.",
  });
  expect(posts).toEqual([]);
  sendText("x".repeat(4000));
  await flushPromises();
  expect(posts).toHaveLength(1);

  sendText("  \n ");
  await flushPromises();
  expect(posts).toHaveLength(1);
});

test("creates one outbox per user of a tab", () => {
  const outboxes = createOutboxes();
  outboxes.get("ana").setText("Mine alone");

  expect(outboxes.get("tomas").getState().input).toBeNull();
  expect(outboxes.get(undefined).getState().input).toBeNull();
  expect(outboxes.get("ana").getState().input?.text).toBe("Mine alone");
});

test("restores a submitted message once, and only for the user who wrote it", () => {
  const outboxes = createOutboxes();
  const submitted = { status: "unsent", id: "one", text: "A" } as const;
  const input = { id: "one", text: "A", returned: null };

  outboxes.restore("ana", input, submitted);
  outboxes.get("ana").setText("");
  outboxes.restore("ana", input, submitted);
  outboxes.restore("tomas", input, submitted);

  expect(outboxes.get("ana").getState().input?.text).toBe("");
  expect(outboxes.get("tomas").getState().input).toBeNull();
});

test("keeps the text in the composer until the user who wrote it has signed in", async () => {
  const { openTab, posts, texts } = createBrowser();
  const { outbox, inputText } = openTab();
  const input = { id: "next", text: "A", returned: null };
  outbox.restore(input, toError(input, "other-user", ""));
  outbox.send();
  await flushPromises();
  expect(inputText()).toBe("A");
  expect(posts).toEqual([]);

  outbox.start();
  outbox.send();
  await flushPromises();
  expect(texts()).toEqual(["A"]);
});

test("keeps an unfinished edit in every tab and over a reload, for its user alone", async () => {
  const { openTab } = createBrowser();
  const tab = openTab();
  const other = openTab();
  const stranger = openTab("tomas");
  for (const { outbox } of [tab, other, stranger]) outbox.start();
  const edits = ({ outbox }: typeof tab) =>
    outbox.getState().edits.map(({ id, text }) => [id, text]);

  tab.outbox.setEdit("m1", "Hel");
  tab.outbox.setEdit("m2", "Good by");
  tab.outbox.setEdit("m1", "Hello");
  expect(edits(tab)).toEqual([
    ["m2", "Good by"],
    ["m1", "Hello"],
  ]);
  await flushPromises();
  expect(edits(other)).toEqual(edits(tab));
  expect(edits(stranger)).toEqual([]);

  tab.outbox.setEdit("m2", null);
  tab.outbox.setEdit("m1", "Hello th");
  tab.close();
  const reloaded = openTab();
  reloaded.outbox.start();
  expect(edits(reloaded)).toEqual([["m1", "Hello th"]]);
  await flushPromises();
  expect(edits(other)).toEqual(edits(reloaded));
});

test("keeps the last ten edits", () => {
  const { openTab } = createBrowser();
  const { outbox } = openTab();
  outbox.start();
  for (let number = 0; number < 13; number += 1) outbox.setEdit(`m${number}`, `Edit ${number}`);
  outbox.setEdit("m3", "Edit 3 again");

  const ids = outbox.getState().edits.map(({ id }) => id);
  expect(ids).toEqual(["m4", "m5", "m6", "m7", "m8", "m9", "m10", "m11", "m12", "m3"]);
});

test("a reply names its message through failing, editing, waiting and signing in", async () => {
  const { openTab, outcomes, posts, goOnline } = createBrowser();
  const { outbox, entries } = openTab();
  outbox.start();
  const reply = { id: "original", lines: "> Tomas: Why?\n" };
  outbox.setReply(reply);
  outbox.setText("Because.");
  expect(outbox.getState().input).toMatchObject({ text: "Because.", replyTo: "original" });

  outcomes.push("is denied", "fails", "is signed out");
  outbox.send();
  await flushPromises();
  expect(entries()).toEqual(["> Tomas: Why?\nBecause. failed"]);
  expect(outbox.getState().input?.text).toBe("");
  expect(outbox.getState().input?.replyTo).toBeUndefined();
  outbox.edit(outbox.getState().entries[0]?.id ?? "");
  const typed = { text: "Because.", replyTo: "original", answered: reply.lines };
  expect(outbox.getState().input).toMatchObject(typed);

  outbox.send();
  await flushPromises();
  goOnline();
  await flushPromises();
  expect(outbox.getState().input).toMatchObject(typed);
  outbox.start();
  outbox.send();
  await flushPromises();
  const message = { text: "> Tomas: Why?\nBecause.", replyTo: "original" };
  expect(posts).toHaveLength(4);
  for (const post of posts) expect(post).toMatchObject(message);
  // The server may have stored what it did not accept for a signed-out user.
  expect(posts[3]?.id).toBe(posts[2]?.id);
});

test("a half-written reply is still one in other tabs, and after a reload", async () => {
  const { openTab, posts } = createBrowser();
  const [first, second] = [openTab(), openTab()];
  for (const { outbox } of [first, second]) outbox.start();

  first.outbox.setReply({ id: "original", lines: "> Tomas: Why?\n" });
  first.outbox.setText("Beca");
  await flushPromises();
  second.outbox.setText("Because");
  await flushPromises();
  const reply = { text: "Because", replyTo: "original", answered: "> Tomas: Why?\n" };
  for (const { outbox } of [first, second]) expect(outbox.getState().input).toMatchObject(reply);
  first.close();
  second.close();

  const next = openTab();
  next.outbox.appendText("And more.");
  next.outbox.start();
  next.outbox.send();
  await flushPromises();
  expect(posts).toMatchObject([{ text: "> Tomas: Why?\nBecause\nAnd more.", replyTo: "original" }]);
  const last = openTab();
  last.outbox.start();
  last.outbox.setText("Plain");
  expect(last.outbox.getState().input?.replyTo).toBeUndefined();
});

test("a reply that another tab takes away is a plain message here, too", async () => {
  const { openTab } = createBrowser();
  const [first, second] = [openTab(), openTab()];
  for (const { outbox } of [first, second]) outbox.start();
  first.outbox.setReply({ id: "original", lines: "> Tomas: Why?\n" });
  first.outbox.setText("Because");
  await flushPromises();

  second.outbox.setReply(null);
  await flushPromises();

  expect(first.outbox.getState().input).toMatchObject({ text: "Because", replyTo: undefined });
});

test("a reply that is taken away leaves the text, and another failed reply becomes text", async () => {
  const { openTab, outcomes, posts } = createBrowser();
  const { outbox } = openTab();
  outbox.start();
  outbox.setReply({ id: "one", lines: "> Tomas: One\n" });
  outbox.setText("First");
  outcomes.push("is denied");
  outbox.send();
  await flushPromises();

  outbox.setReply({ id: "two", lines: "> Tomas: Two\n" });
  outbox.setText("Second");
  outbox.edit(outbox.getState().entries[0]?.id ?? "");
  expect(outbox.getState().input).toMatchObject({
    text: "Second\n> Tomas: One\nFirst",
    replyTo: "two",
  });
  outbox.setReply(null);
  outbox.send();
  await flushPromises();
  expect(posts.at(-1)).toMatchObject({ text: "Second\n> Tomas: One\nFirst", replyTo: undefined });
});
