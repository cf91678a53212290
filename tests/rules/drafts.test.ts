import { expect, test } from "vitest";

import { MAX_WORDS } from "#app/stories/story-text.server.ts";
import { startFirebase } from "#tests/support/firebase.ts";
import { about, createDraft, createVersion } from "./draft-documents.ts";
import { call, commit, type Change, type Fields } from "./requests.ts";

const DAY_MS = 24 * 60 * 60_000;
const STORY_ID = "salt-and-sand-0123456789";

const PICTURE = `/pictures/ana/${"0123456789abcdef".repeat(2)}.webp`;

test("only the author can read and write a draft and its text", async () => {
  await using firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
  const draft = createDraft(ana);
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
  const version = createVersion(draft);
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
  expect(await commit(firebase, tomas, createDraft(ana))).toBe(403);
  expect(await commit(firebase, null, createDraft(ana))).toBe(403);
  expect(await commit(firebase, ana, { path: part.path }, { path: draft.path })).toBe(200);
});

test("a save increments the stored revision, and does not change the creation time", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const { path, fields, times } = createDraft(ana);
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
  ["more words than the longest text has characters", { words: MAX_WORDS + 1 }],
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
  ...Array.from({ length: 10 }, (_, index): [string, Fields] => [
    `a tag that is not a string at index ${index}`,
    { tags: Array.from({ length: 10 }, (__, other) => (other === index ? 5 : "sea")) },
  ]),
  ["a tag that is an object", { tags: [{ name: "sea" }] }],
  ["tags that are not a list", { tags: "sea" }],
  ["a cover that is not an https URL", { cover: "javascript:alert(1)" }],
  ["a path that is no picture's for a cover", { cover: "/logout" }],
  ["a longer path than a picture's for a cover", { cover: `${PICTURE}/x` }],
  ["a drawing that has no number", { cover: "drawing:" }],
  ["a drawing and an address", { cover: "drawing:5 https://example.com" }],
  ["zero parts", { parts: 0 }],
  ["four parts", { parts: 4 }],
  ["the id of a built-in story", { storyId: "the-understudy-moon" }],
])("rejects a draft with %s", async (_, change) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const draft = createDraft(ana);

  expect(await commit(firebase, ana, { ...draft, fields: { ...draft.fields, ...change } })).toBe(
    403,
  );
});

test.each<[what: string, change: Fields]>([
  ["of a published story", { storyId: STORY_ID, publishedRevision: 1, publishedAt: new Date(0) }],
  ["of a story id of 80 characters", { storyId: `${"x".repeat(69)}-0123456789` }],
  ["of a story with numbers in its title", { storyId: "1984-in-9-parts-0123456789" }],
  ["with a cover", { cover: `https://example.com/${"x".repeat(1980)}` }],
  ["with an uploaded cover", { cover: PICTURE }],
  ["with a drawing for a cover", { cover: "drawing:71" }],
  ["in the trash", { deletedAt: new Date(0) }],
  [
    "of the longest title and description",
    { title: "x".repeat(255), description: "x".repeat(1250) },
  ],
])("accepts a draft %s", async (_what, change) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const draft = createDraft(ana);

  const fields = { ...draft.fields, ...change };
  expect(await commit(firebase, ana, { ...draft, fields })).toBe(200);
});

test.each(["my-story", "a".repeat(19), "a".repeat(21), "__draft__draft__draf"])(
  "rejects a draft with the id %s, which the app would not open",
  async (id) => {
    await using firebase = await startFirebase();
    const ana = await firebase.addAccount();
    expect(await commit(firebase, ana, createDraft(ana, id))).toBe(403);
  },
);

test("rejects a draft without the time of its last version, and an invalid save", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const draft = createDraft(ana);
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
  const draft = createDraft(ana);
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
])("checks a part's fields and number: %s, %s", async (_, number, fields, status) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const draft = createDraft(ana);

  const part = { path: `${draft.path}/parts/${number}`, fields };
  const ofTwo = { ...draft, fields: { ...draft.fields, parts: 2 } };
  expect(await commit(firebase, ana, ofTwo, part)).toBe(status);
});

test("rejects parts without a draft or version", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const draft = createDraft(ana);
  const version = createVersion(draft);
  const createPart = ({ path }: Change) => ({ path: `${path}/parts/0`, fields: { text: "Once" } });

  expect(await commit(firebase, ana, createPart(draft))).toBe(403);
  expect(await commit(firebase, ana, version, createPart(version))).toBe(403);
  expect(await commit(firebase, ana, version)).toBe(403);
  expect(await commit(firebase, ana, draft, createPart(version))).toBe(403);
  expect(await commit(firebase, ana, draft, createPart(draft))).toBe(200);
  expect(await commit(firebase, ana, createPart(draft), { path: draft.path })).toBe(403);
  expect(await commit(firebase, ana, version, createPart(version))).toBe(200);
});

test("a draft may say its language, whether it is still being written, and its chapters", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const commitWith = (change: Fields) => {
    const draft = createDraft(ana);
    return commit(firebase, ana, { ...draft, fields: { ...draft.fields, ...change } });
  };

  expect(await commitWith({ isOngoing: true, publishedChapters: 3 })).toBe(200);
  expect(await commitWith({ isOngoing: "yes" })).toBe(403);
  expect(await commitWith({ isOngoing: null })).toBe(403);
  expect(await commitWith({ language: "pt-BR" })).toBe(200);
  expect(await commitWith({ language: null })).toBe(403);
  expect(await commitWith({ language: "<b>" })).toBe(403);
  expect(await commitWith({ publishedChapters: null })).toBe(403);
  expect(await commitWith({ publishedChapters: "three" })).toBe(403);
});

test("a version is created once and never changed", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const draft = createDraft(ana);
  const version = createVersion(draft);
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
])("the rules check the fields of a version %s", async (_, change, status) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const draft = createDraft(ana);

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
])("creating a version of a conflict with the id %s gets %i", async (id, status) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const draft = createDraft(ana);
  const path = `${draft.path}/versions/${id}`;

  const fields = { ...about, reason: "conflict" };
  const version = { path, fields, times: ["createdAt"] };
  expect(await commit(firebase, ana, draft, version)).toBe(status);
});
