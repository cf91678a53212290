import { expect, test } from "vitest";

import { getAnswersPath, getReadRecordPath, MAX_READ_KEYS } from "#app/chat/answers/answer.ts";
import { getTopicPath } from "#app/chat/quotes/topics.server.ts";
import { startFirebase, type TestAccount } from "#tests/support/firebase.ts";
import { publishStory } from "#tests/support/stories.ts";
import { call, commit, createRecord, list, type Change, type Fields } from "./requests.ts";

const STORY = "the-salt-road-0123456789";
const PARAGRAPH = "p-1a2b";
const QUOTE = `“The tide.”\n/read/${STORY}#${PARAGRAPH}\nWhose?`;
const PASSAGE = { story: STORY, paragraph: PARAGRAPH };

/** Ana has written the message "hers" and a story. Tomas answers, as a rule. */
async function startRoom() {
  const firebase = await startFirebase();
  const [ana, tomas, mallory] = [
    await firebase.addAccount(),
    await firebase.addAccount(),
    await firebase.addAccount(),
  ];
  await publishStory(firebase.hosts, { id: STORY, title: "Salt", text: "x", uid: ana.localId });

  async function send(
    user: TestAccount,
    { id = "answer", text = "Mine" }: { id?: string; text?: string },
    ...others: Change[]
  ): Promise<number> {
    const fields = { text, uid: user.localId, displayName: "Anonymous", photoURL: null };
    const message = { path: `rooms/general/messages/${id}`, fields, times: ["createdAt"] };
    return commit(
      firebase,
      user,
      message,
      await createRecord(firebase, user, "messages", id),
      ...others,
    );
  }

  expect(await send(ana, { id: "hers" })).toBe(200);
  return {
    ...{ firebase, ana, tomas, mallory, send },
    [Symbol.asyncDispose]: () => firebase[Symbol.asyncDispose](),
  };
}

function createTopic({ localId: uid }: TestAccount, about: Fields, id = "answer"): Change {
  const nothing = { story: null, paragraph: null, number: null, replyTo: null };
  return { path: getTopicPath(id), fields: { uid, ...nothing, ...about }, times: ["at"] };
}

function createAnswer(
  to: Pick<TestAccount, "localId">,
  from: TestAccount,
  fields: Fields = {},
  id = "answer",
): Required<Change> {
  return {
    path: `${getAnswersPath(to.localId)}/${id}`,
    fields: { kind: "reply", from: from.localId, ...fields },
    times: ["at"],
  };
}

const REPLY = { replyTo: "hers" };

test("a reply and a quote store an answer for the recipient in the message's own commit", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas, mallory, send } = room;

  const reply = createAnswer(ana, tomas);
  expect(await send(tomas, {}, createTopic(tomas, REPLY), reply)).toBe(200);
  const quote = createAnswer(ana, tomas, { kind: "quote" }, "quote");
  const message = { id: "quote", text: QUOTE };
  expect(await send(tomas, message, createTopic(tomas, PASSAGE, "quote"), quote)).toBe(200);
  // A reply to one user may quote the story of another.
  const both = { id: "both", text: QUOTE };
  expect(
    await send(
      mallory,
      both,
      createTopic(mallory, { ...PASSAGE, replyTo: "answer" }, "both"),
      createAnswer(ana, mallory, { kind: "quote" }, "both"),
      createAnswer(tomas, mallory, {}, "both"),
    ),
  ).toBe(200);

  expect(await call(firebase, ana, "GET", reply.path)).toBe(200);
  for (const other of [tomas, mallory, null]) {
    expect(await call(firebase, other, "GET", reply.path)).toBe(403);
  }
});

test.each<[string, Fields]>([
  ["another sender", { from: "mallory" }],
  ["a kind that has another cause", { kind: "quote" }],
  ["an unknown kind", { kind: "mention" }],
  ["words", { text: "Buy now" }],
])("rejects an answer with %s", async (_, fields) => {
  await using room = await startRoom();
  const { ana, tomas, send } = room;

  const answer = createAnswer(ana, tomas, fields);
  expect(await send(tomas, {}, createTopic(tomas, REPLY), answer)).toBe(403);
});

test("rejects an answer of another time", async () => {
  await using room = await startRoom();
  const { ana, tomas, send } = room;

  const { path, fields } = createAnswer(ana, tomas, { at: new Date(0) });
  expect(await send(tomas, {}, createTopic(tomas, REPLY), { path, fields })).toBe(403);
});

