import { expect, test } from "vitest";

import { shareSchema } from "#app/stories/counts/counts-schema.ts";
import { changeDocument, deleteDocument } from "#tests/support/documents.ts";
import { startFirebase, type TestAccount, type TestFirebase } from "#tests/support/firebase.ts";
import { publishStory } from "#tests/support/stories.ts";
import { call, commit, type Change, type Fields } from "./requests.ts";

const STORY = "the-salt-road-0123456789";
const COUNTS = `storyCounts/${STORY}`;
/** The writer of the test's stories. */
const WRITER = "ana";

async function startStory() {
  const firebase = await startFirebase();
  await publishStory(firebase.hosts, { id: STORY, title: "The Salt Road", text: "One." });
  const [tomas, priya] = [await firebase.addAccount(), await firebase.addAccount()];
  return {
    firebase,
    tomas,
    priya,
    [Symbol.asyncDispose]: () => firebase[Symbol.asyncDispose](),
  };
}

const getSharePath = ({ localId }: Pick<TestAccount, "localId">) =>
  `users/${localId}/reads/${STORY}`;

function createShare(user: TestAccount, [opens, finishes, thanks]: Numbers): Change {
  return { path: getSharePath(user), fields: { opens, finishes, thanks }, times: ["at"] };
}

type Numbers = [opens: number, finishes: number, thanks: number];

/** A change of the counts to these numbers. */
function createCounts([opens, finishes, thanks]: Numbers, uid = WRITER): Change {
  return { path: COUNTS, fields: { uid, opens, finishes, thanks } };
}

async function setCounts({ hosts }: TestFirebase, [opens, finishes, thanks]: Numbers) {
  await changeDocument(hosts, COUNTS, {
    uid: { stringValue: WRITER },
    opens: { integerValue: opens },
    finishes: { integerValue: finishes },
    thanks: { integerValue: thanks },
  });
}

async function setShare({ hosts }: TestFirebase, user: TestAccount, numbers: Numbers) {
  const [opens, finishes, thanks] = numbers;
  await changeDocument(hosts, getSharePath(user), {
    opens: { integerValue: opens },
    finishes: { integerValue: finishes },
    thanks: { integerValue: thanks },
    at: { timestampValue: "2026-01-01T00:00:00Z" },
  });
}

test.each<[what: string, before: Numbers | null, after: Numbers, Numbers, boolean]>([
  ["opens", null, [1, 0, 0], [11, 5, 3], true],
  ["opens and thanks", null, [1, 0, 1], [11, 5, 4], true],
  ["finishes", [1, 0, 0], [1, 1, 0], [10, 6, 3], true],
  ["thanks", [1, 1, 0], [1, 1, 1], [10, 5, 4], true],
  ["takes the thanks back", [1, 1, 1], [1, 1, 0], [10, 5, 2], true],
  ["counts twice", null, [1, 0, 0], [12, 5, 3], false],
  ["thanks twice", [1, 0, 0], [1, 0, 1], [10, 5, 5], false],
  ["thanks again", [1, 0, 1], [1, 0, 1], [10, 5, 4], false],
  ["takes back twice", [1, 0, 1], [1, 0, 0], [10, 5, 1], false],
  ["takes back what is not theirs", [1, 0, 0], [1, 0, 0], [10, 5, 2], false],
  ["adds to another number", [1, 0, 0], [1, 0, 1], [10, 6, 3], false],
  ["adds to two numbers", [1, 0, 0], [1, 0, 1], [10, 6, 4], false],
  ["leaves the numbers unchanged", [1, 0, 0], [1, 0, 1], [10, 5, 3], false],
])("a user %s: %s to %s, counts %s: %s", async (_what, before, after, counts, isAllowed) => {
  await using story = await startStory();
  const { firebase, tomas } = story;
  await setCounts(firebase, [10, 5, 3]);
  if (before) await setShare(firebase, tomas, before);

  const share = createShare(tomas, after);
  expect(await commit(firebase, tomas, share, createCounts(counts))).toBe(isAllowed ? 200 : 403);
});

test("the share and the counts change only together", async () => {
  await using story = await startStory();
  const { firebase, tomas } = story;
  expect(await commit(firebase, tomas, createShare(tomas, [1, 0, 1]))).toBe(403);
  expect(await commit(firebase, tomas, createCounts([1, 0, 1]))).toBe(403);
  expect(
    await commit(firebase, tomas, createShare(tomas, [1, 0, 1]), createCounts([1, 0, 1])),
  ).toBe(200);

  expect(await commit(firebase, tomas, createShare(tomas, [1, 1, 1]))).toBe(403);
  expect(await commit(firebase, tomas, createCounts([1, 0, 2]))).toBe(403);
  expect(await call(firebase, tomas, "DELETE", COUNTS)).toBe(403);
});

test("a share is deleted once it no longer counts, so that nobody counts again by deleting it", async () => {
  await using story = await startStory();
  const { firebase, tomas } = story;
  const create = (counts: Numbers) =>
    commit(firebase, tomas, createShare(tomas, [1, 1, 1]), createCounts(counts));
  const remove = () => call(firebase, tomas, "DELETE", getSharePath(tomas));
  await setCounts(firebase, [10, 5, 3]);
  expect(await create([11, 6, 4])).toBe(200);

  expect(await remove()).toBe(403);
  expect(await commit(firebase, tomas, createShare(tomas, [0, 0, 0]))).toBe(403);
  for (const zero of [
    [0, 1, 1],
    [0, 0, 1],
    [0, 1, 0],
  ] satisfies Numbers[]) {
    const counts = createCounts([10, 5 + zero[1], 3 + zero[2]]);
    expect(await commit(firebase, tomas, createShare(tomas, zero), counts)).toBe(403);
  }
  const uncounted = createCounts([10, 5, 3]);
  expect(await commit(firebase, tomas, createShare(tomas, [0, 0, 0]), uncounted)).toBe(200);
  expect(await remove()).toBe(200);
  expect(await create([11, 6, 4])).toBe(200);
});

