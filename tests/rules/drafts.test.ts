import { expect, test } from "vitest";

import { createDocumentId } from "#app/firebase/document-id.ts";
import { startFirebase, type TestAccount, type TestFirebase } from "#tests/support/firebase.ts";
import { call, commit, recordOf, type Change, type Fields } from "./requests.ts";

const DAY_MS = 24 * 60 * 60_000;
const STORY_ID = "salt-and-sand-0123456789";

const about: Fields = {
  title: "Salt and Sand",
  description: "",
  tags: ["sea"],
  cover: null,
  words: 3,
  parts: 1,
};

function draftOf(user: Pick<TestAccount, "localId">, id = createDocumentId()): Required<Change> {
  return {
    path: `users/${user.localId}/drafts/${id}`,
    fields: {
      ...about,
      revision: 1,
      storyId: null,
      publishedRevision: null,
      publishedAt: null,
      deletedAt: null,
    },
    times: ["createdAt", "updatedAt", "versionedAt"],
  };
}

function storyOf(user: Pick<TestAccount, "localId">, id = STORY_ID): Required<Change> {
  return {
    path: `stories/${id}`,
    fields: { ...about, uid: user.localId, author: "Anonymous" },
    times: ["publishedAt", "updatedAt"],
  };
}

/** Returns the record of a story's owner. */
function ownerOf(user: Pick<TestAccount, "localId">, id = STORY_ID): Required<Change> {
  return { path: `storyOwners/${id}`, fields: { uid: user.localId }, times: [] };
}

/** Commits changes to a story together with the rate record. */
async function publish(
  firebase: TestFirebase,
  user: TestAccount,
  ...changes: Change[]
): Promise<number> {
  const id = changes[0]?.path.split("/").at(-1) ?? "";
  const record = await recordOf(firebase, user, "publications", id);
  return commit(firebase, user, ...changes, record);
}

test("only the author can read and write a draft and its text", async () => {
  await using firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
  const draft = draftOf(ana);
  const part = { path: `${draft.path}/parts/0`, fields: { text: "Once" } };
  expect(await commit(firebase, ana, draft, part)).toBe(200);

  for (const path of [draft.path, part.path]) {
    expect(await call(firebase, ana, "GET", path)).toBe(200);
    for (const other of [tomas, null]) {
      expect(await call(firebase, other, "GET", path)).toBe(403);
      expect(await commit(firebase, other, { path })).toBe(403);
    }
  }
  const next = { path: draft.path, fields: { revision: 2 }, times: ["updatedAt"] };
  const version = {
    path: `${draft.path}/versions/1`,
    fields: { ...about, reason: "hour" },
    times: ["createdAt"],
  };
  const versionPart = { path: `${version.path}/parts/0`, fields: { text: "Once" } };
  for (const other of [tomas, null]) {
    for (const change of [next, part, version]) {
      expect(await commit(firebase, other, change)).toBe(403);
    }
  }
  expect(await commit(firebase, ana, next, version)).toBe(200);
  expect(await commit(firebase, tomas, versionPart)).toBe(403);
  expect(await commit(firebase, ana, versionPart)).toBe(200);
  for (const path of [version.path, versionPart.path]) {
    expect(await call(firebase, ana, "GET", path)).toBe(200);
    for (const other of [tomas, null]) {
      expect(await call(firebase, other, "GET", path)).toBe(403);
      expect(await commit(firebase, other, { path })).toBe(403);
    }
  }
  expect(await commit(firebase, tomas, draftOf(ana))).toBe(403);
  expect(await commit(firebase, null, draftOf(ana))).toBe(403);
  expect(await commit(firebase, ana, { path: part.path }, { path: draft.path })).toBe(200);
});

