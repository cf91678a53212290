import { expect, test } from "vitest";

import { RETRACTED } from "#app/chat/message.ts";
import {
  countQuote,
  MAX_IDS,
  MAX_PASSAGES,
  quoteRecordPath,
  retractQuote,
} from "#app/chat/quotes/quote-record.server.ts";
import { readPassage } from "#app/chat/quotes/quote.ts";
import { changeDocument, deleteDocument, readDocument } from "#tests/support/documents.ts";
import { startFirebase, type TestAccount, type TestFirebase } from "#tests/support/firebase.ts";
import { call, commit, recordOf, type Change, type Fields, type TestUser } from "./requests.ts";

const STORY = "the-salt-road-0123456789";
const PARAGRAPH = "p-1a2b3c";
const PASSAGE = { story: STORY, paragraph: PARAGRAPH };
const RECORD = quoteRecordPath(STORY);
const TEXT = `“The tide.”\n/read/${STORY}#${PARAGRAPH}\nWhose?`;

/** The number of messages and their ids, for each paragraph. */
type Passages = Record<string, { count: number; ids: string[]; number?: number }>;

async function startRoom() {
  const firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
  return {
    firebase,
    ana,
    tomas,
    /** Sets the record, bypassing the rules. */
    setPassages: (passages: Passages) => setPassages(firebase, passages),
    [Symbol.asyncDispose]: () => firebase[Symbol.asyncDispose](),
  };
}

function messagePath(id: string): string {
  return `rooms/general/messages/${id}`;
}

function messageOf({ localId: uid }: TestAccount, id: string, text = TEXT): Change {
  const fields = { text, uid, displayName: "Anonymous", photoURL: null };
  return { path: messagePath(id), fields, times: ["createdAt"] };
}

/** A change of the story's record that names a message. */
function recordWith(passages: Passages, id: string, changes: Fields = {}): Change {
  const fields = { passages, paragraph: PARAGRAPH, id, ...changes };
  return { path: RECORD, fields, times: ["at"] };
}

/** Sends a message together with other changes. */
async function send(
  firebase: TestFirebase,
  user: TestAccount,
  message: Change,
  ...changes: Change[]
): Promise<number> {
  const id = message.path.slice(messagePath("").length);
  const rate = await recordOf(firebase, user, "messages", id);
  return commit(firebase, user, message, rate, ...changes);
}

/** Sends a message that quotes the passage, as the app does. */
async function quote({ firebase }: { firebase: TestFirebase }, user: TestAccount, id: string) {
  const passages = await readPassages(firebase);
  const stored = { fields: { passages }, updateTime: "" };
  const write = countQuote(stored, { passage: PASSAGE, id }, 4);
  if (!write || !("fields" in write)) throw new Error("The record is full");
  const change = { path: RECORD, fields: write.fields as Fields, times: ["at"] };
  expect(await send(firebase, user, messageOf(user, id), change)).toBe(200);
}

/** Retracts a message, together with the change of a record. */
function retract(
  { firebase }: { firebase: TestFirebase },
  user: TestUser,
  id: string,
  ...changes: Change[]
): Promise<number> {
  const retraction = { path: messagePath(id), fields: { text: RETRACTED } };
  return commit(firebase, user, retraction, ...changes);
}

/** The change of the record that uncounts a message. */
async function uncounted(firebase: TestFirebase, id: string): Promise<Change> {
  const stored = { fields: { passages: await readPassages(firebase) }, updateTime: "" };
  const [, write] = retractQuote(stored, { passage: PASSAGE, id });
  if (!write || !("fields" in write)) throw new Error("The message is not counted");
  return { path: RECORD, fields: write.fields as Fields, times: ["at"] };
}

async function setPassages({ hosts }: TestFirebase, passages: Passages): Promise<void> {
  const entries = Object.entries(passages).map(([paragraph, { count, ids }]) => {
    return [paragraph, passageValue(count, ids)];
  });
  await changeDocument(hosts, RECORD, {
    passages: { mapValue: { fields: Object.fromEntries(entries) } },
    paragraph: { stringValue: PARAGRAPH },
    id: { stringValue: "before" },
    at: { timestampValue: "2026-01-01T00:00:00Z" },
  });
}

