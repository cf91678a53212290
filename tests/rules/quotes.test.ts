import { expect, test } from "vitest";

import { MAX_IDS, MAX_PASSAGES, getQuoteRecordPath } from "#app/chat/quotes/quote-record.server.ts";
import { readPassage } from "#app/chat/quotes/quote.ts";
import {
  createMessage,
  getMessagePath,
  PARAGRAPH,
  quote,
  readPassages,
  RECORD,
  createRecordChange,
  send,
  startRoom,
  STORY,
  TEXT,
} from "./quote-room.ts";
import { call, commit, createRecord, type Change, type TestUser } from "./requests.ts";

test("counts messages that quote a passage, and everyone can read the number", async () => {
  await using room = await startRoom();

  await quote(room, room.ana, "first");
  await quote(room, room.tomas, "second");

  expect(await readPassages(room.firebase)).toEqual({
    [PARAGRAPH]: { count: 2, ids: ["second", "first"], number: 4 },
  });
  expect(await call(room.firebase, null, "GET", RECORD)).toBe(200);
});

test("a message that quotes a passage is stored only together with its count", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;

  expect(await send(firebase, ana, createMessage(ana, "first"))).toBe(403);
  await quote(room, ana, "second");
  // The record contains the previous message, not this one.
  expect(await send(firebase, ana, createMessage(ana, "third"))).toBe(403);
});

test.each([
  "Hello",
  `“The tide.” /read/${STORY}#${PARAGRAPH}`,
  `“Over two\nlines”\n/read/${STORY}#${PARAGRAPH}`,
  `“The tide.”\n/read/${STORY}#newest`,
  `“The tide.”\n/read/${STORY}/${PARAGRAPH}`,
  `> “The tide.”\n/read/${STORY}#${PARAGRAPH}`,
  `“The tide.”\n/read/../${STORY}#${PARAGRAPH}`,
])("the app and the rules agree that %j quotes no passage", async (text) => {
  await using room = await startRoom();

  expect(readPassage(text)).toBeNull();
  expect(await send(room.firebase, room.ana, createMessage(room.ana, "first", text))).toBe(200);
});

test.each([`${TEXT}\n\nAnd more.`, `““Tide”, he said”\n/read/x#p-1`, `“x”\n/read/9#p-zz-12`])(
  "the app and the rules agree that %j quotes a passage",
  async (text) => {
    await using room = await startRoom();

    expect(readPassage(text)).not.toBeNull();
    expect(await send(room.firebase, room.ana, createMessage(room.ana, "first", text))).toBe(403);
  },
);

const ONE = { count: 1, ids: ["first"] };

test.each<[string, Change, string?]>([
  ["two", createRecordChange({ [PARAGRAPH]: { count: 2, ids: ["first"] } }, "first")],
  ["none", createRecordChange({ [PARAGRAPH]: { count: 0, ids: ["first"] } }, "first")],
  ["a half", createRecordChange({ [PARAGRAPH]: { count: 1.5, ids: ["first"] } }, "first")],
  [
    "another message's id",
    createRecordChange({ [PARAGRAPH]: { count: 1, ids: ["other"] } }, "first"),
  ],
  [
    "one id too many",
    createRecordChange({ [PARAGRAPH]: { count: 1, ids: ["first", "invented"] } }, "first"),
  ],
  ["no id", createRecordChange({ [PARAGRAPH]: { count: 1, ids: [] } }, "first")],
  ["another passage", createRecordChange({ "p-2": ONE }, "first", { paragraph: "p-2" })],
  ["a second passage", createRecordChange({ [PARAGRAPH]: ONE, "p-2": ONE }, "first")],
  ["a negative number", createRecordChange({ [PARAGRAPH]: { ...ONE, number: -1 } }, "first")],
  ["an unknown field", createRecordChange({ [PARAGRAPH]: ONE }, "first", { mood: "good" })],
  [
    "an unknown field of the passage",
    createRecordChange({ [PARAGRAPH]: Object.assign({ mood: "good" }, ONE) }, "first"),
  ],
  [
    "a time of its own",
    { ...createRecordChange({ [PARAGRAPH]: ONE }, "first", { at: new Date() }), times: [] },
  ],
  [
    "another story",
    { ...createRecordChange({ [PARAGRAPH]: ONE }, "first"), path: getQuoteRecordPath("x") },
  ],
  ["another message", createRecordChange({ [PARAGRAPH]: { count: 1, ids: ["gone"] } }, "gone")],
])("rejects a message that is counted as %s", async (_what, change) => {
  await using room = await startRoom();

  expect(await send(room.firebase, room.ana, createMessage(room.ana, "first"), change)).toBe(403);
});

