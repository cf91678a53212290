import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { ActionResult } from "#app/session/action-result.ts";
import { createMessageActions, UNDO_MS } from "#app/chat/message-actions.ts";
import type { Message } from "#app/chat/message.ts";
import { addReply, readAnswered, splitReply, formatReply } from "#app/chat/quotes/quote.ts";
import { foldHidden } from "#app/chat/panel/message-list.tsx";
import { PROFILE_TABS } from "#app/profile/profile-view.ts";

const DONE: ActionResult = { status: "done" };
const FAILED: ActionResult = {
  status: "error",
  reason: "unavailable",
  message: "We can't reach the room right now.",
  hint: "Nothing was changed; try again.",
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start(response: () => ActionResult = () => DONE) {
  const posts: [string, Record<string, string>][] = [];
  const stored: string[][] = [];
  const actions = createMessageActions({
    uid: "ana",
    now: Date.now,
    onHiddenChange: (uids) => stored.push(uids),
    post: async (path, form) => {
      posts.push([path, form]);
      return response();
    },
  });
  return { actions, posts, stored };
}

const DELETE_ONE = ["/rooms/general/messages/one", { intent: "delete", uid: "ana" }];

test("deletes a message once, after ten seconds", async () => {
  const { actions, posts } = start();

  actions.delete("one");
  await vi.advanceTimersByTimeAsync(4000);
  actions.delete("one");
  await vi.advanceTimersByTimeAsync(5999);
  expect(posts).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);

  expect(posts).toEqual([DELETE_ONE]);
  expect(actions.getState().deletions.get("one")).toEqual({ status: "sent" });
  actions.undo("one");
  expect(actions.getState().deletions.has("one")).toBe(true);
  actions.delete("one");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(posts).toEqual([DELETE_ONE]);
});

test("deletes nothing that was undone, and can delete it afterwards", async () => {
  const { actions, posts } = start();

  actions.delete("one");
  actions.undo("one");
  await vi.advanceTimersByTimeAsync(2 * UNDO_MS);
  expect(posts).toEqual([]);
  expect(actions.getState().deletions.size).toBe(0);

  actions.delete("one");
  void actions.flush();
  void actions.flush();
  await vi.advanceTimersByTimeAsync(2 * UNDO_MS);
  expect(posts).toEqual([DELETE_ONE]);
});

test("waits until the server has deleted what could still be undone", async () => {
  let respond = (_result: ActionResult) => {};
  const actions = createMessageActions({
    uid: "ana",
    now: Date.now,
    post: () => new Promise((resolve) => (respond = resolve)),
  });
  actions.delete("one");
  let isFlushed = false;
  void actions.flush().then(() => (isFlushed = true));

  await vi.advanceTimersByTimeAsync(UNDO_MS);
  expect(isFlushed).toBe(false);
  respond(DONE);
  await vi.advanceTimersByTimeAsync(0);
  expect(isFlushed).toBe(true);
});

test("shows a message again if it could not be deleted, unless it was deleted elsewhere", async () => {
  const failing = start(() => FAILED);
  failing.actions.delete("one");
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  expect(failing.actions.getState()).toMatchObject({
    deletions: new Map(),
    deletedIds: new Set(),
    notice: { severity: "error", message: "We couldn't delete your message." },
  });

  const { actions } = start(() => ({ ...FAILED, reason: "gone" }));
  actions.delete("one");
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  expect(actions.getState().deletions.get("one")).toEqual({ status: "sent" });
  expect(actions.getState().deletedIds).toEqual(new Set(["one"]));
  expect(actions.getState().notice).toBeNull();
});

test("hides a person at once, and shows them again if that failed", async () => {
  const { actions, posts, stored } = start();
  const hiding = actions.hide({ uid: "tomas", name: "Tomas" });
  expect([...actions.getState().hiddenUids]).toEqual(["tomas"]);
  await hiding;
  expect(posts).toEqual([
    ["/rooms/general/hidden", { intent: "hide", person: "tomas", name: "Tomas", uid: "ana" }],
  ]);
  expect(stored.at(-1)).toEqual(["tomas"]);
  const tab = PROFILE_TABS.find(({ id }) => id === "hidden")?.label;
  expect(actions.getState().notice?.hint).toBe(`You can undo this on your profile, under ${tab}.`);

  const failing = start(() => FAILED);
  await failing.actions.hide({ uid: "tomas", name: "\u202ETomas\u2069" });
  expect(failing.actions.getState()).toMatchObject({
    hiddenUids: new Set(),
    notice: { severity: "error", message: "We couldn't hide Tomas." },
  });
});