test("nobody is told of a message that does not answer them", async () => {
  await using room = await startRoom();
  const { ana, tomas, mallory, send } = room;
  const about = { text: `/read/${STORY}\nWhose?` };

  // Without what it is about.
  expect(await send(tomas, {}, createAnswer(ana, tomas))).toBe(403);
  // A reply to somebody else.
  expect(await send(tomas, {}, createTopic(tomas, REPLY), createAnswer(mallory, tomas))).toBe(403);
  // A message about the story as a whole, and a quote from somebody else's.
  const story = createTopic(tomas, { story: STORY, number: 1 });
  expect(await send(tomas, about, story, createAnswer(ana, tomas, { kind: "quote" }))).toBe(403);
  const quote = createAnswer(mallory, tomas, { kind: "quote" });
  expect(await send(tomas, { text: QUOTE }, createTopic(tomas, PASSAGE), quote)).toBe(403);
  // Another message's.
  expect(
    await send(tomas, {}, createTopic(tomas, REPLY), createAnswer(ana, tomas, {}, "another")),
  ).toBe(403);
  // Themselves.
  expect(await send(ana, {}, createTopic(ana, REPLY), createAnswer(ana, ana))).toBe(403);
});

test("an answer can't be added later, or twice", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas, mallory, send } = room;
  const topic = createTopic(tomas, REPLY);
  expect(await send(tomas, {}, topic)).toBe(200);

  const answer = createAnswer(ana, tomas);
  expect(await commit(firebase, tomas, answer)).toBe(403);
  expect(await commit(firebase, mallory, createAnswer(ana, mallory))).toBe(403);
  const other = createAnswer(ana, mallory, {}, "answer");
  expect(await send(mallory, { id: "mine" }, createTopic(mallory, REPLY, "mine"), other)).toBe(403);
});

test("an answer never changes, and only its sender and its recipient delete it", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas, mallory, send } = room;
  const answer = createAnswer(ana, tomas);
  const add = (id: string) =>
    send(tomas, { id }, createTopic(tomas, REPLY, id), createAnswer(ana, tomas, {}, id));
  expect(await add("answer")).toBe(200);
  expect(await add("another")).toBe(200);

  for (const user of [ana, tomas, mallory]) {
    expect(await commit(firebase, user, { ...answer, fields: { kind: "quote" } })).toBe(403);
  }
  for (const user of [mallory, null]) {
    expect(await call(firebase, user, "DELETE", answer.path)).toBe(403);
  }
  expect(await call(firebase, ana, "DELETE", answer.path)).toBe(200);
  // Again, because its sender does not know that.
  expect(await call(firebase, tomas, "DELETE", answer.path)).toBe(200);
  expect(await call(firebase, tomas, "DELETE", `${getAnswersPath(ana.localId)}/another`)).toBe(200);
});

test("only the user lists their answers, with a limit", async () => {
  await using room = await startRoom();
  const { firebase, ana, tomas } = room;
  const path = getAnswersPath(ana.localId);

  expect(await list(firebase, ana, { path, limit: 500 })).toBe(200);
  expect(await list(firebase, ana, { path })).toBe(403);
  expect(await list(firebase, tomas, { path, limit: 1 })).toBe(403);
});

const NOW = Date.now();

test.each<[string, Fields, status: number]>([
  ["nothing read", { until: 0, keys: [] }, 200],
  ["keys", { until: NOW, keys: ["a", "b"] }, 200],
  ["as many keys as allowed", { until: NOW, keys: Array(MAX_READ_KEYS).fill("a") }, 200],
  ["more keys", { until: NOW, keys: Array(MAX_READ_KEYS + 1).fill("a") }, 403],
  ["long keys", { until: NOW, keys: ["a".repeat(20_001)] }, 403],
  ["a time to come", { until: NOW + 3_600_000, keys: [] }, 403],
  ["a text for a time", { until: "now", keys: [] }, 403],
  ["another field", { until: NOW, keys: [], kind: "reply" }, 403],
])("the record of what has been read, with %s", async (_, fields, status) => {
  await using firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
  const path = getReadRecordPath(ana.localId);

  // Whether there is one is nobody else's business either.
  expect(await call(firebase, tomas, "DELETE", path)).toBe(403);
  expect(await call(firebase, tomas, "PATCH", path, fields)).toBe(403);
  expect(await call(firebase, ana, "PATCH", path, fields)).toBe(status);
});