test("a save increments the stored revision, and does not change the creation time", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const { path, fields, times } = draftOf(ana);
  expect(await commit(firebase, ana, { path, fields: { ...fields, revision: 2 }, times })).toBe(
    403,
  );
  const createdAt = new Date(0);
  const older = { path, fields: { ...fields, createdAt }, times: ["updatedAt", "versionedAt"] };
  expect(await commit(firebase, ana, older)).toBe(403);
  expect(await commit(firebase, ana, { path, fields, times })).toBe(200);

  const save = (revision: number, at = ["updatedAt"]) =>
    commit(firebase, ana, { path, fields: { revision }, times: at });
  expect(await save(1)).toBe(403);
  expect(await save(3)).toBe(403);
  expect(await save(2, [])).toBe(403);
  expect(await save(2, ["updatedAt", "createdAt"])).toBe(403);
  expect(await save(2)).toBe(200);
});

test.each<[what: string, change: Fields]>([
  ["an unknown field", { note: "x" }],
  ["a title that is too long", { title: "x".repeat(256) }],
  ["a title that is not a string", { title: 1 }],
  ["a list for a title", { title: ["Salt"] }],
  ["a list for a description", { description: ["Salt"] }],
  ["a cover that is not a string", { cover: 5 }],
  ["a cover whose URL is too long", { cover: `https://example.com/${"x".repeat(1981)}` }],
  ["a number of words that is a string", { words: "three" }],
  ["a fraction of a word", { words: 2.5 }],
  ["a negative number of words", { words: -1 }],
  ["a fraction of a part", { parts: 1.5 }],
  ["a fraction of a revision", { revision: 1.5 }],
  ["an invalid publication time", { publishedAt: "now" }],
  ["an invalid deletion time", { deletedAt: "now" }],
  ["a published revision that is not a number", { publishedRevision: "one" }],
  ["a story id that is too long", { storyId: `${"x".repeat(70)}-0123456789` }],
  ["a story id that is a number", { storyId: 5 }],
  ["a description that is too long", { description: "x".repeat(1251) }],
  ["eleven tags", { tags: Array.from({ length: 11 }, () => "x") }],
  ["a tag that is too long", { tags: ["x".repeat(41)] }],
  ["an empty tag", { tags: ["sea", ""] }],
  ...Array.from({ length: 10 }, (_, at): [string, Fields] => [
    `a tag that is not a string at index ${at}`,
    { tags: Array.from({ length: 10 }, (__, index) => (index === at ? 5 : "sea")) },
  ]),
  ["a tag that is an object", { tags: [{ name: "sea" }] }],
  ["tags that are not a list", { tags: "sea" }],
  ["a cover that is not an https URL", { cover: "javascript:alert(1)" }],
  ["a drawing that has no number", { cover: "drawing:" }],
  ["a drawing and an address", { cover: "drawing:5 https://example.com" }],
  ["zero parts", { parts: 0 }],
  ["four parts", { parts: 4 }],
  ["the id of a built-in story", { storyId: "the-understudy-moon" }],
])("rejects a draft with %s", async (_, change) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const draft = draftOf(ana);

  expect(await commit(firebase, ana, { ...draft, fields: { ...draft.fields, ...change } })).toBe(
    403,
  );
});

test.each<[what: string, change: Fields]>([
  ["of a published story", { storyId: STORY_ID, publishedRevision: 1, publishedAt: new Date(0) }],
  ["of a story id of 80 characters", { storyId: `${"x".repeat(69)}-0123456789` }],
  ["with a cover", { cover: `https://example.com/${"x".repeat(1980)}` }],
  ["with a drawing for a cover", { cover: "drawing:71" }],
  ["in the trash", { deletedAt: new Date(0) }],
  [
    "of the longest title and description",
    { title: "x".repeat(255), description: "x".repeat(1250) },
  ],
])("accepts a draft %s", async (_what, change) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const draft = draftOf(ana);

  const fields = { ...draft.fields, ...change };
  expect(await commit(firebase, ana, { ...draft, fields })).toBe(200);
});

test("rejects a draft without the time of its last version, and an invalid save", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const draft = draftOf(ana);
  const times = ["createdAt", "updatedAt"];
  const timeless = { ...draft, fields: { ...draft.fields, versionedAt: "never" }, times };
  expect(await commit(firebase, ana, timeless)).toBe(403);
  expect(await commit(firebase, ana, draft)).toBe(200);

  const fields = { revision: 2, title: "x".repeat(256) };
  const { path } = draft;
  expect(await commit(firebase, ana, { path, fields, times: ["updatedAt"] })).toBe(403);
});