function passageValue(count: number, ids: string[]) {
  const values = ids.map((id) => ({ stringValue: id }));
  const fields = { count: { integerValue: String(count) }, ids: { arrayValue: { values } } };
  return { mapValue: { fields } };
}

interface StoredPassage {
  mapValue: {
    fields: {
      count: { integerValue: string };
      ids: { arrayValue: { values?: { stringValue: string }[] } };
      number?: { integerValue: string };
    };
  };
}

async function readPassages({ hosts }: TestFirebase): Promise<Passages> {
  const stored = (await readDocument(hosts, RECORD)) as {
    passages?: { mapValue: { fields?: Record<string, StoredPassage> } };
  };
  const passages = Object.entries(stored.passages?.mapValue.fields ?? {});
  return Object.fromEntries(
    passages.map(([paragraph, { mapValue }]) => {
      const { count, ids, number } = mapValue.fields;
      const passage = {
        count: Number(count.integerValue),
        ids: (ids.arrayValue.values ?? []).map(({ stringValue }) => stringValue),
        ...(number && { number: Number(number.integerValue) }),
      };
      return [paragraph, passage];
    }),
  );
}

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

  expect(await send(firebase, ana, messageOf(ana, "first"))).toBe(403);
  await quote(room, ana, "second");
  // The record still names the message before.
  expect(await send(firebase, ana, messageOf(ana, "third"))).toBe(403);
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
  expect(await send(room.firebase, room.ana, messageOf(room.ana, "first", text))).toBe(200);
});

test.each([`${TEXT}\n\nAnd more.`, `““Tide”, he said”\n/read/x#p-1`, `“x”\n/read/9#p-zz-12`])(
  "the app and the rules agree that %j quotes a passage",
  async (text) => {
    await using room = await startRoom();

    expect(readPassage(text)).not.toBeNull();
    expect(await send(room.firebase, room.ana, messageOf(room.ana, "first", text))).toBe(403);
  },
);

const ONE = { count: 1, ids: ["first"] };

test.each<[string, Change, string?]>([
  ["two", recordWith({ [PARAGRAPH]: { count: 2, ids: ["first"] } }, "first")],
  ["none", recordWith({ [PARAGRAPH]: { count: 0, ids: ["first"] } }, "first")],
  ["a half", recordWith({ [PARAGRAPH]: { count: 1.5, ids: ["first"] } }, "first")],
  ["another message's id", recordWith({ [PARAGRAPH]: { count: 1, ids: ["other"] } }, "first")],
  [
    "one id too many",
    recordWith({ [PARAGRAPH]: { count: 1, ids: ["first", "invented"] } }, "first"),
  ],
  ["no id", recordWith({ [PARAGRAPH]: { count: 1, ids: [] } }, "first")],
  ["another passage", recordWith({ "p-2": ONE }, "first", { paragraph: "p-2" })],
  ["a second passage", recordWith({ [PARAGRAPH]: ONE, "p-2": ONE }, "first")],
  ["a negative number", recordWith({ [PARAGRAPH]: { ...ONE, number: -1 } }, "first")],
  ["an unknown field", recordWith({ [PARAGRAPH]: ONE }, "first", { mood: "good" })],
  [
    "an unknown field of the passage",
    recordWith({ [PARAGRAPH]: Object.assign({ mood: "good" }, ONE) }, "first"),
  ],
  [
    "a time of its own",
    { ...recordWith({ [PARAGRAPH]: ONE }, "first", { at: new Date() }), times: [] },
  ],
  ["another story", { ...recordWith({ [PARAGRAPH]: ONE }, "first"), path: quoteRecordPath("x") }],
  ["another message", recordWith({ [PARAGRAPH]: { count: 1, ids: ["gone"] } }, "gone")],
])("rejects a message that is counted as %s", async (_what, change) => {
  await using room = await startRoom();

  expect(await send(room.firebase, room.ana, messageOf(room.ana, "first"), change)).toBe(403);
});

