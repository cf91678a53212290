import type { Mutation } from "./mutation.ts";

const OUTBOX = "app/chat/outbox/outbox.ts";
const CREATE_MESSAGE = "app/chat/create-message.server.ts";
const LIVE = "app/chat/live/live-stream.server.tsx";

const LIVE_TESTS = ["tests/chat/live.test.ts"];
const OUTBOX_TESTS = [
  "tests/chat/outbox.test.ts",
  "tests/chat/outbox-composer.test.ts",
  "tests/chat/outbox-properties.test.ts",
  "tests/chat/outbox-tabs.test.ts",
];
const MESSAGE_TESTS = ["tests/chat/room.test.ts"];

/** Messages: the browser's outbox, and the server. */
export const CHAT_MUTATIONS: readonly Mutation[] = [
  {
    name: "one tab sends at a time",
    file: OUTBOX,
    original: "await withLock(`inkglade.outbox.${key}`, sendAll);",
    replacement: "await sendAll();",
    tests: OUTBOX_TESTS,
  },
  {
    name: "sends a message with the same id at every attempt",
    file: OUTBOX,
    original: "const result = await post({ id, text,",
    replacement: "const result = await post({ id: createId(), text,",
    tests: OUTBOX_TESTS,
  },
  {
    name: "changes what other tabs have stored",
    file: OUTBOX,
    original: "entries: changeEntries(before.entries),",
    replacement: "entries: state.entries,",
    tests: OUTBOX_TESTS,
  },
  {
    name: "waits longer after each failed attempt",
    file: OUTBOX,
    original: ": Math.min(2 * retryMs, MAX_RETRY_MS);",
    replacement: ": Math.min(retryMs, MAX_RETRY_MS);",
    tests: OUTBOX_TESTS,
  },
  {
    name: "waits as long as the server says",
    file: OUTBOX,
    original: "wait(result.retryAfterMs ?? retryMs)",
    replacement: "wait(retryMs)",
    tests: OUTBOX_TESTS,
  },
  {
    name: "a returned message does not replace what is being typed",
    file: OUTBOX,
    original: 'if (getText().trim() !== "") return;',
    replacement: 'if (getText().trim() === "") return;',
    tests: OUTBOX_TESTS,
  },
  {
    name: "the last of several messages is returned, so that their order stays the same",
    file: OUTBOX,
    original: "state.entries.findLast(",
    replacement: "state.entries.find(",
    tests: OUTBOX_TESTS,
  },
  {
    name: "sends an unchanged returned message again with the same id",
    file: OUTBOX,
    original: "const id = isSame ? returned.id : createId();",
    replacement: "const id = createId();",
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
    name: "edits no message that another tab sends again",
    file: OUTBOX,
    original: 'entry.id === id && entry.status === "failed"',
    replacement: "entry.id === id",
    tests: OUTBOX_TESTS,
  },
  {
    name: "rejects a message that was written by another user",
    file: CREATE_MESSAGE,
    original: '(form.get("messageUid") || unchecked.user?.uid) === unchecked.user?.uid',
    replacement: "true",
    tests: MESSAGE_TESTS,
  },
  {
    name: "stores nothing of a session that has ended",
    file: CREATE_MESSAGE,
    original: 'if (!(await isSignedIn)) return { status: "unauthenticated" };',
    replacement: "",
    tests: ["tests/session/end-session.test.ts"],
  },
  {
    name: "reads a message's documents while its session is checked",
    file: CREATE_MESSAGE,
    original: "const { documents, readTime } = await firestore.batchGet(paths, call);",
    replacement:
      "await isSignedIn; const { documents, readTime } = await firestore.batchGet(paths, call);",
    tests: MESSAGE_TESTS,
  },
  {
    name: "does not store a message twice",
    file: CREATE_MESSAGE,
    original: 'if (storedId !== undefined) return { status: "sent", id: storedId };',
    replacement: "",
    tests: MESSAGE_TESTS,
  },
  {
    name: "compares the sender of a stored message",
    file: CREATE_MESSAGE,
    original: "stored.uid === uid && stored.text === text",
    replacement: "stored.text === text",
    tests: MESSAGE_TESTS,
  },
  {
    name: "limits messages to five in ten seconds",
    file: "app/session/rate-record.server.ts",
    original: "const waitMs = Math.max(...waits);",
    replacement: "const waitMs = Math.min(...waits);",
    tests: ["tests/chat/message-rate.test.ts"],
  },
  {
    name: "the frame without scripts shows no messages of hidden people",
    file: LIVE,
    original: "return added.filter(({ uid }) => !hiddenUids.has(uid));",
    replacement: "return added;",
    tests: LIVE_TESTS,
  },
  {
    name: "the frame without scripts stops reading when it is closed",
    file: LIVE,
    original: "cancel: () => ended.abort(),",
    replacement: "cancel: () => {},",
    tests: LIVE_TESTS,
  },
];
