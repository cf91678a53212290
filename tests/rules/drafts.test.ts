import { expect, test } from "vitest";

import { createDocumentId } from "#app/schemas/document-id.ts";
import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import { startFirebase, type TestAccount, type TestFirebase } from "#tests/support/firebase.ts";

const DOCUMENTS = `projects/${LOCAL_PROJECT_ID}/databases/(default)/documents`;
const STORY_ID = "salt-and-sand-0123456789";

type Person = Pick<TestAccount, "localId" | "idToken"> | null;
type Fields = Record<string, object>;

interface Change {
  path: string;
  fields?: Fields;
  times?: string[];
}

/** Sends changes as one, and returns the status. Without fields a change is a deletion. */
async function commit(firebase: TestFirebase, person: Person, ...changes: Change[]) {
  const writes = changes.map(({ path, fields, times = [] }) => {
    const name = `${DOCUMENTS}/${path}`;
    if (!fields) return { delete: name };
    const updateTransforms = times.map((fieldPath) => ({
      fieldPath,
      setToServerValue: "REQUEST_TIME",
    }));
    const updateMask = { fieldPaths: Object.keys(fields) };
    return { update: { name, fields }, updateMask, updateTransforms };
  });
  return call(firebase, person, "POST", ":commit", { writes });
}

async function call(
  { hosts }: TestFirebase,
  person: Person,
  method: string,
  path: string,
  body?: object,
): Promise<number> {
  const url = `http://${hosts.FIRESTORE_EMULATOR_HOST}/v1/${DOCUMENTS}${path}`;
  const response = await fetch(url, {
    method,
    headers: {
      "Content-Type": "application/json",
      ...(person && { Authorization: `Bearer ${person.idToken}` }),
    },
    body: body && JSON.stringify(body),
  });
  await response.body?.cancel();
  return response.status;
}

const text = (value: string) => ({ stringValue: value });
const int = (value: number) => ({ integerValue: String(value) });
const nothing = { nullValue: null };

const about: Fields = {
  title: text("Salt and Sand"),
  description: text(""),
  tags: { arrayValue: { values: [text("sea")] } },
  cover: nothing,
  words: int(3),
  parts: int(1),
};

function draftOf(person: Pick<TestAccount, "localId">, id = createDocumentId()): Required<Change> {
  return {
    path: `users/${person.localId}/drafts/${id}`,
    fields: {
      ...about,
      revision: int(1),
      storyId: nothing,
      publishedRevision: nothing,
      publishedAt: nothing,
      deletedAt: nothing,
    },
    times: ["createdAt", "updatedAt", "versionedAt"],
  };
}

function storyOf(person: Pick<TestAccount, "localId">, id = STORY_ID): Required<Change> {
  return {
    path: `stories/${id}`,
    fields: { ...about, uid: text(person.localId), author: text("Ana") },
    times: ["publishedAt", "updatedAt"],
  };
}

test("a draft and its text are their writer's alone", async () => {
  await using firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
  const draft = draftOf(ana);
  const part = { path: `${draft.path}/parts/0`, fields: { text: text("Once") } };
  expect(await commit(firebase, ana, draft, part)).toBe(200);

  for (const path of [draft.path, part.path]) {
    expect(await call(firebase, ana, "GET", `/${path}`)).toBe(200);
    for (const other of [tomas, null]) {
      expect(await call(firebase, other, "GET", `/${path}`)).toBe(403);
      expect(await commit(firebase, other, { path })).toBe(403);
    }
  }
  expect(await commit(firebase, tomas, draftOf(ana))).toBe(403);
  expect(await commit(firebase, null, draftOf(ana))).toBe(403);
  expect(await commit(firebase, ana, { path: part.path }, { path: draft.path })).toBe(200);
});

test("a save builds on the one before, and keeps when the draft was begun", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const { path, fields, times } = draftOf(ana);
  expect(
    await commit(firebase, ana, { path, fields: { ...fields, revision: int(2) }, times }),
  ).toBe(403);
  expect(await commit(firebase, ana, { path, fields, times })).toBe(200);

  const save = (revision: number, at = ["updatedAt"]) =>
    commit(firebase, ana, { path, fields: { revision: int(revision) }, times: at });
  expect(await save(1)).toBe(403);
  expect(await save(3)).toBe(403);
  expect(await save(2, [])).toBe(403);
  expect(await save(2, ["updatedAt", "createdAt"])).toBe(403);
  expect(await save(2)).toBe(200);
});

