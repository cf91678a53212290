import { expect, test } from "vitest";

import {
  getQuoteRecordPath,
  MAX_BEGUN,
  MAX_IDS,
  MAX_PASSAGES,
} from "#app/chat/quotes/quote-record.server.ts";
import { readPassage } from "#app/chat/quotes/quote.ts";
import {
  createMessage,
  getMessagePath,
  PARAGRAPH,
  quote,
  readPassages,
  readRecord,
  RECORD,
  createRecordChange,
  send,
  startRoom,
  STORY,
  TEXT,
} from "./quote-room.ts";
import { call, commit, createRecord, type Change, type Fields, type TestUser } from "./requests.ts";

test("counts messages that quote a passage, and everyone can read the number", async () => {
  await using room = await startRoom();

  await quote(room, room.ana, "first");
  await quote(room, room.tomas, "second");

  expect(await readPassages(room.firebase)).toEqual({
    [PARAGRAPH]: { count: 2, ids: ["second", "first"], number: 4, by: room.ana.localId },
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

/** Counts the message `first` as the first one that quotes the passage, with these changes of the passage and the record. */
function countFirst(uid: string, passage: object = {}, record: Fields = {}): Change {
  const passages = { [PARAGRAPH]: { count: 1, ids: ["first"], by: uid, ...passage } };
  return createRecordChange(passages, "first", { begun: { [uid]: 1 }, ...record });
}

test.each<[string, (uid: string) => Change]>([
  ["two", (uid) => countFirst(uid, { count: 2 })],
  ["none", (uid) => countFirst(uid, { count: 0 })],
  ["a half", (uid) => countFirst(uid, { count: 1.5 })],
  ["another message's id", (uid) => countFirst(uid, { ids: ["other"] })],
  ["one id too many", (uid) => countFirst(uid, { ids: ["first", "invented"] })],
  ["no id", (uid) => countFirst(uid, { ids: [] })],
  ["another passage", (uid) => countFirst(uid, {}, { paragraph: "p-2" })],
  ["another user's first", (uid) => countFirst(uid, { by: "tomas" })],
  ["nobody's first", (uid) => countFirst(uid, {}, { begun: {} })],
  ["the first of two users", (uid) => countFirst(uid, {}, { begun: { [uid]: 1, tomas: 1 } })],
  ["two of the user's first", (uid) => countFirst(uid, {}, { begun: { [uid]: 2 } })],
  ["a negative number", (uid) => countFirst(uid, { number: -1 })],
  ["an unknown field", (uid) => countFirst(uid, {}, { mood: "good" })],
  ["an unknown field of the passage", (uid) => countFirst(uid, { mood: "good" })],
  ["a time of its own", (uid) => ({ ...countFirst(uid, {}, { at: new Date() }), times: [] })],
  ["another story", (uid) => ({ ...countFirst(uid), path: getQuoteRecordPath("x") })],
  ["another message", (uid) => countFirst(uid, { ids: ["gone"] }, { id: "gone" })],
])("rejects a message that is counted as %s", async (_what, toChange) => {
  await using room = await startRoom();
  const { firebase, ana } = room;
  const message = createMessage(ana, "first");

  expect(await send(firebase, ana, message, toChange(ana.localId))).toBe(403);
  expect(await send(firebase, ana, message, countFirst(ana.localId))).toBe(200);
});

test("rejects a message that is counted with a second passage", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;
  const one = { count: 1, ids: ["first"], by: ana.localId };
  const changes = { begun: { [ana.localId]: 1 } };
  const two = createRecordChange({ [PARAGRAPH]: one, "p-2": one }, "first", changes);

  expect(await send(firebase, ana, createMessage(ana, "first"), two)).toBe(403);
});

test.each<[string, object]>([
  ["another number", { number: 0 }],
  ["no number", { number: undefined }],
  ["another first user", { by: "tomas" }],
])(
  "a later quotation leaves a passage its number and its first user: %s",
  async (_what, change) => {
    await using room = await startRoom();
    const { firebase, ana, tomas } = room;
    await quote(room, ana, "first");
    const { passages, begun } = await readRecord(firebase);
    const next = { ...passages[PARAGRAPH], count: 2, ids: ["second", "first"] };
    const count = (passage: object) => {
      const entries = Object.entries(passage).filter(([, value]) => value !== undefined);
      const changed = { [PARAGRAPH]: Object.fromEntries(entries) };
      return createRecordChange(changed, "second", { begun });
    };
    const message = createMessage(tomas, "second");

    expect(await send(firebase, tomas, message, count({ ...next, ...change }))).toBe(403);
    expect(await send(firebase, tomas, message, count(next))).toBe(200);
  },
);

test("a user can be the first to quote up to 20 passages of a story", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas } = room;
  const uid = ana.localId;
  const others = Array.from({ length: MAX_BEGUN - 1 }, (_, index) => [
    `p-${index}x`,
    { count: 1, ids: ["x"], by: uid },
  ]);
  await room.setPassages(Object.fromEntries(others), { [uid]: MAX_BEGUN - 1 });
  await quote(room, ana, "last");

  const text = TEXT.replace(PARAGRAPH, "p-zzz");
  const record = await readRecord(firebase);
  expect(record.begun).toEqual({ [uid]: MAX_BEGUN });
  const count = (by: string) =>
    createRecordChange({ ...record.passages, "p-zzz": { count: 1, ids: ["first"], by } }, "first", {
      paragraph: "p-zzz",
      begun: { ...record.begun, [by]: (record.begun[by] ?? 0) + 1 },
    });
  expect(await send(firebase, ana, createMessage(ana, "first", text), count(uid))).toBe(403);
  expect(await send(firebase, ana, createMessage(ana, "uncounted", text))).toBe(200);
  const byTomas = createMessage(tomas, "first", text);
  expect(await send(firebase, tomas, byTomas)).toBe(403);
  expect(await send(firebase, tomas, byTomas, count(tomas.localId))).toBe(200);
});

test("rejects a count without a message", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas } = room;

  const invented = countFirst(ana.localId, { ids: ["invented"] }, { id: "invented" });
  expect(await commit(firebase, ana, invented)).toBe(403);
  expect(await commit(firebase, null, invented)).toBe(403);

  await quote(room, ana, "first");
  const { passages, begun } = await readRecord(firebase);
  const twice = { ...passages[PARAGRAPH], count: 2, ids: ["first", "first"] };
  const again = createRecordChange({ [PARAGRAPH]: twice }, "first", { begun });
  expect(await commit(firebase, ana, again)).toBe(403);
  expect(await commit(firebase, tomas, again)).toBe(403);
});

test("rejects a count for a message that quotes nothing, or something else", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;
  const counted = countFirst(ana.localId);

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
    [PARAGRAPH]: { count: 31, ids: ["first", ...ids.slice(0, -1)] },
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
  const one = { count: 1, ids: ["first"], by: ana.localId };
  const passages = { ...(await readPassages(firebase)), "p-zzz": one };
  const begun = { [ana.localId]: 2 };
  const change = createRecordChange(passages, "first", { paragraph: "p-zzz", begun });
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
