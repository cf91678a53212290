import { expect, test } from "vitest";

import { readSubject } from "#app/chat/quotes/quote.ts";
import { MAX_LISTED } from "#app/chat/quotes/topic.ts";
import { getTopicPath } from "#app/chat/quotes/topics.server.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { changeDocument, deleteDocument } from "#tests/support/documents.ts";
import { startFirebase, type TestAccount, type TestFirebase } from "#tests/support/firebase.ts";
import { clearRateRecords } from "#tests/support/rate-records.ts";
import { call, commit, createRecord, list, type Change, type Fields } from "./requests.ts";

const STORY = "the-salt-road-0123456789";
const PARAGRAPH = "p-1a2b";
const QUOTE = `“The tide.”\n/read/${STORY}#${PARAGRAPH}\nWhose?`;
const ABOUT = `/read/${STORY}\nWhose?`;

async function startRoom() {
  const firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
  return { firebase, ana, tomas, [Symbol.asyncDispose]: () => firebase[Symbol.asyncDispose]() };
}

const getMessagePath = (id: string) => `rooms/general/messages/${id}`;

function createMessage({ localId: uid }: TestAccount, id: string, text: string): Change {
  const fields = { text, uid, displayName: "Anonymous", photoURL: null };
  return { path: getMessagePath(id), fields, times: ["createdAt"] };
}

function createTopic({ localId: uid }: TestAccount, id: string, changes: Fields = {}): Change {
  const about = { story: STORY, paragraph: null, number: 4, replyTo: null };
  return { path: getTopicPath(id), fields: { uid, ...about, ...changes }, times: ["at"] };
}

/** Sends a message with what it is about. */
async function send(
  firebase: TestFirebase,
  user: TestAccount,
  { id = "first", text = ABOUT }: { id?: string; text?: string },
  topic: Change,
): Promise<number> {
  const rate = await createRecord(firebase, user, "messages", id);
  return commit(firebase, user, createMessage(user, id, text), rate, topic);
}

/** Edits a message, and records and counts that, as the app does. */
async function edit(
  firebase: TestFirebase,
  user: TestAccount,
  id: string,
  text: string,
): Promise<number> {
  await clearRateRecords(firebase.hosts, user.localId);
  const fields = { uid: user.localId };
  const record = { path: `rooms/general/edits/${id}`, fields, times: ["editedAt"] };
  const rate = await createRecord(firebase, user, "messages", id);
  return commit(firebase, user, { path: getMessagePath(id), fields: { text } }, record, rate);
}

test("a message is stored with what it is about, which everyone reads", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;

  expect(await send(firebase, ana, {}, createTopic(ana, "first"))).toBe(200);
  const passage = createTopic(ana, "second", { paragraph: PARAGRAPH });
  expect(await send(firebase, ana, { id: "second", text: QUOTE }, passage)).toBe(200);
  const unknown = createTopic(ana, "third", { number: null });
  expect(await send(firebase, ana, { id: "third" }, unknown)).toBe(200);
  const reply = { story: null, number: null, replyTo: "first" };
  const answer = createTopic(ana, "fourth", reply);
  expect(await send(firebase, ana, { id: "fourth", text: "Mine" }, answer)).toBe(200);
  expect(await call(firebase, null, "GET", getTopicPath("first"))).toBe(200);
});

test.each<[string, Fields, text?: string]>([
  ["another sender", { uid: "mallory" }],
  ["another story", { story: "another-story-0123456789" }],
  ["a story that is a pattern", { story: ".*" }],
  ["no story, for a text like a quote", { story: "" }, "/read/\nWhose?"],
  ["a passage that the text does not quote", { paragraph: PARAGRAPH }],
  ["another passage", { paragraph: "p-9" }, QUOTE],
  ["no passage, for a quote", {}, QUOTE],
  ["a story, for a plain text", {}, "Whose?"],
  ["nothing", { story: null, number: null }],
  ["a number without a story", { story: null, replyTo: "before" }],
  ["a negative number", { number: -1 }],
  ["an endless number", { number: 1_000_001 }],
  ["a text for a number", { number: "4" }],
  ["a reply to no message", { replyTo: "nothing" }],
  ["a reply to a path", { replyTo: "../../users" }],
  ["another field", { likes: 1000 }],
])("rejects a topic with %s", async (_, changes, text) => {
  await using room = await startRoom();
  const { firebase, ana } = room;
  const before = { id: "before", text: ABOUT };
  expect(await send(firebase, ana, before, createTopic(ana, "before"))).toBe(200);

  const message = { ...(text !== undefined && { text }) };
  expect(await send(firebase, ana, message, createTopic(ana, "first", changes))).toBe(403);
});

test("nobody adds a topic to a message that exists, not even its sender", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas } = room;
  const rate = await createRecord(firebase, ana, "messages", "first");
  expect(await commit(firebase, ana, createMessage(ana, "first", ABOUT), rate)).toBe(200);

  for (const user of [ana, tomas]) {
    expect(await commit(firebase, user, createTopic(user, "first"))).toBe(403);
  }
});

test("a topic never changes, and only its sender deletes it", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas } = room;
  const path = getTopicPath("first");
  await send(firebase, ana, {}, createTopic(ana, "first"));

  expect(await commit(firebase, ana, createTopic(ana, "first", { number: 0 }))).toBe(403);
  expect(await call(firebase, tomas, "DELETE", path)).toBe(403);
  expect(await call(firebase, ana, "DELETE", path)).toBe(200);
});

