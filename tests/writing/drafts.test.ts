import { expect, test, vi } from "vitest";

import { readEnv } from "#app/env.server.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { createPublishedService } from "#app/stories/published.server.ts";
import { MAX_STORY_LENGTH, type DraftContent } from "#app/writing/draft.ts";
import { createDraftService } from "#app/writing/drafts/drafts.server.ts";
import { createVersionService } from "#app/writing/versions/versions.server.ts";
import { localVariables } from "#emulator/local-project.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { readDocument } from "#tests/support/documents.ts";
import { startFirebase, type TestAccount } from "#tests/support/firebase.ts";

const HOUR_MS = 60 * 60_000;

const content: DraftContent = {
  title: "Salt and Sand",
  description: "A tide comes in.",
  tags: ["sea", "slow"],
  cover: null,
  text: "# One\n\nThe tide had been coming in.\n",
};

async function startDrafts() {
  const firebase = await startFirebase();
  const env = readEnv({
    SESSION_SECRET: "a secret that is at least 32 characters",
    ...localVariables(firebase.hosts),
  });
  let ahead = 0;
  const ana = toWriter(await firebase.addAccount({ displayName: "Ana" }));
  return {
    ana,
    drafts: createDraftService(env, () => Date.now() + ahead),
    published: createPublishedService(env, Date.now),
    versions: createVersionService(env),
    /** Returns the numbers of the parts (at most three) that are stored below the document at `path`. */
    async listParts(path: string): Promise<number[]> {
      const parts = [0, 1, 2].map((part) => readDocument(firebase.hosts, `${path}/parts/${part}`));
      const stored = await Promise.all(parts);
      return [0, 1, 2].filter((part) => Object.hasOwn(Object(stored[part]), "text"));
    },
    addWriter: async () => toWriter(await firebase.addAccount()),
    wait: (ms: number) => {
      ahead += ms;
    },
    [Symbol.asyncDispose]: () => firebase[Symbol.asyncDispose](),
  };
}

function toWriter({ localId, displayName, idToken }: TestAccount) {
  return { uid: localId, displayName: displayName || null, idToken };
}

function first() {
  return { id: createDocumentId(), revision: 0 };
}

test("returns a saved draft as it was, in the list and by id", async () => {
  await using app = await startDrafts();
  const target = first();

  const outcome = await app.drafts.save(app.ana, target, content);

  expect(outcome).toMatchObject({
    status: "saved",
    draft: { id: target.id, revision: 1, words: 7 },
  });
  expect(await app.drafts.open(app.ana, target.id)).toMatchObject({ ...content, revision: 1 });
  expect(await app.drafts.list(app.ana)).toMatchObject({
    drafts: [{ id: target.id, title: "Salt and Sand" }],
  });
});

test("stores the longest story to the last character, and replaces it by a shorter one", async () => {
  await using app = await startDrafts();
  const target = first();
  // An emoji of two UTF-16 units spans the end of the first part.
  const text = `${"a".repeat(199_999)}😀${"é漢".repeat(150_000)}`.slice(0, MAX_STORY_LENGTH);
  await app.drafts.save(app.ana, target, { ...content, text });
  expect((await app.drafts.open(app.ana, target.id))?.text).toBe(text);

  await app.drafts.save(app.ana, { ...target, revision: 1 }, { ...content, text: "short" });

  expect((await app.drafts.open(app.ana, target.id))?.text).toBe("short");
});

test("reports a conflict to the second of two saves based on the same revision, and overwrites nothing", async () => {
  await using app = await startDrafts();
  const target = first();
  await app.drafts.save(app.ana, target, content);
  const here = { ...content, text: "Written here" };
  const there = { ...content, text: "Written there" };
  await app.drafts.save(app.ana, { ...target, revision: 1 }, there);

  const outcome = await app.drafts.save(app.ana, { ...target, revision: 1 }, here);

  expect(outcome).toMatchObject({
    status: "conflict",
    theirs: { text: "Written there", revision: 2 },
  });
  expect((await app.drafts.open(app.ana, target.id))?.text).toBe("Written there");
});