test("rejects a count without a message", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas } = room;

  const invented = createRecordChange({ [PARAGRAPH]: { count: 1, ids: ["invented"] } }, "invented");
  expect(await commit(firebase, ana, invented)).toBe(403);
  expect(await commit(firebase, null, invented)).toBe(403);

  await quote(room, ana, "first");
  const again = createRecordChange({ [PARAGRAPH]: { count: 2, ids: ["first", "first"] } }, "first");
  expect(await commit(firebase, ana, again)).toBe(403);
  expect(await commit(firebase, tomas, again)).toBe(403);
});

test("rejects a count for a message that quotes nothing, or something else", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;
  const counted = createRecordChange({ [PARAGRAPH]: ONE }, "first");

  for (const text of ["Hello", TEXT.replace(PARAGRAPH, "p-2"), TEXT.replace(STORY, "another")]) {
    expect(await send(firebase, ana, createMessage(ana, "first", text), counted), text).toBe(403);
  }
});

test("keeps the ids of the newest twenty messages", async () => {
  await using room = await startRoom();
  const ids = Array.from({ length: MAX_IDS }, (_, index) => `before-${index}`);
  await room.setPassages({ [PARAGRAPH]: { count: 30, ids } });

  const all = createRecordChange({ [PARAGRAPH]: { count: 31, ids: ["first", ...ids] } }, "first");
  expect(await send(room.firebase, room.ana, createMessage(room.ana, "first"), all)).toBe(403);
  await quote(room, room.ana, "first");

  expect(await readPassages(room.firebase)).toEqual({
    [PARAGRAPH]: { count: 31, ids: ["first", ...ids.slice(0, -1)], number: 4 },
  });
});

test("a record has up to 200 passages, and messages about others are sent without a count", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;
  const others = Array.from({ length: MAX_PASSAGES - 1 }, (_, index) => [
    `p-${index}x`,
    { count: 1, ids: ["x"] },
  ]);
  await room.setPassages(Object.fromEntries(others));
  await quote(room, ana, "last");

  const more = TEXT.replace(PARAGRAPH, "p-zzz");
  const passages = { ...(await readPassages(firebase)), "p-zzz": ONE };
  const change = createRecordChange(passages, "first", { paragraph: "p-zzz" });
  expect(await send(firebase, ana, createMessage(ana, "first", more), change)).toBe(403);
  expect(await send(firebase, ana, createMessage(ana, "first", more))).toBe(200);
  expect(await send(firebase, ana, createMessage(ana, "second"))).toBe(403);
  expect(await call(firebase, ana, "DELETE", getMessagePath("first"))).toBe(200);
});

test("an edit changes neither what a message quotes nor that it quotes", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;
  await quote(room, ana, "first");
  expect(await send(firebase, ana, createMessage(ana, "plain", "Hello"))).toBe(200);

  async function edit(id: string, text: string): Promise<number> {
    const fields = { uid: ana.localId };
    const mark = { path: `rooms/general/edits/${id}`, fields, times: ["editedAt"] };
    const rate = await createRecord(firebase, ana, "messages", id);
    return commit(firebase, ana, { path: getMessagePath(id), fields: { text } }, mark, rate);
  }

  expect(await edit("first", "Nothing is quoted here")).toBe(403);
  expect(await edit("first", TEXT.replace(PARAGRAPH, "p-2"))).toBe(403);
  expect(await edit("first", TEXT.replace(STORY, "another"))).toBe(403);
  expect(await edit("plain", TEXT)).toBe(403);
  expect(await edit("first", TEXT.replace("Whose?", "Mine."))).toBe(200);
  expect(await edit("plain", "Hello there")).toBe(200);
});

test("nobody can delete a record, or write a malformed one", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;
  await quote(room, ana, "first");

  for (const user of [ana, room.tomas, null] satisfies TestUser[]) {
    expect(await call(firebase, user, "DELETE", RECORD)).toBe(403);
    expect(await call(firebase, user, "PATCH", RECORD, { passages: {} })).toBe(403);
  }
});