test("rejects a count without a message", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas } = room;

  const invented = recordWith({ [PARAGRAPH]: { count: 1, ids: ["invented"] } }, "invented");
  expect(await commit(firebase, ana, invented)).toBe(403);
  expect(await commit(firebase, null, invented)).toBe(403);

  await quote(room, ana, "first");
  const again = recordWith({ [PARAGRAPH]: { count: 2, ids: ["first", "first"] } }, "first");
  expect(await commit(firebase, ana, again)).toBe(403);
  expect(await commit(firebase, tomas, again)).toBe(403);
});

test("rejects a count for a message that quotes nothing, or something else", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;
  const counted = recordWith({ [PARAGRAPH]: ONE }, "first");

  for (const text of ["Hello", TEXT.replace(PARAGRAPH, "p-2"), TEXT.replace(STORY, "another")]) {
    expect(await send(firebase, ana, messageOf(ana, "first", text), counted), text).toBe(403);
  }
});

test("keeps the ids of the newest twenty messages", async () => {
  await using room = await startRoom();
  const ids = Array.from({ length: MAX_IDS }, (_, index) => `before-${index}`);
  await room.setPassages({ [PARAGRAPH]: { count: 30, ids } });

  const all = recordWith({ [PARAGRAPH]: { count: 31, ids: ["first", ...ids] } }, "first");
  expect(await send(room.firebase, room.ana, messageOf(room.ana, "first"), all)).toBe(403);
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
  const change = recordWith(passages, "first", { paragraph: "p-zzz" });
  expect(await send(firebase, ana, messageOf(ana, "first", more), change)).toBe(403);
  expect(await send(firebase, ana, messageOf(ana, "first", more))).toBe(200);
  expect(await send(firebase, ana, messageOf(ana, "second"))).toBe(403);
  expect(await call(firebase, ana, "DELETE", messagePath("first"))).toBe(200);
});

test("a message that is counted can be deleted once it is retracted and uncounted", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas } = room;
  await quote(room, ana, "first");
  await quote(room, tomas, "second");
  const first = await uncounted(firebase, "first");

  expect(await call(firebase, ana, "DELETE", messagePath("first"))).toBe(403);
  expect(await commit(firebase, ana, { path: messagePath("first") }, first)).toBe(403);
  expect(await commit(firebase, ana, first)).toBe(403);
  expect(await retract(room, ana, "first")).toBe(403);
  expect(await retract(room, tomas, "first", first)).toBe(403);
  expect(await retract(room, ana, "first", first)).toBe(200);
  expect(await readPassages(firebase)).toMatchObject({
    [PARAGRAPH]: { count: 1, ids: ["second"] },
  });
  expect(await call(firebase, ana, "DELETE", messagePath("first"))).toBe(200);

  const second = await uncounted(firebase, "second");
  expect(second.fields).toHaveProperty("passages", {});
  expect(await retract(room, tomas, "second", second)).toBe(200);
  expect(await readPassages(firebase)).toEqual({});
  expect(await retract(room, tomas, "second", second)).toBe(403);
});

test("a retraction changes only the text, to the fixed one, at any time", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;
  await quote(room, ana, "first");
  const change = await uncounted(firebase, "first");
  const path = messagePath("first");

  const wrong: Fields[] = [{ text: "Gone" }, { text: RETRACTED, displayName: "Bob" }];
  for (const fields of wrong) {
    expect(await commit(firebase, ana, { path, fields }, change)).toBe(403);
  }
  const createdAt = { timestampValue: "2026-01-01T00:00:00Z" };
  await changeDocument(firebase.hosts, path, { createdAt });
  expect(await retract(room, ana, "first", change)).toBe(200);
});

test.each<[string, Passages]>([
  ["takes away two", { [PARAGRAPH]: { count: 1, ids: ["third", "second"] } }],
  ["takes away none", { [PARAGRAPH]: { count: 3, ids: ["third", "second"] } }],
  ["removes the passage", {}],
  ["removes another id", { [PARAGRAPH]: { count: 2, ids: ["third", "first"] } }],
  ["keeps the id", { [PARAGRAPH]: { count: 2, ids: ["third", "second", "first"] } }],
  ["changes the number", { [PARAGRAPH]: { count: 2, ids: ["third", "second"], number: 0 } }],
])("rejects a deletion that %s", async (_what, passages) => {
  await using room = await startRoom();
  const { ana } = room;
  for (const id of ["first", "second", "third"]) await quote(room, ana, id);

  const change = recordWith(passages, "first");
  expect(await retract(room, ana, "first", change)).toBe(403);
});