test("accepts a draft with ten tags of 40 characters", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const draft = draftOf(ana);
  const tags = Array.from({ length: 10 }, () => "x".repeat(40));

  expect(await commit(firebase, ana, { ...draft, fields: { ...draft.fields, tags } })).toBe(200);
});

test.each<[what: string, number: string, fields: Fields, status: number]>([
  ["the longest part", "0", { text: "x".repeat(200_000) }, 200],
  ["a part that is too long", "0", { text: "x".repeat(200_001) }, 403],
  ["the last part", "1", { text: "x" }, 200],
  ["a part after the last", "2", { text: "x" }, 403],
  ["a fourth part", "3", { text: "x" }, 403],
  ["a part without a number", "a", { text: "x" }, 403],
  ["a negative part", "-1", { text: "x" }, 403],
  ["the first part as 00", "00", { text: "x" }, 403],
  ["a part that is not a string", "0", { text: 1 }, 403],
  ["a part that is a list", "0", { text: ["x"] }, 403],
  ["a part with an unknown field", "0", { text: "x", uid: "x" }, 403],
])("%s: part %s", async (_, number, fields, status) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const draft = draftOf(ana);

  const part = { path: `${draft.path}/parts/${number}`, fields };
  const ofTwo = { ...draft, fields: { ...draft.fields, parts: 2 } };
  expect(await commit(firebase, ana, ofTwo, part)).toBe(status);
});

test("rejects parts without a draft or version", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const draft = draftOf(ana);
  const version = {
    path: `${draft.path}/versions/1`,
    fields: { ...about, reason: "hour" },
    times: ["createdAt"],
  };
  const partOf = ({ path }: Change) => ({ path: `${path}/parts/0`, fields: { text: "Once" } });

  expect(await commit(firebase, ana, partOf(draft))).toBe(403);
  expect(await commit(firebase, ana, version, partOf(version))).toBe(403);
  expect(await commit(firebase, ana, version)).toBe(403);
  expect(await commit(firebase, ana, draft, partOf(version))).toBe(403);
  expect(await commit(firebase, ana, draft, partOf(draft))).toBe(200);
  expect(await commit(firebase, ana, partOf(draft), { path: draft.path })).toBe(403);
  expect(await commit(firebase, ana, version, partOf(version))).toBe(200);
});

test("a version is created once and never changed", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const draft = draftOf(ana);
  const version = {
    path: `${draft.path}/versions/1`,
    fields: { ...about, reason: "hour" },
    times: ["createdAt"],
  };
  const part = { path: `${version.path}/parts/0`, fields: { text: "Once" } };
  expect(await commit(firebase, ana, draft, version, part)).toBe(200);

  expect(await commit(firebase, ana, version)).toBe(403);
  expect(await commit(firebase, ana, part)).toBe(403);
  expect(await call(firebase, null, "GET", version.path)).toBe(403);
});

test.each<[what: string, change: Fields, status: number]>([
  ["saved yesterday", { createdAt: new Date(Date.now() - DAY_MS) }, 200],
  ["saved tomorrow", { createdAt: new Date(Date.now() + DAY_MS) }, 403],
  ["without a time", { createdAt: null }, 403],
  ["with an unknown field", { createdAt: new Date(0), note: "x" }, 403],
  ["with too long a title", { createdAt: new Date(0), title: "x".repeat(256) }, 403],
  ["with an unknown reason", { createdAt: new Date(0), reason: "other" }, 403],
])("a version %s", async (_, change, status) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const draft = draftOf(ana);

  const fields = { ...about, reason: "replaced", ...change };
  const version = { path: `${draft.path}/versions/1`, fields };
  expect(await commit(firebase, ana, draft, version)).toBe(status);
});

test.each<[id: string, status: number]>([
  ["1", 200],
  ["1-0123456789abcdef0123", 200],
  ["1-0123456789abcdef012", 403],
  ["1-0123456789ABCDEF0123", 403],
  ["0123456789abcdef0123", 403],
  ["1234567890", 403],
])("a version of a conflict with the id %s: %i", async (id, status) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const draft = draftOf(ana);
  const path = `${draft.path}/versions/${id}`;

  const fields = { ...about, reason: "conflict" };
  const version = { path, fields, times: ["createdAt"] };
  expect(await commit(firebase, ana, draft, version)).toBe(status);
});

