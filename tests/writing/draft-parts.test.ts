import { expect, test, vi } from "vitest";

import { MAX_STORY_LENGTH } from "#app/writing/draft.ts";
import { content, createTarget, startDrafts } from "./draft-services.ts";

test("stores the longest story to the last character, and replaces it by a shorter one", async () => {
  await using app = await startDrafts();
  const target = createTarget();
  // An emoji of two UTF-16 units spans the end of the first part.
  const text = `${"a".repeat(199_999)}😀${"é漢".repeat(150_000)}`.slice(0, MAX_STORY_LENGTH);
  await app.drafts.save(app.ana, target, { ...content, text });
  expect((await app.drafts.open(app.ana, target.id))?.text).toBe(text);

  await app.drafts.save(app.ana, { ...target, revision: 1 }, { ...content, text: "short" });

  expect((await app.drafts.open(app.ana, target.id))?.text).toBe("short");
});

test("deletes the parts of a longer text of a draft and its story in the same commit", async () => {
  await using app = await startDrafts();
  const target = createTarget();
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
  // Earlier tests in this process may still be retrying theirs.
  const own = commits.filter(([, init]) => JSON.stringify(init?.body).includes(draft));
  expect(own).toHaveLength(1);
  expect(await app.listParts(draft)).toEqual([0, 1]);
  expect(await app.listParts(story)).toEqual([0, 1]);

  await save(2, 10);
  expect(await app.listParts(draft)).toEqual([0]);
  expect(await app.listParts(story)).toEqual([0, 1]);
  await save(3, 10, "published");
  expect(await app.listParts(story)).toEqual([0]);
});

test("leaves no unused parts after a story is unpublished or a shorter version restored", async () => {
  await using app = await startDrafts();
  const target = createTarget();
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
