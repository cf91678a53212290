import { expect, test } from "vitest";

import { EDIT_WINDOW_MS, MAX_TEXT_LENGTH } from "#app/chat/message.ts";
import { changeDocument } from "#tests/support/documents.ts";
import { startFirebase, type TestAccount, type TestFirebase } from "#tests/support/firebase.ts";
import { setRateRecord } from "#tests/support/rate-records.ts";
import { call, commit, createRecord, type Change, type Fields } from "./requests.ts";

const ID = "a".repeat(20);
const MESSAGE = `rooms/general/messages/${ID}`;
const MARK = `rooms/general/edits/${ID}`;

async function startRoom() {
  const firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
  expect(await send(firebase, ana, ID)).toBe(200);
  return { firebase, ana, tomas, [Symbol.asyncDispose]: () => firebase[Symbol.asyncDispose]() };
}

async function send(firebase: TestFirebase, ana: TestAccount, id: string): Promise<number> {
  const fields = { text: "Hello", uid: ana.localId, displayName: "Anonymous", photoURL: null };
  const message = { path: `rooms/general/messages/${id}`, fields, times: ["createdAt"] };
  return commit(firebase, ana, message, await createRecord(firebase, ana, "messages", id));
}

function createEditRecord({ localId }: TestAccount): Change {
  return { path: MARK, fields: { uid: localId }, times: ["editedAt"] };
}

/** Edits the message, and records and counts that, as the app does. */
async function edit(firebase: TestFirebase, user: TestAccount, fields: Fields): Promise<number> {
  const rate = await createRecord(firebase, user, "messages", ID);
  return commit(firebase, user, { path: MESSAGE, fields }, createEditRecord(user), rate);
}

/** Moves the message into the past, bypassing the rules. */
async function setAge({ hosts }: TestFirebase, ms: number): Promise<void> {
  const createdAt = { timestampValue: new Date(Date.now() - ms).toISOString() };
  await changeDocument(hosts, MESSAGE, { createdAt });
}

test("the sender can edit a message, and edit it again", async () => {
  await using room = await startRoom();

  expect(await edit(room.firebase, room.ana, { text: "Hello there" })).toBe(200);
  expect(await edit(room.firebase, room.ana, { text: "Hello you" })).toBe(200);
  expect(await call(room.firebase, null, "GET", MARK)).toBe(200);
});

test("edits and messages are counted together: five in ten seconds", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;

  const statuses: number[] = [];
  for (let count = 0; count < 6; count += 1) {
    statuses.push(await edit(firebase, ana, { text: `Hello ${count}` }));
  }

  // The message was the first.
  expect(statuses).toEqual([200, 200, 200, 200, 403, 403]);
  expect(await send(firebase, ana, "b".repeat(20))).toBe(403);
  await setRateRecord(firebase.hosts, ana.localId, "messages", Array(30).fill(50_000));
  expect(await edit(firebase, ana, { text: "More than 30 in a minute" })).toBe(403);
  await setRateRecord(firebase.hosts, ana.localId, "messages", Array(30).fill(60_000));
  expect(await edit(firebase, ana, { text: "A minute later" })).toBe(200);
});

test("rejects an edit that is not counted, or counted as another message", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;
  const other = await createRecord(firebase, ana, "messages", "b".repeat(20));
  const own = await createRecord(firebase, ana, "messages", ID);
  const text: Change = { path: MESSAGE, fields: { text: "Changed" } };

  expect(await commit(firebase, ana, text, createEditRecord(ana))).toBe(403);
  expect(await commit(firebase, ana, text, createEditRecord(ana), other)).toBe(403);
  expect(await commit(firebase, ana, own), "counted without an edit").toBe(403);
  expect(await commit(firebase, ana, text, createEditRecord(ana), own)).toBe(200);
});

test("nobody else can edit a message", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas } = room;
  const rate = await createRecord(firebase, tomas, "messages", ID);

  expect(await edit(firebase, tomas, { text: "Changed" })).toBe(403);
  const asAna = commit(
    firebase,
    tomas,
    { path: MESSAGE, fields: { text: "No" } },
    createEditRecord(ana),
    rate,
  );
  expect(await asAna).toBe(403);
  expect(await commit(firebase, null, { path: MESSAGE, fields: { text: "No" } })).toBe(403);
});

test("rejects an edit without its record, and a record without its edit", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas } = room;
  const text: Change = { path: MESSAGE, fields: { text: "Changed" } };
  const rate = await createRecord(firebase, ana, "messages", ID);

  expect(await commit(firebase, ana, text, rate)).toBe(403);
  expect(await commit(firebase, ana, createEditRecord(ana), rate)).toBe(403);
  expect(await edit(firebase, ana, { text: "Hello" })).toBe(403);
  expect(await commit(firebase, tomas, createEditRecord(tomas))).toBe(403);

  expect(await edit(firebase, ana, { text: "Once" })).toBe(200);
  // The record of an earlier edit does not count.
  const next = await createRecord(firebase, ana, "messages", ID);
  expect(await commit(firebase, ana, text, next)).toBe(403);
});