test("everyone can read a story, and only the author can change it", async () => {
  await using firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
  const story = storyOf(ana);
  const part = { path: `${story.path}/parts/0`, fields: { text: "Once" } };
  expect(await publish(firebase, ana, story, ownerOf(ana), part)).toBe(200);

  expect(await call(firebase, null, "GET", story.path)).toBe(200);
  expect(await call(firebase, null, "GET", part.path)).toBe(200);
  expect(await call(firebase, null, "GET", "stories")).toBe(200);

  const ofTomas = { ...story, fields: { ...story.fields, uid: tomas.localId } };
  for (const change of [story, ofTomas]) {
    expect(await publish(firebase, tomas, { ...change, times: ["updatedAt"] })).toBe(403);
  }
  for (const other of [tomas, null]) {
    expect(await commit(firebase, other, { ...story, times: ["updatedAt"] })).toBe(403);
    expect(await commit(firebase, other, part)).toBe(403);
    expect(await commit(firebase, other, { ...part, path: `${story.path}/parts/1` })).toBe(403);
    expect(await commit(firebase, other, { path: part.path })).toBe(403);
    expect(await commit(firebase, other, { path: story.path })).toBe(403);
  }
  // Parts are committed with the story, which the rate limit counts.
  expect(await commit(firebase, ana, part)).toBe(403);
  expect(await publish(firebase, ana, { ...story, times: ["updatedAt"] }, part)).toBe(200);
  expect(await commit(firebase, ana, { path: part.path }, { path: story.path })).toBe(200);
});

test.each<[what: string, id: string, change: Fields]>([
  ["another user's uid", STORY_ID, { uid: "somebody-else" }],
  ["no title", STORY_ID, { title: "" }],
  ["an invisible title", STORY_ID, { title: "\u200B" }],
  ["another name as the author", STORY_ID, { author: "Inkglade Editors" }],
  ["no author", STORY_ID, { author: null }],
  ["an unknown field", STORY_ID, { note: "x" }],
  ["a text that says whether it is still being written", STORY_ID, { isOngoing: "yes" }],
  ["a new chapter before it was published", STORY_ID, { newChapterAt: new Date() }],
  ["the id of a built-in story", "the-understudy-moon", {}],
])("rejects a story with %s", async (_, id, change) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const story = storyOf(ana, id);
  const changed = { ...story, fields: { ...story.fields, ...change } };

  expect(await publish(firebase, ana, changed, ownerOf(ana, id))).toBe(403);
});

test("a new chapter has the time of the update that adds it, which later updates keep", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const story = storyOf(ana);
  const ongoing = { ...story, fields: { ...story.fields, isOngoing: true } };
  expect(await publish(firebase, ana, ongoing, ownerOf(ana))).toBe(200);

  const update = { ...ongoing, times: ["updatedAt"] };
  const added = { ...ongoing, times: ["updatedAt", "newChapterAt"] };
  const dated = {
    ...update,
    fields: { ...update.fields, newChapterAt: new Date(Date.now() - DAY_MS) },
  };
  expect(await publish(firebase, ana, dated)).toBe(403);
  expect(await publish(firebase, ana, added)).toBe(200);
  expect(await publish(firebase, ana, update)).toBe(200);
  expect(await publish(firebase, ana, dated)).toBe(403);
});

test("a draft may say whether its story is still being written, and how many chapters it has", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const commitWith = (change: Fields) => {
    const draft = draftOf(ana);
    return commit(firebase, ana, { ...draft, fields: { ...draft.fields, ...change } });
  };

  expect(await commitWith({ isOngoing: true, publishedChapters: 3 })).toBe(200);
  expect(await commitWith({ isOngoing: "yes" })).toBe(403);
  expect(await commitWith({ publishedChapters: "three" })).toBe(403);
});