test.each<[what: string, counts: Numbers | null]>([
  ["were deleted", null],
  ["were deleted and began anew", [1, 0, 0]],
])("a share is deleted when the counts %s", async (_what, counts) => {
  await using story = await startStory();
  const { firebase, tomas } = story;
  await setShare(firebase, tomas, [1, 0, 1]);
  if (counts) await setCounts(firebase, counts);

  expect(await call(firebase, tomas, "DELETE", getSharePath(tomas))).toBe(200);
});

test("nobody changes the share of another user", async () => {
  await using story = await startStory();
  const { firebase, tomas, priya } = story;
  const counts = createCounts([1, 0, 1]);
  for (const user of [priya, null]) {
    expect(await commit(firebase, user, createShare(tomas, [1, 0, 1]), counts)).toBe(403);
  }
  await setShare(firebase, tomas, [1, 0, 1]);
  await setCounts(firebase, [1, 0, 1]);

  for (const user of [priya, null]) {
    expect(await call(firebase, user, "GET", getSharePath(tomas))).toBe(403);
    expect(await call(firebase, user, "DELETE", getSharePath(tomas))).toBe(403);
    expect(
      await commit(firebase, user, createShare(tomas, [1, 0, 0]), createCounts([1, 0, 0])),
    ).toBe(403);
  }
  expect(await call(firebase, tomas, "GET", getSharePath(tomas))).toBe(200);
});

test("writers do not count for their own story", async () => {
  await using story = await startStory();
  const { firebase, tomas } = story;
  const uid = { stringValue: tomas.localId };
  await changeDocument(firebase.hosts, `stories/${STORY}`, { uid });

  const counts = createCounts([1, 0, 1], tomas.localId);
  expect(await commit(firebase, tomas, createShare(tomas, [1, 0, 1]), counts)).toBe(403);
});

test("counts belong to the writer of a published story", async () => {
  await using story = await startStory();
  const { firebase, tomas } = story;
  const share = createShare(tomas, [1, 0, 1]);

  expect(await commit(firebase, tomas, share, createCounts([1, 0, 1], tomas.localId))).toBe(403);
  await deleteDocument(firebase.hosts, `stories/${STORY}`);
  expect(await commit(firebase, tomas, share, createCounts([1, 0, 1]))).toBe(403);
});

test("only the writer reads the counts", async () => {
  await using story = await startStory();
  const { firebase, tomas, priya } = story;
  await setCounts(firebase, [10, 5, 3]);
  await changeDocument(firebase.hosts, COUNTS, { uid: { stringValue: priya.localId } });

  expect(await call(firebase, priya, "GET", COUNTS)).toBe(200);
  for (const user of [tomas, null]) {
    expect(await call(firebase, user, "GET", COUNTS)).toBe(403);
    expect(await call(firebase, user, "GET", "storyCounts")).toBe(403);
  }
});

test("only the owner of a story deletes its counts", async () => {
  await using story = await startStory();
  const { firebase, tomas, priya } = story;
  await setCounts(firebase, [10, 5, 3]);
  const uid = { stringValue: priya.localId };
  await changeDocument(firebase.hosts, `storyOwners/${STORY}`, { uid });

  expect(await call(firebase, tomas, "DELETE", COUNTS)).toBe(403);
  expect(await call(firebase, null, "DELETE", COUNTS)).toBe(403);
  expect(await call(firebase, priya, "DELETE", COUNTS)).toBe(200);
});

test.each<[what: string, change: Fields]>([
  ["an unknown field", { title: "Salt" }],
  ["no open", { opens: 0 }],
  ["two opens", { opens: 2 }],
  ["half a thank", { thanks: 0.5 }],
  ["a negative thank", { thanks: -1 }],
  ["ten thanks", { thanks: 10 }],
  ["a text", { finishes: "1" }],
  ["one finish", { finishes: 1 }],
  ["one thank", { thanks: 1 }],
])("rules and schema agree on a share with %s", async (_what, change) => {
  await using story = await startStory();
  const { firebase, tomas } = story;
  const share = { opens: 1, finishes: 0, thanks: 0, ...change };
  const { opens, finishes, thanks } = share;
  const counts = { path: COUNTS, fields: { uid: WRITER, opens, finishes, thanks } };

  const status = await commit(
    firebase,
    tomas,
    { path: getSharePath(tomas), fields: share, times: ["at"] },
    counts,
  );
  expect(status).toBe(shareSchema.safeParse({ ...share, at: new Date() }).success ? 200 : 403);
});

test.each<[what: string, change: Fields]>([
  ["an unknown field", { title: "Salt" }],
  ["a text for a number", { finishes: "0" }],
  ["no uid", { uid: null }],
])("rejects counts with %s", async (_what, change) => {
  await using story = await startStory();
  const { firebase, tomas } = story;
  const fields = { uid: WRITER, opens: 1, finishes: 0, thanks: 0, ...change };

  expect(
    await commit(firebase, tomas, createShare(tomas, [1, 0, 0]), { path: COUNTS, fields }),
  ).toBe(403);
});
