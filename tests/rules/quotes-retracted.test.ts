import { expect, test } from "vitest";

import { RETRACTED } from "#app/chat/message.ts";
import { getQuoteRecordPath, MAX_BEGUN } from "#app/chat/quotes/quote-record.server.ts";
import { changeDocument, deleteDocument } from "#tests/support/documents.ts";
import {
  createMessage,
  getMessagePath,
  PARAGRAPH,
  createPassageValue,
  quote,
  readPassages,
  readRecord,
  RECORD,
  createRecordChange,
  retract,
  send,
  startRoom,
  createUncountChange,
  type Passages,
} from "./quote-room.ts";
import { call, commit, type Change, type Fields } from "./requests.ts";

test("a message that is counted can be deleted once it is retracted and uncounted", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas } = room;
  await quote(room, ana, "first");
  await quote(room, tomas, "second");
  const first = await createUncountChange(firebase, "first");

  expect(await call(firebase, ana, "DELETE", getMessagePath("first"))).toBe(403);
  expect(await commit(firebase, ana, { path: getMessagePath("first") }, first)).toBe(403);
  expect(await commit(firebase, ana, first)).toBe(403);
  expect(await retract(room, ana, "first")).toBe(403);
  expect(await retract(room, tomas, "first", first)).toBe(403);
  expect(await retract(room, ana, "first", first)).toBe(200);
  expect(await readPassages(firebase)).toMatchObject({
    [PARAGRAPH]: { count: 1, ids: ["second"] },
  });
  expect(await call(firebase, ana, "DELETE", getMessagePath("first"))).toBe(200);

  const second = await createUncountChange(firebase, "second");
  expect(second.fields).toHaveProperty("passages", {});
  for (const begun of [{ [ana.localId]: 1 }, { [ana.localId]: 0 }, { [tomas.localId]: 1 }]) {
    const kept = { ...second, fields: { ...second.fields, begun } };
    expect(await retract(room, tomas, "second", kept)).toBe(403);
  }
  expect(await retract(room, tomas, "second", second)).toBe(200);
  expect(await readRecord(firebase)).toEqual({ passages: {}, begun: {} });
  expect(await retract(room, tomas, "second", second)).toBe(403);
});

test("a retraction can only set the fixed text, however old the message is", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;
  await quote(room, ana, "first");
  const change = await createUncountChange(firebase, "first");
  const path = getMessagePath("first");

  const wrong: Fields[] = [{ text: "Gone" }, { text: RETRACTED, displayName: "Bob" }];
  for (const fields of wrong) {
    expect(await commit(firebase, ana, { path, fields }, change)).toBe(403);
  }
  const createdAt = { timestampValue: "2026-01-01T00:00:00Z" };
  await changeDocument(firebase.hosts, path, { createdAt });
  expect(await retract(room, ana, "first", change)).toBe(200);
});

test.each<[string, Passages]>([
  ["uncounts two messages", { [PARAGRAPH]: { count: 1, ids: ["third", "second"] } }],
  ["uncounts none", { [PARAGRAPH]: { count: 3, ids: ["third", "second"] } }],
  ["removes the passage", {}],
  ["removes another id", { [PARAGRAPH]: { count: 2, ids: ["third", "first"] } }],
  ["keeps the id", { [PARAGRAPH]: { count: 2, ids: ["third", "second", "first"] } }],
  ["changes the number", { [PARAGRAPH]: { count: 2, ids: ["third", "second"], number: 0 } }],
])("rejects a retraction whose record %s", async (_what, passages) => {
  await using room = await startRoom();
  const { ana } = room;
  for (const id of ["first", "second", "third"]) await quote(room, ana, id);

  const change = createRecordChange(passages, "first");
  expect(await retract(room, ana, "first", change)).toBe(403);
});

test("one commit cannot retract two messages and uncount only one", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;
  await quote(room, ana, "first");
  await quote(room, ana, "second");
  const second = { path: getMessagePath("second"), fields: { text: RETRACTED } };

  expect(
    await retract(room, ana, "first", second, await createUncountChange(firebase, "first")),
  ).toBe(403);
});

