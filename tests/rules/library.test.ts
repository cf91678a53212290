import { expect, test } from "vitest";

import {
  followingListSchema,
  hiddenListSchema,
  savedListSchema,
} from "#app/stories/library/library.server.ts";
import {
  LIST_TIME,
  MAX_FOLLOWED,
  MAX_HIDDEN_ITEMS,
  MAX_SAVED,
} from "#app/stories/library/library.ts";
import { MAX_TERMS } from "#app/stories/terms.ts";
import { MAX_ABOUT_LENGTH } from "#app/stories/writers/writer.ts";
import { startFirebase } from "#tests/support/firebase.ts";
import { describeFields, describeOwner, type OwnDocument } from "./own-documents.ts";
import { call, commit, createRecord, type Fields } from "./requests.ts";

const STORY = { id: "salt", title: "Salt", author: "Ana", writer: "ana", cover: "", minutes: 4 };
const WRITER = { uid: "ana", name: "Ana" };

const SAVED = {
  what: "a list of saved stories",
  collection: "places",
  ids: ["~saved", "~saved"],
  fields: { time: LIST_TIME, items: [STORY] },
  schema: savedListSchema,
} satisfies OwnDocument;

const FOLLOWING = {
  what: "a list of followed writers",
  collection: "places",
  ids: ["~following", "~following"],
  fields: { time: LIST_TIME, items: [WRITER] },
  schema: followingListSchema,
} satisfies OwnDocument;

const HIDDEN = {
  what: "a list of what is hidden",
  collection: "places",
  ids: ["~hidden", "~hidden"],
  fields: { time: LIST_TIME, items: [{ kind: "tag", id: "sea", name: "Sea" }] },
  schema: hiddenListSchema,
} satisfies OwnDocument;

describeOwner(SAVED);
describeOwner(HIDDEN);
describeOwner(FOLLOWING);

describeFields(SAVED, [
  ["an unknown field", { more: 1 }],
  ["as many stories as it may have", { items: Array.from({ length: MAX_SAVED }, () => STORY) }],
  ["too many stories", { items: Array.from({ length: MAX_SAVED + 1 }, () => STORY) }],
  ["a text for a list", { items: "salt" }],
  ["another time", { time: 1000 }],
]);

describeFields(FOLLOWING, [
  ["as many writers as it may have", { items: Array.from({ length: MAX_FOLLOWED }, () => WRITER) }],
  ["too many writers", { items: Array.from({ length: MAX_FOLLOWED + 1 }, () => WRITER) }],
]);

const ITEM = HIDDEN.fields.items[0];

describeFields(HIDDEN, [
  ["as many items as it may have", { items: Array.from({ length: MAX_HIDDEN_ITEMS }, () => ITEM) }],
  ["too many items", { items: Array.from({ length: MAX_HIDDEN_ITEMS + 1 }, () => ITEM) }],
]);

test("a list cannot take the place of a reading position", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const path = `users/${ana.localId}/places/salt`;

  expect(await call(firebase, ana, "PATCH", path, SAVED.fields)).toBe(403);
});

const ABOUT = { name: "Ana Reyes", about: "Tides and ledgers.", photoURL: null };

test("everyone reads what a writer says about themselves, and only the writer writes it", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount({ displayName: "Ana Reyes" });
  const other = await firebase.addAccount({ displayName: "Ana Reyes" });
  const path = `writers/${ana.localId}`;
  const write = { path, fields: ABOUT, times: ["updatedAt"] };

  expect(await commit(firebase, other, write)).toBe(403);
  expect(await commit(firebase, null, write)).toBe(403);
  expect(await commit(firebase, ana, write)).toBe(200);
  expect(await call(firebase, null, "GET", path)).toBe(200);
  expect(await call(firebase, other, "DELETE", path)).toBe(403);
  expect(await call(firebase, ana, "DELETE", path)).toBe(200);
});

test.each([
  ["another name", { name: "Tomas" }, 403],
  ["the longest text", { about: "x".repeat(MAX_ABOUT_LENGTH) }, 200],
  ["a text that is too long", { about: "x".repeat(MAX_ABOUT_LENGTH + 1) }, 403],
  ["a photo that is not the account's", { photoURL: "https://example.com/a.png" }, 403],
  ["an unknown field", { more: 1 }, 403],
] as [string, Fields, number][])(
  "the rules check a writer's document with %s",
  async (_what, change, status) => {
    await using firebase = await startFirebase();
    const ana = await firebase.addAccount({ displayName: "Ana Reyes" });
    const fields = { ...ABOUT, ...change };
    const path = `writers/${ana.localId}`;

    expect(await commit(firebase, ana, { path, fields, times: ["updatedAt"] })).toBe(status);
  },
);

test.each([
  ["no index", undefined, 200],
  ["as many terms as it may have", Array.from({ length: MAX_TERMS }, (_, n) => `t${n}`), 200],
  ["too many terms", Array.from({ length: MAX_TERMS + 1 }, (_, n) => `t${n}`), 403],
  ["terms as long as they may be", ["x".repeat(10_000)], 200],
  ["terms that are too long", ["x".repeat(10_001)], 403],
  ["a text for an index", "salt", 403],
])("publishes a story with %s: %s", async (_what, terms, status) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount({ displayName: "Ana Reyes" });
  const id = "salt-0123456789";
  const story = {
    path: `stories/${id}`,
    fields: {
      uid: ana.localId,
      author: "Ana Reyes",
      title: "Salt",
      description: "",
      tags: [],
      cover: null,
      words: 1,
      parts: 1,
      ...(terms !== undefined && { terms }),
    },
    times: ["publishedAt", "updatedAt"],
  };
  const owner = { path: `storyOwners/${id}`, fields: { uid: ana.localId } };
  const record = await createRecord(firebase, ana, "publications", id);

  expect(await commit(firebase, ana, story, owner, record)).toBe(status);
});