test.each<[what: string, change: Fields]>([
  ["a field more", { note: text("x") }],
  ["a title that is too long", { title: text("x".repeat(256)) }],
  ["a title that is no text", { title: int(1) }],
  ["a description that is too long", { description: text("x".repeat(1251)) }],
  [
    "eleven tags",
    { tags: { arrayValue: { values: Array.from({ length: 11 }, () => text("x")) } } },
  ],
  ["endless tags", { tags: { arrayValue: { values: [text("x".repeat(401))] } } }],
  ["a cover that is no https address", { cover: text("javascript:alert(1)") }],
  ["no part", { parts: int(0) }],
  ["four parts", { parts: int(4) }],
  ["a story of the house", { storyId: text("the-understudy-moon") }],
])("a draft with %s is refused", async (_, change) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const draft = draftOf(ana);

  expect(await commit(firebase, ana, { ...draft, fields: { ...draft.fields, ...change } })).toBe(
    403,
  );
});

test.each<[what: string, number: string, fields: Fields, status: number]>([
  ["the longest part", "0", { text: text("x".repeat(200_000)) }, 200],
  ["a part that is too long", "0", { text: text("x".repeat(200_001)) }, 403],
  ["a fourth part", "3", { text: text("x") }, 403],
  ["a part with more than a text", "0", { text: text("x"), uid: text("x") }, 403],
])("%s: part %s", async (_, number, fields, status) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const draft = draftOf(ana);

  const part = { path: `${draft.path}/parts/${number}`, fields };
  expect(await commit(firebase, ana, draft, part)).toBe(status);
});

test("a version is made once and never changed", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const draft = draftOf(ana);
  const version = {
    path: `${draft.path}/versions/1`,
    fields: { ...about, reason: text("hour") },
    times: ["createdAt"],
  };
  const part = { path: `${version.path}/parts/0`, fields: { text: text("Once") } };
  expect(await commit(firebase, ana, draft, version, part)).toBe(200);

  expect(await commit(firebase, ana, version)).toBe(403);
  expect(await commit(firebase, ana, part)).toBe(403);
  const strange = { ...version, path: `${draft.path}/versions/2` };
  strange.fields = { ...strange.fields, reason: text("whim") };
  expect(await commit(firebase, ana, strange)).toBe(403);
  expect(await call(firebase, null, "GET", `/${version.path}`)).toBe(403);
});

test("a story is everybody's to read and its writer's to change", async () => {
  await using firebase = await startFirebase();
  const [ana, tomas] = [await firebase.addAccount(), await firebase.addAccount()];
  const story = storyOf(ana);
  const part = { path: `${story.path}/parts/0`, fields: { text: text("Once") } };
  expect(await commit(firebase, ana, story, part)).toBe(200);

  expect(await call(firebase, null, "GET", `/${story.path}`)).toBe(200);
  expect(await call(firebase, null, "GET", `/${part.path}`)).toBe(200);
  expect(await call(firebase, null, "GET", "/stories")).toBe(200);

  for (const other of [tomas, null]) {
    expect(await commit(firebase, other, { ...story, times: ["updatedAt"] })).toBe(403);
    expect(await commit(firebase, other, part)).toBe(403);
    expect(await commit(firebase, other, { ...part, path: `${story.path}/parts/1` })).toBe(403);
    expect(await commit(firebase, other, { path: part.path })).toBe(403);
    expect(await commit(firebase, other, { path: story.path })).toBe(403);
  }
  expect(await commit(firebase, ana, { ...story, times: ["updatedAt"] }, part)).toBe(200);
  expect(await commit(firebase, ana, { path: part.path }, { path: story.path })).toBe(200);
});

test.each<[what: string, id: string, change: Fields]>([
  ["somebody else's name", STORY_ID, { uid: text("somebody-else") }],
  ["no title", STORY_ID, { title: text("") }],
  ["an author that is too long", STORY_ID, { author: text("x".repeat(81)) }],
  ["a field more", STORY_ID, { note: text("x") }],
  ["the address of one of the house's", "the-understudy-moon", {}],
])("a story with %s is refused", async (_, id, change) => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();
  const story = storyOf(ana, id);

  expect(await commit(firebase, ana, { ...story, fields: { ...story.fields, ...change } })).toBe(
    403,
  );
});

test("nobody publishes without signing in, or parts without a story", async () => {
  await using firebase = await startFirebase();
  const ana = await firebase.addAccount();

  expect(await commit(firebase, null, storyOf(ana))).toBe(403);
  const stray = { path: `stories/${STORY_ID}/parts/0`, fields: { text: text("x") } };
  expect(await commit(firebase, ana, stray)).toBe(403);
});
