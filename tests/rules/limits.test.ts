import { expect, test } from "vitest";
import * as z from "zod";

import { createDocumentId } from "#app/firebase/document-id.ts";
import { RATE_LIMITS, getRateRecordsPath, type RateKind } from "#app/session/rate-record.server.ts";
import {
  isGoogleFirestore,
  startFirebase,
  type TestAccount,
  type TestFirebase,
} from "#tests/support/firebase.ts";
import { setRateRecord } from "#tests/support/rate-records.ts";
import { call, commit, createRecord, type Change, type TestUser } from "./requests.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const STORY_ID = "salt-and-sand-0123456789";

function createMessage({ localId }: TestAccount, id = createDocumentId()): Required<Change> {
  return {
    path: `rooms/general/messages/${id}`,
    fields: { text: "Hello", uid: localId, displayName: "Anonymous", photoURL: null },
    times: ["createdAt"],
  };
}

/** Returns the changes that publish a story. */
function createStory({ localId }: TestAccount, isNew: boolean): Change[] {
  const fields = {
    ...{ title: "Salt and Sand", description: "", tags: [], cover: null, words: 3, parts: 1 },
    ...{ uid: localId, author: "Anonymous" },
  };
  const times = isNew ? ["publishedAt", "updatedAt"] : ["updatedAt"];
  return [
    { path: `stories/${STORY_ID}`, fields, times },
    { path: `storyOwners/${STORY_ID}`, fields: { uid: localId } },
  ];
}

async function post(firebase: TestFirebase, user: TestAccount): Promise<number> {
  const id = createDocumentId();
  const record = await createRecord(firebase, user, "messages", id);
  return commit(firebase, user, createMessage(user, id), record);
}

async function publish(firebase: TestFirebase, user: TestAccount, isNew: boolean) {
  const record = await createRecord(firebase, user, "publications", STORY_ID);
  return commit(firebase, user, ...createStory(user, isNew), record);
}

/** Returns `count` ages in steps of `stepMs`, the oldest first. */
function createAges(count: number, stepMs: number, newestMs: number): number[] {
  return Array.from({ length: count }, (_, index) => newestMs + (count - 1 - index) * stepMs);
}

test("a user can send five messages at once, but not a sixth", async () => {
  await using firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];

  const statuses: number[] = [];
  for (let count = 0; count < 7; count += 1) statuses.push(await post(firebase, ana));

  expect(statuses).toEqual([200, 200, 200, 200, 200, 403, 403]);
  expect(await post(firebase, tomas), "another user").toBe(200);
});

test.each<[what: string, kind: RateKind, ages: number[], status: number]>([
  ["five in the last ten seconds", "messages", createAges(5, SECOND_MS, 3 * SECOND_MS), 403],
  ["the first of five ten seconds ago", "messages", createAges(5, SECOND_MS, 6.1 * SECOND_MS), 200],
  ["30 in the last minute", "messages", createAges(30, SECOND_MS, 20 * SECOND_MS), 403],
  ["the first of 30 a minute ago", "messages", createAges(30, SECOND_MS, 31.1 * SECOND_MS), 200],
  [
    "31, the first of them a minute ago",
    "messages",
    createAges(31, SECOND_MS, 29.5 * SECOND_MS),
    403,
  ],
  ["20 publications in the last hour", "publications", createAges(20, MINUTE_MS, MINUTE_MS), 403],
  ["19 publications", "publications", createAges(19, MINUTE_MS, MINUTE_MS), 200],
  ["the first of 20 an hour ago", "publications", createAges(20, MINUTE_MS, 41.1 * MINUTE_MS), 200],
])("the rate limits apply after %s", async (_what, kind, ages, status) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  await setRateRecord(firebase.hosts, ana.localId, kind, ages);

  expect(await (kind === "messages" ? post(firebase, ana) : publish(firebase, ana, true))).toBe(
    status,
  );
});

test("counts an update of a story as a publication", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  expect(await publish(firebase, ana, true)).toBe(200);
  expect(await publish(firebase, ana, false)).toBe(200);

  expect(await commit(firebase, ana, ...createStory(ana, false))).toBe(403);
  const ages = createAges(20, MINUTE_MS, MINUTE_MS);
  await setRateRecord(firebase.hosts, ana.localId, "publications", ages);
  expect(await publish(firebase, ana, false)).toBe(403);
});

test.each([
  [2, 403],
  [499, isGoogleFirestore ? 500 : 403],
])("rejects one commit of %i messages", async (count, status) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const ids = Array.from({ length: count }, () => createDocumentId());
  const [first = ""] = ids;
  const record = await createRecord(firebase, ana, "messages", first);

  const messages = ids.map((id) => createMessage(ana, id));
  expect(await commit(firebase, ana, ...messages, record)).toBe(status);
});

test("rejects a message without a rate record with its id", async () => {
  await using firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
  const id = createDocumentId();
  const record = await createRecord(firebase, ana, "messages", id);
  const ofTomas = await createRecord(firebase, tomas, "messages", id);

  expect(await commit(firebase, ana, createMessage(ana, id))).toBe(403);
  expect(await commit(firebase, ana, createMessage(ana), record)).toBe(403);
  expect(await commit(firebase, ana, createMessage(ana, id), ofTomas)).toBe(403);
  expect(await commit(firebase, ana, createMessage(ana, id), record)).toBe(200);
  // Sending a deleted message again counts as a new message.
  const message = createMessage(ana, id);
  expect(await commit(firebase, ana, { path: message.path })).toBe(200);
  expect(await commit(firebase, ana, message)).toBe(403);
});