test("stores one of several concurrent saves, and reports a conflict to the others", async () => {
  await using app = await startDrafts();
  const target = first();
  await app.drafts.save(app.ana, target, content);
  const again = { ...target, revision: 1 };

  const outcomes = await Promise.all(
    ["one", "two", "three"].map((text) => app.drafts.save(app.ana, again, { ...content, text })),
  );

  expect(outcomes.map(({ status }) => status).toSorted()).toEqual([
    "conflict",
    "conflict",
    "saved",
  ]);
});

test("a repeated submit is not a conflict", async () => {
  await using app = await startDrafts();
  const target = first();
  await app.drafts.save(app.ana, target, content);

  const outcome = await app.drafts.save(app.ana, target, content);

  expect(outcome).toMatchObject({ status: "saved", draft: { revision: 1 } });
});

test("another user can neither read nor overwrite a draft", async () => {
  await using app = await startDrafts();
  const target = first();
  await app.drafts.save(app.ana, target, content);
  const other = await app.addWriter();

  expect(await app.drafts.open(other, target.id)).toBeNull();
  await app.drafts.save(other, target, { ...content, text: "mine" });

  expect((await app.drafts.open(app.ana, target.id))?.text).toBe(content.text);
});

test("a published story is public, changes only with the next publication, and is deleted when it is unpublished", async () => {
  await using app = await startDrafts();
  const target = first();
  const published = await app.drafts.save(app.ana, target, content, "published");
  const storyId = published.status === "saved" ? (published.draft.storyId ?? "") : "";
  expect(storyId).toMatch(/^salt-and-sand-\d{10}$/);
  expect((await app.published.find(storyId)).story).toMatchObject({
    author: "Ana",
    text: content.text,
  });
  expect(await app.published.list()).toMatchObject([{ id: storyId, title: "Salt and Sand" }]);

  const changed = { ...content, text: "Changed" };
  await app.drafts.save(app.ana, { ...target, revision: 1 }, changed);
  expect((await app.published.find(storyId)).story?.text).toBe(content.text);
  await app.drafts.save(app.ana, { ...target, revision: 2 }, changed, "published");
  expect((await app.published.find(storyId)).story?.text).toBe("Changed");

  const unpublished = { ...changed, text: "Changed once more" };
  await app.drafts.unpublish(app.ana, { ...target, revision: 3 }, unpublished);
  expect((await app.published.find(storyId)).story).toBeNull();
  const draft = await app.drafts.open(app.ana, target.id);
  expect(draft).toMatchObject({ text: "Changed once more", storyId, publishedRevision: null });

  await app.drafts.save(app.ana, { ...target, revision: 4 }, changed, "published");
  expect((await app.published.find(storyId)).story?.text).toBe("Changed");
});

test("returns a published story even if the reading position is denied", async () => {
  expectConsoleError();
  await using app = await startDrafts();
  const published = await app.drafts.save(app.ana, first(), content, "published");
  const storyId = published.status === "saved" ? (published.draft.storyId ?? "") : "";

  const found = await app.published.find(storyId, {
    user: app.ana,
    paths: [`users/somebody-else/places/${storyId}`],
  });

  expect(found).toMatchObject({ story: { text: content.text }, others: [] });
});

test("a draft in the trash is not in the list, and can be restored", async () => {
  await using app = await startDrafts();
  const target = first();
  await app.drafts.save(app.ana, target, content);

  await app.drafts.trash(app.ana, target.id);
  expect(await app.drafts.list(app.ana)).toEqual({ drafts: [], overdue: [] });
  expect(await app.drafts.open(app.ana, target.id)).toMatchObject({
    ...content,
    deletedAt: expect.any(Number),
  });

  await app.drafts.restore(app.ana, target.id);
  expect(await app.drafts.open(app.ana, target.id)).toMatchObject({
    ...content,
    deletedAt: null,
  });
});

