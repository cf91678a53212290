import type { Mutation } from "./mutation.ts";

const OUTBOX = "app/chat/outbox.ts";
const MESSAGES = "app/chat/messages.server.ts";

const OUTBOX_TESTS = ["tests/chat/outbox.test.ts"];
const MESSAGE_TESTS = ["tests/chat/room.test.ts"];

/** Messages: the browser's outbox, and the server. */
export const CHAT_MUTATIONS: readonly Mutation[] = [
  {
    name: "sends one message at a time",
    file: OUTBOX,
    original: ' || state.queue.some(({ status }) => status === "sending")',
    replacement: "",
    tests: OUTBOX_TESTS,
  },
  {
    name: "a failed message stops the messages after it",
    file: OUTBOX,
    original: "update({ ...change, isPaused: true, error });",
    replacement: "update({ ...change, isPaused: false, error });",
    tests: OUTBOX_TESTS,
  },
  {
    name: "a failed message does not replace what is being typed",
    file: OUTBOX,
    original: "const change = isEmpty()\n",
    replacement: "const change = !isEmpty()\n",
    tests: OUTBOX_TESTS,
  },
  {
    name: "sends an unchanged failed message again with the same id",
    file: OUTBOX,
    original: "returned?.text.trim() === text ? returned.id : input.id",
    replacement: "input.id",
    tests: OUTBOX_TESTS,
  },
  {
    name: "sends a changed text with a new id",
    file: OUTBOX,
    original: "returned?.text.trim() === text ? returned.id : input.id",
    replacement: "returned?.id ?? input.id",
    tests: OUTBOX_TESTS,
  },
  {
    name: "sends a failed message before the waiting ones",
    file: OUTBOX,
    original: "const next = returned ? state.queue.findIndex(isNext) : -1;",
    replacement: "const next = returned ? state.queue.findLastIndex(isNext) : -1;",
    tests: OUTBOX_TESTS,
  },
  {
    name: "treats a message in the feed as sent, even if its request failed",
    file: OUTBOX,
    original: "} else if (message.isShown) {",
    replacement: '} else if (message.isShown && message.text === "") {',
    tests: OUTBOX_TESTS,
  },
  {
    name: "removes a message that was sent from the input",
    file: OUTBOX,
    original: "const isUnchanged = input.text === input.returned.text;",
    replacement: "const isUnchanged = input.text !== input.returned.text;",
    tests: OUTBOX_TESTS,
  },
  {
    name: "rejects a message that was written by another user",
    file: MESSAGES,
    original:
      '  if ((form.get("messageUid") || user.uid) !== user.uid) return fail("other-user");\n',
    replacement: "",
    tests: MESSAGE_TESTS,
  },
  {
    name: "does not store a message twice",
    file: MESSAGES,
    original: 'if (storedId !== undefined) return { status: "sent", id: storedId };',
    replacement: "",
    tests: MESSAGE_TESTS,
  },
  {
    name: "compares the sender of a stored message",
    file: MESSAGES,
    original: "stored.uid === uid && stored.text === text",
    replacement: "stored.text === text",
    tests: MESSAGE_TESTS,
  },
  {
    name: "limits messages to five in ten seconds",
    file: "app/session/rate-record.server.ts",
    original: "const waitMs = Math.max(...waits);",
    replacement: "const waitMs = Math.min(...waits);",
    tests: MESSAGE_TESTS,
  },
];