test("a list that was requested before a change does not undo it", async () => {
  const { actions } = start();
  let response = (_uids: string[]) => {};
  const loading = actions.loadHidden(() => new Promise((resolve) => (response = resolve)));
  await actions.hide({ uid: "tomas", name: "Tomas" });
  response([]);
  await loading;
  expect([...actions.getState().hiddenUids]).toEqual(["tomas"]);

  await actions.loadHidden(async () => ["mira"]);
  expect([...actions.getState().hiddenUids]).toEqual(["mira"]);
  await actions.loadHidden(async () => null);
  expect([...actions.getState().hiddenUids]).toEqual(["mira"]);
});

test("keeps a person hidden when a list from before is loaded meanwhile", async () => {
  let respond = (_result: ActionResult) => {};
  const actions = createMessageActions({
    uid: "ana",
    now: Date.now,
    post: () => new Promise((resolve) => (respond = resolve)),
  });
  const hiding = actions.hide({ uid: "tomas", name: "Tomas" });
  await actions.loadHidden(async () => ["mira"]);

  respond(DONE);
  await hiding;

  expect([...actions.getState().hiddenUids]).toEqual(["mira", "tomas"]);
});

function createMessage(id: string, uid: string): Message {
  return { id, uid, text: id, displayName: uid, photoURL: null, createdAt: 1 };
}

test("folds consecutive messages of hidden people", () => {
  const messages = [
    createMessage("1", "ana"),
    createMessage("2", "tomas"),
    createMessage("3", "mira"),
    createMessage("4", "ana"),
    createMessage("5", "tomas"),
    createMessage("6", "tomas"),
  ];
  const feed = foldHidden(messages, {
    hiddenUids: new Set(["tomas", "mira"]),
    revealedIds: new Set(["5"]),
  });

  expect(feed.map(({ id, foldedIds }) => [id, foldedIds])).toEqual([
    ["1", undefined],
    ["2", ["2", "3"]],
    ["4", undefined],
    ["5", undefined],
    ["6", ["6"]],
  ]);
});

test.each([
  ["Hello", "> Ana: Hello\n\n"],
  ["One\nTwo", "> Ana: One\n> Two\n\n"],
  // A reply is about the same passage.
  ["“Rain.”\n/read/salt#p-1\nMy favourite", "“Rain.”\n/read/salt#p-1\n> Ana: My favourite\n\n"],
  ["“Rain.”\n/read/salt#p-1\n", "“Rain.”\n/read/salt#p-1\n> Ana\n\n"],
  ["x".repeat(700), `> Ana: ${"x".repeat(600)}…\n\n`],
])("a reply begins with the message %j", (text, reply) => {
  expect(formatReply({ displayName: "Ana", text })).toBe(reply);
  expect(formatReply({ displayName: "\u202EAna\u2069", text })).toBe(reply);
});

test.each(["Mira: night shift", "Mira:: night: shift", "Mira:\u202E night shift"])(
  "a reply to %j repeats none of the name as words",
  (displayName) => {
    const reply = formatReply({ displayName, text: "Hello" });

    expect(readAnswered(reply)).toEqual({ name: "Mira night shift", words: "Hello" });
  },
);

test("whatever a reply and its original are, the answer stays whole", () => {
  const text = fc
    .string({ unit: fc.constantFrom(">", " ", "a", ":", "(", "\n", "\r", "\u2028"), minLength: 1 })
    .map((typed) => typed.trim())
    .filter((typed) => typed !== "");
  fc.assert(
    fc.property(text, text, (original, answer) => {
      const lines = formatReply({ displayName: "Ana", text: original });

      expect(splitReply(addReply(answer, lines))).toEqual([lines, answer]);
    }),
  );
});

test("a reply to a reply repeats only the answer", () => {
  const text = "“Rain.”\n/read/salt#p-1\n> Tomas: One\n> Two\nThree\n> Four";
  const topic = { number: 1, replyTo: "first" };
  const quote = "“Rain.”\n/read/salt#p-1\n";
  expect(formatReply({ displayName: "Ana", text, topic })).toBe(
    `${quote}> Ana: Three\n> > Four\n\n`,
  );
  // Anybody may type such lines.
  expect(formatReply({ displayName: "Ana", text })).toContain("> Ana: > Tomas: One\n");
});