test("an older message, whose id is no longer in the record, is uncounted when it is retracted", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas } = room;
  await quote(room, ana, "first");
  await room.setPassages({ [PARAGRAPH]: { count: 30, ids: ["newer"] } });
  const change = createRecordChange({ [PARAGRAPH]: { count: 29, ids: ["newer"] } }, "first");

  expect(await commit(firebase, ana, change)).toBe(403);
  const invented = createRecordChange({ [PARAGRAPH]: { count: 29, ids: ["newer"] } }, "invented");
  expect(await commit(firebase, tomas, invented)).toBe(403);
  expect(await retract(room, ana, "first", change)).toBe(200);
});

test("a message that was sent without a count is deleted without one", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas } = room;
  const begun = { [ana.localId]: MAX_BEGUN };
  await room.setPassages({}, begun);
  expect(await send(firebase, ana, createMessage(ana, "uncounted"))).toBe(200);
  await quote(room, tomas, "counted");
  const record = await readRecord(firebase);

  const removed = createRecordChange({}, "uncounted", { begun });
  expect(await retract(room, ana, "uncounted", removed)).toBe(403);
  await quote(room, tomas, "second");
  const { [PARAGRAPH]: passage } = record.passages;
  const two = createRecordChange(
    { [PARAGRAPH]: { ...passage, ids: ["second", "counted"] } },
    "uncounted",
    {
      begun: record.begun,
    },
  );
  expect(await retract(room, ana, "uncounted", two)).toBe(403);
  expect(await call(firebase, tomas, "DELETE", getMessagePath("counted"))).toBe(403);
  expect(await call(firebase, ana, "DELETE", getMessagePath("uncounted"))).toBe(200);
  expect(await readPassages(firebase)).toMatchObject({
    [PARAGRAPH]: { count: 2, ids: ["second", "counted"], number: 4 },
  });
});

test("everyone who is signed in can uncount a message that an operator has deleted", async () => {
  await using room = await startRoom();
  const { firebase, tomas } = room;
  await room.setPassages({ [PARAGRAPH]: { count: 2, ids: ["removed", "other"] } });
  const change = createRecordChange({ [PARAGRAPH]: { count: 1, ids: ["other"] } }, "removed");

  expect(await commit(firebase, null, change)).toBe(403);
  expect(await commit(firebase, tomas, change)).toBe(200);
  expect(await commit(firebase, tomas, change)).toBe(403);
});

test("the commit that uncounts a deleted message cannot send a message with the same id", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;
  await room.setPassages({ [PARAGRAPH]: { count: 2, ids: ["removed", "other"] } });
  const change = createRecordChange({ [PARAGRAPH]: { count: 1, ids: ["other"] } }, "removed");

  expect(await send(firebase, ana, createMessage(ana, "removed"), change)).toBe(403);
});

test("a message from before the passage was counted can be deleted", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;
  await quote(room, ana, "first");
  await quote(room, ana, "second");

  await room.setPassages({});
  expect(await call(firebase, ana, "DELETE", getMessagePath("first"))).toBe(200);
  await deleteDocument(firebase.hosts, RECORD);
  expect(await call(firebase, ana, "DELETE", getMessagePath("second"))).toBe(200);
});

test("six messages about six stories can be retracted in one commit", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;
  const changes: Change[] = [];
  for (let index = 0; index < 6; index += 1) {
    const path = getQuoteRecordPath(`story-${index}`);
    const id = `message-${index}`;
    await changeDocument(firebase.hosts, getMessagePath(id), {
      text: { stringValue: `“x”\n/read/story-${index}#${PARAGRAPH}` },
      uid: { stringValue: ana.localId },
    });
    await changeDocument(firebase.hosts, path, {
      passages: { mapValue: { fields: { [PARAGRAPH]: createPassageValue(1, [id]) } } },
    });
    changes.push({ path: getMessagePath(id), fields: { text: RETRACTED } });
    changes.push({ ...createRecordChange({}, id), path });
  }

  expect(await commit(firebase, ana, ...changes)).toBe(200);
});