test("a sender deletes a message about a story only after what it is about", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas } = room;
  const [message, topic] = [{ path: getMessagePath("first") }, { path: getTopicPath("first") }];
  const passage = createTopic(ana, "second", { paragraph: PARAGRAPH });
  await send(firebase, ana, {}, createTopic(ana, "first"));
  await send(firebase, ana, { id: "second", text: QUOTE }, passage);

  expect(await commit(firebase, ana, message)).toBe(403);
  expect(await commit(firebase, ana, message, topic)).toBe(403);
  expect(await commit(firebase, ana, { path: getMessagePath("second") })).toBe(403);
  expect(await commit(firebase, tomas, topic)).toBe(403);
  for (const { path } of [topic, message, passage, { path: getMessagePath("second") }]) {
    expect(await commit(firebase, ana, { path }), path).toBe(200);
  }
});

test("a topic of another message with the same id keeps nobody from deleting theirs", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas } = room;
  await send(firebase, ana, {}, createTopic(ana, "first"));
  await deleteDocument(firebase.hosts, getMessagePath("first"));
  const rate = await createRecord(firebase, tomas, "messages", "first");
  expect(await commit(firebase, tomas, createMessage(tomas, "first", ABOUT), rate)).toBe(200);

  expect(await edit(firebase, tomas, "first", "Mine")).toBe(200);
  expect(await edit(firebase, tomas, "first", ABOUT)).toBe(200);
  expect(await commit(firebase, tomas, { path: getMessagePath("first") })).toBe(200);
});

test("an edit keeps the lines that say which story a message is about", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;
  const passage = createTopic(ana, "second", { paragraph: PARAGRAPH });
  await send(firebase, ana, {}, createTopic(ana, "first"));
  await send(firebase, ana, { id: "second", text: QUOTE }, passage);

  for (const text of ["Whose?", `/read/another-story-0123456789\nWhose?`, QUOTE]) {
    expect(await edit(firebase, ana, "first", text), text).toBe(403);
  }
  expect(await edit(firebase, ana, "second", ABOUT)).toBe(403);
  expect(await edit(firebase, ana, "first", `${ABOUT} Mine?`)).toBe(200);
  expect(await edit(firebase, ana, "second", `${QUOTE} Mine?`)).toBe(200);
});

test("a reply that is about no story can be edited, and deleted before its topic", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;
  await send(firebase, ana, {}, createTopic(ana, "first"));
  const topic = createTopic(ana, "second", { story: null, number: null, replyTo: "first" });
  await send(firebase, ana, { id: "second", text: "“Whose?”\nMine." }, topic);

  expect(await edit(firebase, ana, "second", "Mine.")).toBe(200);
  expect(await edit(firebase, ana, "second", "“Whose?”\nMine.")).toBe(200);
  expect(await commit(firebase, ana, { path: getMessagePath("second") })).toBe(200);
});

test("sixteen messages about stories, and hundreds of others, can be deleted in a commit", async () => {
  await using room = await startRoom();
  const { firebase, ana } = room;
  const add = async (count: number, text: string) => {
    const ids = Array.from({ length: count }, () => createDocumentId());
    const fields = { uid: { stringValue: ana.localId }, text: { stringValue: text } };
    await Promise.all(ids.map((id) => changeDocument(firebase.hosts, getMessagePath(id), fields)));
    return ids.map((id) => ({ path: getMessagePath(id) }));
  };

  expect(await commit(firebase, ana, ...(await add(16, ABOUT)))).toBe(200);
  expect(await commit(firebase, ana, ...(await add(300, "Whose?")))).toBe(200);
});

test("a list has a limit", async () => {
  await using room = await startRoom();
  const path = "rooms/general/topics";

  expect(await list(room.firebase, null, { path, limit: MAX_LISTED })).toBe(200);
  expect(await list(room.firebase, null, { path, limit: MAX_LISTED + 1 })).toBe(403);
  expect(await list(room.firebase, null, { path })).toBe(403);
});

test.each([
  ["Hello", null],
  [`“The tide.” /read/${STORY}#${PARAGRAPH}`, null],
  [`“The tide.”\n/read/${STORY}#newest`, null],
  [`> “The tide.”\n/read/${STORY}#${PARAGRAPH}`, null],
  [`“The tide.”\n/read/../${STORY}#${PARAGRAPH}`, null],
  [`/read/${STORY}`, null],
  [`/read/${STORY} is good\nReally`, null],
  [ABOUT, { story: STORY, paragraph: null }],
  [QUOTE, { story: STORY, paragraph: PARAGRAPH }],
  [`“The tide.”\n/read/${STORY}#p-9z-9`, { story: STORY, paragraph: "p-9z-9" }],
  [`““Tide”, he said”\n/read/x#p-1`, { story: "x", paragraph: "p-1" }],
])("the app and the rules agree what %j is about", async (text, subject) => {
  await using room = await startRoom();
  const { firebase, ana } = room;

  expect(readSubject(text)).toEqual(subject);
  const topic = createTopic(ana, "first", { ...(subject ?? { paragraph: PARAGRAPH }) });
  expect(await send(firebase, ana, { text }, topic)).toBe(subject ? 200 : 403);
});