test.each<[RateKind]>([["messages"], ["publications"]])(
  "a rate record of %s contains the id of a document in the same commit",
  async (kind) => {
    await using firebase = await startFirebase();
    const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
    const id = kind === "messages" ? createDocumentId() : STORY_ID;
    const writes = kind === "messages" ? [createMessage(ana, id)] : createStory(ana, true);
    const record = await createRecord(firebase, ana, kind, id);
    const change = (fields: Change["fields"], times = record.times) =>
      commit(firebase, ana, ...writes, {
        ...record,
        fields: { ...record.fields, ...fields },
        times,
      });

    expect(await commit(firebase, ana, record), "without the document").toBe(403);
    expect(await change({ note: "x" }), "an unknown field").toBe(403);
    expect(await change({ id: 5 }), "an id that is a number").toBe(403);
    expect(await change({ id: `${id}/parts/0` }), "a path as the id").toBe(403);
    expect(await change({ earlier: [Date.now() - HOUR_MS] }), "a time that does not exist").toBe(
      403,
    );
    expect(await change({ at: new Date() }, []), "another time than the commit's").toBe(403);
    expect(await change({}), "valid").toBe(200);
    expect(await commit(firebase, ana, await createRecord(firebase, ana, kind, id)), "again").toBe(
      403,
    );
    const ofTomas = await createRecord(firebase, tomas, kind, id);
    expect(await commit(firebase, tomas, ofTomas), "another user's").toBe(403);
  },
);

test.each<[RateKind]>([["messages"], ["publications"]])(
  "a rate record of %s contains all times that count",
  async (kind) => {
    await using firebase = await startFirebase();
    const ana = await firebase.addAccount();
    await setRateRecord(firebase.hosts, ana.localId, kind, [3000, 2000, 1000]);
    const id = kind === "messages" ? createDocumentId() : STORY_ID;
    const writes = kind === "messages" ? [createMessage(ana, id)] : createStory(ana, true);
    const record = await createRecord(firebase, ana, kind, id);
    const { earlier } = z.object({ earlier: z.array(z.number()) }).parse(record.fields);

    for (const fewer of [[], earlier.slice(1), earlier.slice(0, -1)]) {
      const fields = { ...record.fields, earlier: fewer };
      expect(await commit(firebase, ana, ...writes, { ...record, fields })).toBe(403);
    }
    expect(await commit(firebase, ana, ...writes, record)).toBe(200);
  },
);

test("nobody can change another user's rate record", async () => {
  await using firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
  const id = createDocumentId();
  const [own, hers] = [
    await createRecord(firebase, tomas, "messages", id),
    await createRecord(firebase, ana, "messages", id),
  ];

  expect(await commit(firebase, tomas, createMessage(tomas, id), own, hers)).toBe(403);
  expect(await commit(firebase, tomas, createMessage(tomas, id), own)).toBe(200);
});

test("rejects a rate record of another kind", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const record = await createRecord(firebase, ana, "publications", STORY_ID);
  const other = { ...record, path: `${getRateRecordsPath(ana.localId)}/others` };

  expect(await commit(firebase, ana, ...createStory(ana, true), record, other)).toBe(403);
  expect(await commit(firebase, ana, ...createStory(ana, true), record)).toBe(200);
});

test("a rate record contains at most as many times as its limits count", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const most = Math.max(...RATE_LIMITS.messages.map(({ count }) => count));
  await setRateRecord(firebase.hosts, ana.localId, "messages", createAges(most + 1, 1000, HOUR_MS));
  const id = createDocumentId();
  const record = await createRecord(firebase, ana, "messages", id);
  const { earlier } = z.object({ earlier: z.array(z.number()) }).parse(record.fields);

  const longer = { ...record.fields, earlier: [Date.now() - 2 * HOUR_MS, ...earlier] };
  expect(await commit(firebase, ana, createMessage(ana, id), { ...record, fields: longer })).toBe(
    403,
  );
  expect(await commit(firebase, ana, createMessage(ana, id), record)).toBe(200);
});

test.each<[RateKind, number]>([
  ["messages", MINUTE_MS],
  ["publications", HOUR_MS],
])(
  "only the user can read a rate record of %s, and delete it after %i ms",
  async (kind, windowMs) => {
    await using firebase = await startFirebase();
    const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
    const path = `${getRateRecordsPath(ana.localId)}/${kind}`;
    const remove = (user: TestUser) => call(firebase, user, "DELETE", path);
    const age = (ageMs: number) => setRateRecord(firebase.hosts, ana.localId, kind, [ageMs]);

    await age(windowMs - 5000);
    expect(await call(firebase, ana, "GET", path)).toBe(200);
    for (const other of [tomas, null]) {
      expect(await call(firebase, other, "GET", path)).toBe(403);
      expect(await remove(other)).toBe(403);
    }
    // The record is older than this sign-in.
    expect(await remove(ana)).toBe(403);

    await age(windowMs + 1000);
    expect(await remove(tomas)).toBe(403);
    expect(await remove(ana)).toBe(200);
  },
);