test("saving a draft that was moved to the trash is a conflict, even with the same text, and a second save restores it", async () => {
  await using app = await startDrafts();
  const target = first();
  const save = (revision: number) => app.drafts.save(app.ana, { ...target, revision }, content);
  await save(0);
  await app.drafts.trash(app.ana, target.id);

  expect(await save(1)).toMatchObject({
    status: "conflict",
    theirs: { revision: 2, deletedAt: expect.any(Number) },
  });

  expect(await save(2)).toMatchObject({ status: "saved", draft: { revision: 3, deletedAt: null } });
});

test("a draft in the trash is overdue after a day, and a restored draft is not", async () => {
  await using app = await startDrafts();
  const [gone, back] = [first(), first()];
  for (const target of [gone, back]) {
    await app.drafts.save(app.ana, target, content);
    await app.drafts.trash(app.ana, target.id);
  }
  await app.drafts.restore(app.ana, back.id);
  app.wait(23 * HOUR_MS);
  expect(await app.drafts.list(app.ana)).toMatchObject({ overdue: [] });

  app.wait(2 * HOUR_MS);

  const list = await app.drafts.list(app.ana);
  expect(list).toMatchObject({ drafts: [{ id: back.id }], overdue: [gone.id] });
});

test("does not delete an overdue draft that was restored meanwhile", async () => {
  await using app = await startDrafts();
  const target = first();
  await app.drafts.save(app.ana, target, content);
  await app.drafts.trash(app.ana, target.id);
  app.wait(25 * HOUR_MS);
  const list = await app.drafts.list(app.ana);

  await app.drafts.restore(app.ana, target.id);
  await app.drafts.deletePermanently(app.ana, list.overdue);

  expect(list?.overdue).toEqual([target.id]);
  expect(await app.drafts.open(app.ana, target.id)).toMatchObject(content);
});

test("does not move a published draft to the trash", async () => {
  await using app = await startDrafts();
  const target = first();
  await app.drafts.save(app.ana, target, content, "published");

  const outcome = await app.drafts.trash(app.ana, target.id);

  expect(outcome).toEqual({ status: "denied" });
});

test("makes a version at each publication, and of the last save after each hour of work", async () => {
  await using app = await startDrafts();
  const target = first();
  const save = (revision: number, text: string, reason?: "published") =>
    app.drafts.save(app.ana, { ...target, revision }, { ...content, text }, reason);
  await save(0, "one");
  await save(1, "two");
  await save(2, "three", "published");
  app.wait(HOUR_MS);
  // The published text is a version already.
  const four = await save(3, "four");
  await save(4, "five");

  const versions = await app.versions.list(app.ana, target.id);
  expect(versions?.map(({ id, reason }) => [id, reason])).toEqual([
    ["4", "hour"],
    ["3", "published"],
  ]);
  const savedAt = four.status === "saved" ? four.draft.updatedAt : null;
  expect(await app.versions.open(app.ana, target.id, "4")).toMatchObject({
    title: "Salt and Sand",
    text: "four",
    tags: ["sea", "slow"],
    createdAt: savedAt,
  });
});

test("makes a version of yesterday's text when it is deleted today", async () => {
  await using app = await startDrafts();
  const target = first();
  const save = (revision: number, text: string) =>
    app.drafts.save(app.ana, { ...target, revision }, { ...content, text });
  await save(0, "Begun");
  await save(1, "Fifty minutes of work");
  app.wait(24 * HOUR_MS);

  await save(2, "");

  const [version] = (await app.versions.list(app.ana, target.id)) ?? [];
  const kept = await app.versions.open(app.ana, target.id, version?.id ?? "");
  expect(kept?.text).toBe("Fifty minutes of work");
});

test("publishes the longest story over another one of the same length, which becomes a version", async () => {
  await using app = await startDrafts();
  const target = first();
  const [before, after] = ["é", "漢"].map((letter) => letter.repeat(MAX_STORY_LENGTH));
  await app.drafts.save(app.ana, target, { ...content, text: before ?? "" });
  app.wait(HOUR_MS);

  const again = { ...target, revision: 1 };
  const long = { ...content, text: after ?? "" };
  expect(await app.drafts.save(app.ana, again, long, "published")).toMatchObject({
    status: "saved",
    draft: { publishedRevision: 2 },
  });

  for (const [id, text] of [
    ["1", before],
    ["2", after],
  ] as const) {
    expect((await app.versions.open(app.ana, target.id, id))?.text === text, id).toBe(true);
  }
});