test("rejects a record with other fields, or with a time that the user has chosen", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas } = room;
  const text: Change = { path: MESSAGE, fields: { text: "Changed" } };
  const editedAt = new Date("2026-01-01T00:00:00Z");
  const uid = ana.localId;

  const rate = await createRecord(firebase, ana, "messages", ID);
  const records: Change[] = [
    { path: MARK, fields: { uid, editedAt } },
    { path: MARK, fields: { uid, by: "me" }, times: ["editedAt"] },
    { path: MARK, fields: { uid: tomas.localId }, times: ["editedAt"] },
    { path: MARK, fields: {}, times: ["editedAt"] },
    { path: `rooms/general/edits/${"b".repeat(20)}`, fields: { uid }, times: ["editedAt"] },
  ];
  for (const record of records) {
    expect(await commit(firebase, ana, text, record, rate), JSON.stringify(record)).toBe(403);
  }
});

test.each<[string, Fields]>([
  ["another field", { text: "Changed", displayName: "Bob" }],
  ["another time", { text: "Changed", createdAt: new Date() }],
  ["an unknown field", { text: "Changed", mood: "good" }],
  ["an empty text", { text: "" }],
  ["an invisible text", { text: "\u200B \u3164" }],
  ["a text that is too long", { text: "x".repeat(MAX_TEXT_LENGTH + 1) }],
  ["a number", { text: 5 }],
])("rejects an edit with %s", async (_what, fields) => {
  await using room = await startRoom();

  expect(await edit(room.firebase, room.ana, fields)).toBe(403);
});

test("a message can be edited for 15 minutes", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;

  await setAge(firebase, EDIT_WINDOW_MS - 20_000);
  expect(await edit(firebase, ana, { text: "Just in time" })).toBe(200);
  await setAge(firebase, EDIT_WINDOW_MS + 100);
  expect(await edit(firebase, ana, { text: "Too late" })).toBe(403);
});

test("the record of an edit can only be deleted after its message, and only by the sender", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas } = room;
  await edit(firebase, ana, { text: "Changed" });

  expect(await call(firebase, ana, "DELETE", MARK)).toBe(403);
  expect(await call(firebase, tomas, "DELETE", MARK)).toBe(403);
  expect(await call(firebase, tomas, "DELETE", MESSAGE)).toBe(403);
  expect(await call(firebase, ana, "DELETE", MESSAGE)).toBe(200);

  expect(await call(firebase, tomas, "DELETE", MARK)).toBe(403);
  expect(await call(firebase, ana, "DELETE", MARK)).toBe(200);
  expect(await call(firebase, ana, "GET", MARK)).toBe(404);
});

test("sixteen records of edits can be deleted in one commit", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const paths = Array.from({ length: 16 }, (_, index) => `rooms/general/edits/message-${index}`);
  for (const path of paths) {
    await changeDocument(firebase.hosts, path, { uid: { stringValue: ana.localId } });
  }

  expect(await commit(firebase, ana, ...paths.map((path) => ({ path })))).toBe(200);
});

test("only the user can read and write the people they have hidden", async () => {
  await using firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
  const list = `users/${ana.localId}/hidden`;
  const hidden = {
    path: `${list}/${tomas.localId}`,
    fields: { name: "Tomas" },
    times: ["hiddenAt"],
  };

  expect(await commit(firebase, ana, hidden)).toBe(200);
  expect(await commit(firebase, ana, hidden)).toBe(200);
  for (const other of [tomas, null]) {
    expect(await commit(firebase, other, hidden)).toBe(403);
    expect(await call(firebase, other, "GET", hidden.path)).toBe(403);
    expect(await call(firebase, other, "DELETE", hidden.path)).toBe(403);
  }
  expect(await call(firebase, ana, "DELETE", hidden.path)).toBe(200);
});

test("rejects hidden people with other fields, and the user themselves", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const path = `users/${ana.localId}/hidden/someone`;
  const times = ["hiddenAt"];

  const changes: Change[] = [
    { path, fields: { name: "x".repeat(81) }, times },
    { path, fields: { name: 5 }, times },
    { path, fields: {}, times },
    { path, fields: { name: "Tomas", mood: "bad" }, times },
    { path, fields: { name: "Tomas" } },
    { path: `users/${ana.localId}/hidden/${ana.localId}`, fields: { name: "Ana" }, times },
  ];
  for (const change of changes) {
    expect(await commit(firebase, ana, change), JSON.stringify(change)).toBe(403);
  }
});
