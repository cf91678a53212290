import { expect, test } from "vitest";

import { MAX_WORDS } from "#app/stories/story-text.server.ts";
import { startFirebase, type TestAccount, type TestFirebase } from "#tests/support/firebase.ts";
import { about } from "./draft-documents.ts";
import { call, commit, createRecord, type Change, type Fields } from "./requests.ts";

const DAY_MS = 24 * 60 * 60_000;
const STORY_ID = "salt-and-sand-0123456789";

function createStory(user: Pick<TestAccount, "localId">, id = STORY_ID): Required<Change> {
  return {
    path: `stories/${id}`,
    fields: { ...about, uid: user.localId, author: "Anonymous" },
    times: ["publishedAt", "updatedAt"],
  };
}

/** Returns the record of a story's owner. */
function createOwner(user: Pick<TestAccount, "localId">, id = STORY_ID): Required<Change> {
  return { path: `storyOwners/${id}`, fields: { uid: user.localId }, times: [] };
}

/** Commits changes to a story together with the rate record. */
async function publish(
  firebase: TestFirebase,
  user: TestAccount,
  ...changes: Change[]
): Promise<number> {
  const id = changes[0]?.path.split("/").at(-1) ?? "";
  const record = await createRecord(firebase, user, "publications", id);
  return commit(firebase, user, ...changes, record);
}

test("everyone can read a story, and only the author can change it", async () => {
  await using firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
  const story = createStory(ana);
  const part = { path: `${story.path}/parts/0`, fields: { text: "Once" } };
  expect(await publish(firebase, ana, story, createOwner(ana), part)).toBe(200);

  expect(await call(firebase, null, "GET", story.path)).toBe(200);
  expect(await call(firebase, null, "GET", part.path)).toBe(200);

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
  ["null for the time of a new chapter", STORY_ID, { newChapterAt: null }],
  ["null for whether it is still being written", STORY_ID, { isOngoing: null }],
  ["null for its index", STORY_ID, { terms: null }],
  ["null for its language", STORY_ID, { language: null }],
  ["a number for its language", STORY_ID, { language: 7 }],
  ["a text for its language", STORY_ID, { language: "the language of birds" }],
  ["an empty tag", STORY_ID, { tags: ["sea", ""] }],
  ["a tag that is too long", STORY_ID, { tags: ["x".repeat(41)] }],
  ["more words than the longest text has characters", STORY_ID, { words: MAX_WORDS + 1 }],
  ["the id of a built-in story", "the-understudy-moon", {}],
])("rejects a story with %s", async (_, id, change) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const story = createStory(ana, id);
  const changed = { ...story, fields: { ...story.fields, ...change } };

  expect(await publish(firebase, ana, changed, createOwner(ana, id))).toBe(403);
});

test("a new chapter has the time of the update that adds it, which later updates keep", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const story = createStory(ana);
  const ongoing = { ...story, fields: { ...story.fields, isOngoing: true } };
  expect(await publish(firebase, ana, ongoing, createOwner(ana))).toBe(200);

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

test("a story may say its language, and its tags may have any characters", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const { fields, ...story } = createStory(ana);
  const tags = ["x".repeat(40), "\u{1F30A}".repeat(20), "two\nlines"];
  const chinese = { ...story, fields: { ...fields, tags, language: "zh-Hant" } };

  expect(await publish(firebase, ana, chinese, createOwner(ana))).toBe(200);
});

test("a story may have as many words as the longest text has characters", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const { fields, ...story } = createStory(ana);
  const longest = { ...story, fields: { ...fields, words: MAX_WORDS } };

  expect(await publish(firebase, ana, longest, createOwner(ana))).toBe(200);
});