test("deletes the parts of a longer text of a draft and its story in the same commit", async () => {
  await using app = await startDrafts();
  const target = first();
  const save = (revision: number, length: number, purpose?: "published") =>
    app.drafts.save(
      app.ana,
      { ...target, revision },
      { ...content, text: "é".repeat(length) },
      purpose,
    );
  const published = await save(0, MAX_STORY_LENGTH, "published");
  const storyId = published.status === "saved" ? (published.draft.storyId ?? "") : "";
  const draft = `users/${app.ana.uid}/drafts/${target.id}`;
  const story = `stories/${storyId}`;
  expect(await app.listParts(draft)).toEqual([0, 1, 2]);
  expect(await app.listParts(story)).toEqual([0, 1, 2]);

  const fetched = vi.spyOn(globalThis, "fetch");
  await save(1, 300_000, "published");
  const commits = fetched.mock.calls.filter(([to]) => new Request(to).url.endsWith(":commit"));
  expect(commits).toHaveLength(1);
  expect(await app.listParts(draft)).toEqual([0, 1]);
  expect(await app.listParts(story)).toEqual([0, 1]);

  await save(2, 10);
  expect(await app.listParts(draft)).toEqual([0]);
  expect(await app.listParts(story)).toEqual([0, 1]);
  await save(3, 10, "published");
  expect(await app.listParts(story)).toEqual([0]);
});

test("leaves no parts of an unpublished story, or of a longer text when a shorter version is restored", async () => {
  await using app = await startDrafts();
  const target = first();
  const long = { ...content, text: "é".repeat(MAX_STORY_LENGTH) };
  const published = await app.drafts.save(app.ana, target, long, "published");
  const storyId = published.status === "saved" ? (published.draft.storyId ?? "") : "";

  await app.drafts.unpublish(app.ana, { ...target, revision: 1 }, long);
  expect(await app.listParts(`stories/${storyId}`)).toEqual([]);
  const latest = { ...target, revision: "latest" } as const;
  await app.drafts.save(app.ana, latest, content, "restored");

  const draft = `users/${app.ana.uid}/drafts/${target.id}`;
  expect(await app.listParts(draft)).toEqual([0]);
  // The version contains the whole long text.
  expect(await app.listParts(`${draft}/versions/1`)).toEqual([0, 1, 2]);
});

test("a save, a publication and a move to the trash return the draft as it is stored", async () => {
  await using app = await startDrafts();
  const target = first();
  const results = [
    await app.drafts.save(app.ana, target, content),
    await app.drafts.save(app.ana, { ...target, revision: 1 }, { ...content, text: "More" }),
  ];
  results.push(
    await app.drafts.save(app.ana, { ...target, revision: 2 }, content, "published"),
    await app.drafts.unpublish(app.ana, { ...target, revision: 3 }, content),
    await app.drafts.trash(app.ana, target.id),
  );

  const last = results.at(-1);
  const stored = await app.drafts.open(app.ana, target.id);
  expect(results.map(({ status }) => status)).toEqual(Array(5).fill("saved"));
  expect(last?.status === "saved" && { ...last.draft, text: content.text }).toEqual(stored);
  const restored = await app.drafts.restore(app.ana, target.id);
  expect(restored).toMatchObject({ status: "saved", draft: { deletedAt: null, revision: 6 } });
});

test("a change with an invalid ID token is unauthenticated, and one without a token is unavailable", async () => {
  expectConsoleError();
  await using app = await startDrafts();
  const target = first();

  const expired = { ...app.ana, idToken: "expired" };
  expect(await app.drafts.save(expired, target, content)).toEqual({ status: "unauthenticated" });
  const tokenless = { ...app.ana, idToken: null };
  await expect(app.drafts.save(tokenless, target, content)).rejects.toThrow(UnavailableError);
  await expect(app.drafts.list(tokenless)).rejects.toThrow(UnavailableError);
  await expect(app.versions.list(tokenless, target.id)).rejects.toThrow(UnavailableError);
});