test("one commit does not retract two messages for one count", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;
  await quote(room, ana, "first");
  await quote(room, ana, "second");
  const second = { path: messagePath("second"), fields: { text: RETRACTED } };

  expect(await retract(room, ana, "first", second, await uncounted(firebase, "first"))).toBe(403);
});

test("an older message, whose id is not kept, is uncounted with its retraction", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas } = room;
  await quote(room, ana, "first");
  await room.setPassages({ [PARAGRAPH]: { count: 30, ids: ["newer"] } });
  const change = recordWith({ [PARAGRAPH]: { count: 29, ids: ["newer"] } }, "first");

  expect(await commit(firebase, ana, change)).toBe(403);
  const invented = recordWith({ [PARAGRAPH]: { count: 29, ids: ["newer"] } }, "invented");
  expect(await commit(firebase, tomas, invented)).toBe(403);
  expect(await retract(room, ana, "first", change)).toBe(200);
});

test("everyone who is signed in can uncount a message that an operator has deleted", async () => {
  await using room = await startRoom();
  const { firebase, tomas } = room;
  await room.setPassages({ [PARAGRAPH]: { count: 2, ids: ["removed", "other"] } });
  const change = recordWith({ [PARAGRAPH]: { count: 1, ids: ["other"] } }, "removed");

  expect(await commit(firebase, null, change)).toBe(403);
  expect(await commit(firebase, tomas, change)).toBe(200);
  expect(await commit(firebase, tomas, change)).toBe(403);
});

test("an uncounted message is not sent under the id of one that an operator has deleted", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;
  await room.setPassages({ [PARAGRAPH]: { count: 2, ids: ["removed", "other"] } });
  const change = recordWith({ [PARAGRAPH]: { count: 1, ids: ["other"] } }, "removed");

  expect(await send(firebase, ana, messageOf(ana, "removed"), change)).toBe(403);
});

test("a message from before the passage was counted can be deleted", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;
  await quote(room, ana, "first");
  await quote(room, ana, "second");

  await room.setPassages({});
  expect(await call(firebase, ana, "DELETE", messagePath("first"))).toBe(200);
  await deleteDocument(firebase.hosts, RECORD);
  expect(await call(firebase, ana, "DELETE", messagePath("second"))).toBe(200);
});

test("an edit changes neither what a message quotes nor that it quotes", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;
  await quote(room, ana, "first");
  expect(await send(firebase, ana, messageOf(ana, "plain", "Hello"))).toBe(200);

  async function edit(id: string, text: string): Promise<number> {
    const fields = { uid: ana.localId };
    const mark = { path: `rooms/general/edits/${id}`, fields, times: ["editedAt"] };
    return commit(firebase, ana, { path: messagePath(id), fields: { text } }, mark);
  }

  expect(await edit("first", "Nothing is quoted here")).toBe(403);
  expect(await edit("first", TEXT.replace(PARAGRAPH, "p-2"))).toBe(403);
  expect(await edit("first", TEXT.replace(STORY, "another"))).toBe(403);
  expect(await edit("plain", TEXT)).toBe(403);
  expect(await edit("first", TEXT.replace("Whose?", "Mine."))).toBe(200);
  expect(await edit("plain", "Hello there")).toBe(200);
});

test("six messages about six stories can be retracted in one commit", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;
  const changes: Change[] = [];
  for (let index = 0; index < 6; index += 1) {
    const path = quoteRecordPath(`story-${index}`);
    const id = `message-${index}`;
    await changeDocument(firebase.hosts, messagePath(id), {
      text: { stringValue: `“x”\n/read/story-${index}#${PARAGRAPH}` },
      uid: { stringValue: ana.localId },
    });
    await changeDocument(firebase.hosts, path, {
      passages: { mapValue: { fields: { [PARAGRAPH]: passageValue(1, [id]) } } },
    });
    changes.push({ path: messagePath(id), fields: { text: RETRACTED } });
    changes.push({ ...recordWith({}, id), path });
  }

  expect(await commit(firebase, ana, ...changes)).toBe(200);
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