test.each<[what: string, number: string, fields: Fields, status: number]>([
  ["the last part", "1", { text: "x" }, 200],
  ["a part after the last", "2", { text: "x" }, 403],
  ["a part that is too long", "0", { text: "x".repeat(200_001) }, 403],
  ["a part with an unknown field", "0", { text: "x", uid: "x" }, 403],
])("publishes a story with %s: part %s", async (_what, number, fields, status) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const story = createStory(ana);
  const ofTwo = { ...story, fields: { ...story.fields, parts: 2 } };

  const part = { path: `${story.path}/parts/${number}`, fields };
  expect(await publish(firebase, ana, ofTwo, createOwner(ana), part)).toBe(status);
});

test("does not change the time at which a story was first published", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const story = createStory(ana);
  const publishedAt = new Date(0);
  const backdated = { ...story, fields: { ...story.fields, publishedAt }, times: ["updatedAt"] };

  expect(await publish(firebase, ana, backdated, createOwner(ana))).toBe(403);
  expect(await publish(firebase, ana, story, createOwner(ana))).toBe(200);
  expect(await publish(firebase, ana, backdated, createOwner(ana))).toBe(403);
  expect(await publish(firebase, ana, story, createOwner(ana))).toBe(403);
});

test.each<[what: string, change: Fields]>([
  ["another user's uid", { uid: "somebody-else" }],
  ["another author", { author: "Inkglade Editors" }],
  ["an invisible title", { title: "\u3164" }],
  ["a tag that is not a string", { tags: [5] }],
  ["an unknown field", { note: "x" }],
  ["null for the time of a new chapter", { newChapterAt: null }],
])("rejects an update of a story with %s", async (_what, change) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  expect(await publish(firebase, ana, createStory(ana), createOwner(ana))).toBe(200);
  const { path, fields } = createStory(ana);

  const corrected = { path, fields: { ...fields, ...change }, times: ["updatedAt"] };
  expect(await publish(firebase, ana, corrected, createOwner(ana))).toBe(403);
});

test("rejects stories of visitors, and parts without a story", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();

  expect(await commit(firebase, null, createStory(ana), createOwner(ana))).toBe(403);
  expect(await publish(firebase, ana, createStory(ana))).toBe(403);
  const stray = { path: `stories/${STORY_ID}/parts/0`, fields: { text: "x" } };
  expect(await commit(firebase, ana, stray)).toBe(403);
});

test("the id of a deleted story remains reserved for its author", async () => {
  await using firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
  const [story, owner] = [createStory(ana), createOwner(ana)];
  expect(await publish(firebase, ana, story, owner)).toBe(200);
  expect(await commit(firebase, ana, { path: story.path })).toBe(200);

  for (const claims of [
    [],
    [owner],
    [createOwner(tomas)],
    [{ path: owner.path }, createOwner(tomas)],
  ]) {
    expect(await publish(firebase, tomas, createStory(tomas), ...claims)).toBe(403);
  }
  for (const user of [tomas, null]) {
    expect(await call(firebase, user, "GET", owner.path)).toBe(200);
  }
  expect(await commit(firebase, tomas, { path: owner.path })).toBe(403);
  expect(await publish(firebase, ana, story, owner)).toBe(200);
});

test("rejects an owner record for another user's story, and one without a story", async () => {
  await using firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
  expect(await commit(firebase, ana, createOwner(ana))).toBe(403);
  expect(await publish(firebase, ana, createStory(ana), createOwner(ana))).toBe(200);
  // Stories that are older than this rule have no owner record.
  expect(await commit(firebase, ana, { path: createOwner(ana).path })).toBe(200);

  expect(await commit(firebase, tomas, createOwner(tomas))).toBe(403);
  const ownerWithNote = { ...createOwner(ana), fields: { uid: ana.localId, note: "x" } };
  const ofTomas = { ...createOwner(ana), fields: { uid: tomas.localId } };
  for (const change of [ownerWithNote, ofTomas])
    expect(await commit(firebase, ana, change)).toBe(403);
  const again = { ...createStory(ana), times: ["updatedAt"] };
  expect(await publish(firebase, ana, again, createOwner(ana))).toBe(200);
  for (const change of [ownerWithNote, ofTomas])
    expect(await commit(firebase, ana, change)).toBe(403);
});
