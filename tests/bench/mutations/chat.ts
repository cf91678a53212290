import type { Mutation } from "./mutation.ts";

const OUTBOX = "app/chat/outbox.ts";
const ROOM = "app/chat/messages.server.ts";
const ROOM_ROUTE = "app/chat/room.server.ts";

const OUTBOX_TESTS = ["tests/chat/outbox.test.ts"];
const ROOM_TESTS = ["tests/chat/room.test.ts"];

/** Messages: the outbox of the browser, and what the server does with them. */
export const CHAT_MUTATIONS: readonly Mutation[] = [
  {
    name: "one message is posted at a time",
    file: OUTBOX,
    original: ' || state.queue.some(({ status }) => status === "sending")',
    replacement: "",
    tests: OUTBOX_TESTS,
  },
  {
    name: "a failed message holds back those behind it",
    file: OUTBOX,
    original: "update({ ...change, isPaused: true, refusal });",
    replacement: "update({ ...change, isPaused: false, refusal });",
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
    name: "a message that came back is sent under its own id",
    file: OUTBOX,
    original: "returned?.text.trim() === text ? returned.id : draft.id",
    replacement: "draft.id",
    tests: OUTBOX_TESTS,
  },
  {
    name: "other words have another id",
    file: OUTBOX,
    original: "returned?.text.trim() === text ? returned.id : draft.id",
    replacement: "returned?.id ?? draft.id",
    tests: OUTBOX_TESTS,
  },
  {
    name: "what came back goes before those that wait",
    file: OUTBOX,
    original: "const next = returned ? state.queue.findIndex(isNext) : -1;",
    replacement: "const next = returned ? state.queue.findLastIndex(isNext) : -1;",
    tests: OUTBOX_TESTS,
  },
  {
    name: "a message that the feed shows has arrived, whatever its answer",
    file: OUTBOX,
    original: "} else if (message.isShown) {",
    replacement: '} else if (message.isShown && message.text === "") {',
    tests: OUTBOX_TESTS,
  },
  {
    name: "a message that arrived leaves the composer",
    file: OUTBOX,
    original: "const isUntouched = draft.text === draft.returned.text;",
    replacement: "const isUntouched = draft.text !== draft.returned.text;",
    tests: OUTBOX_TESTS,
  },
  {
    name: "a message made for another person is refused",
    file: ROOM_ROUTE,
    original: '  if (!isFrom(form, account)) return refuse("other-user");\n',
    replacement: "",
    tests: ROOM_TESTS,
  },
  {
    name: "a message that is stored is not stored again",
    file: ROOM,
    original: 'if (own !== undefined) return { status: "sent", id: own };',
    replacement: "",
    tests: ROOM_TESTS,
  },
  {
    name: "a stored message is another's unless its sender is the same",
    file: ROOM,
    original: "stored.fields.uid === uid && stored.fields.text === text",
    replacement: "stored.fields.text === text",
    tests: ROOM_TESTS,
  },
  {
    name: "five messages in ten seconds are enough",
    file: "app/session/rate-record.server.ts",
    original: "const waitMs = Math.max(...waits);",
    replacement: "const waitMs = Math.min(...waits);",
    tests: ROOM_TESTS,
  },
];