test.each<[what: string, number: string, fields: Fields, status: number]>([
  ["the last part", "1", { text: "x" }, 200],
  ["a part after the last", "2", { text: "x" }, 403],
  ["a part that is too long", "0", { text: "x".repeat(200_001) }, 403],
  ["a part with an unknown field", "0", { text: "x", uid: "x" }, 403],
])("publishes a story with %s: part %s", async (_what, number, fields, status) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const story = storyOf(ana);
  const ofTwo = { ...story, fields: { ...story.fields, parts: 2 } };

  const part = { path: `${story.path}/parts/${number}`, fields };
  expect(await publish(firebase, ana, ofTwo, ownerOf(ana), part)).toBe(status);
});

test("does not change the time at which a story was first published", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const story = storyOf(ana);
  const publishedAt = new Date(0);
  const backdated = { ...story, fields: { ...story.fields, publishedAt }, times: ["updatedAt"] };

  expect(await publish(firebase, ana, backdated, ownerOf(ana))).toBe(403);
  expect(await publish(firebase, ana, story, ownerOf(ana))).toBe(200);
  expect(await publish(firebase, ana, backdated, ownerOf(ana))).toBe(403);
  expect(await publish(firebase, ana, story, ownerOf(ana))).toBe(403);
});

test.each<[what: string, change: Fields]>([
  ["another user's uid", { uid: "somebody-else" }],
  ["another author", { author: "Inkglade Editors" }],
  ["an invisible title", { title: "\u3164" }],
  ["a tag that is not a string", { tags: [5] }],
  ["an unknown field", { note: "x" }],
])("rejects an update of a story with %s", async (_what, change) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  expect(await publish(firebase, ana, storyOf(ana), ownerOf(ana))).toBe(200);
  const { path, fields } = storyOf(ana);

  const corrected = { path, fields: { ...fields, ...change }, times: ["updatedAt"] };
  expect(await publish(firebase, ana, corrected, ownerOf(ana))).toBe(403);
});

test("rejects stories of visitors, and parts without a story", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();

  expect(await commit(firebase, null, storyOf(ana), ownerOf(ana))).toBe(403);
  expect(await publish(firebase, ana, storyOf(ana))).toBe(403);
  const stray = { path: `stories/${STORY_ID}/parts/0`, fields: { text: "x" } };
  expect(await commit(firebase, ana, stray)).toBe(403);
});

test("the id of a deleted story remains reserved for its author", async () => {
  await using firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
  const [story, owner] = [storyOf(ana), ownerOf(ana)];
  expect(await publish(firebase, ana, story, owner)).toBe(200);
  expect(await commit(firebase, ana, { path: story.path })).toBe(200);

  for (const claims of [[], [owner], [ownerOf(tomas)], [{ path: owner.path }, ownerOf(tomas)]]) {
    expect(await publish(firebase, tomas, storyOf(tomas), ...claims)).toBe(403);
  }
  expect(await call(firebase, tomas, "GET", owner.path)).toBe(403);
  expect(await commit(firebase, tomas, { path: owner.path })).toBe(403);
  expect(await publish(firebase, ana, story, owner)).toBe(200);
});

test("rejects an owner record for another user's story, and one without a story", async () => {
  await using firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
  expect(await commit(firebase, ana, ownerOf(ana))).toBe(403);
  expect(await publish(firebase, ana, storyOf(ana), ownerOf(ana))).toBe(200);
  // Stories that are older than this rule have no owner record.
  expect(await commit(firebase, ana, { path: ownerOf(ana).path })).toBe(200);

  expect(await commit(firebase, tomas, ownerOf(tomas))).toBe(403);
  const note = { ...ownerOf(ana), fields: { uid: ana.localId, note: "x" } };
  const ofTomas = { ...ownerOf(ana), fields: { uid: tomas.localId } };
  for (const change of [note, ofTomas]) expect(await commit(firebase, ana, change)).toBe(403);
  const again = { ...storyOf(ana), times: ["updatedAt"] };
  expect(await publish(firebase, ana, again, ownerOf(ana))).toBe(200);
  for (const change of [note, ofTomas]) expect(await commit(firebase, ana, change)).toBe(403);
});
