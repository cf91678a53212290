import { expect, test } from "vitest";

import { UnauthenticatedError } from "#app/firebase/firestore-error.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { isGoogleFirestore } from "#tests/support/firebase.ts";
import { content, createTarget, startDrafts } from "./draft-services.ts";

const HOUR_MS = 60 * 60_000;

test("returns a saved draft as it was, in the list and by id", async () => {
  await using app = await startDrafts();
  const target = createTarget();

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

test("reports a conflict to the second of two saves based on the same revision", async () => {
  await using app = await startDrafts();
  const target = createTarget();
  await app.drafts.save(app.ana, target, content);
  const here = { ...content, text: "Written here" };
  const there = { ...content, text: "Written there" };
  await app.drafts.save(app.ana, { ...target, revision: 1 }, there);

  const outcome = await app.drafts.save(app.ana, { ...target, revision: 1 }, here);

  expect(outcome).toMatchObject({
    status: "conflict",
    remote: { text: "Written there", revision: 2 },
  });
  expect((await app.drafts.open(app.ana, target.id))?.text).toBe("Written there");
});

test("stores one of several concurrent saves, and reports a conflict to the others", async () => {
  await using app = await startDrafts();
  const target = createTarget();
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
  const target = createTarget();
  await app.drafts.save(app.ana, target, content);

  const outcome = await app.drafts.save(app.ana, target, content);

  expect(outcome).toMatchObject({ status: "saved", draft: { revision: 1 } });
});

test("another user can neither read nor overwrite a draft", async () => {
  await using app = await startDrafts();
  const target = createTarget();
  await app.drafts.save(app.ana, target, content);
  const other = await app.addWriter();

  expect(await app.drafts.open(other, target.id)).toBeNull();
  await app.drafts.save(other, target, { ...content, text: "mine" });

  expect((await app.drafts.open(app.ana, target.id))?.text).toBe(content.text);
});

test("a published story changes only with the next publication, until it is unpublished", async () => {
  await using app = await startDrafts();
  const target = createTarget();
  const published = await app.drafts.save(app.ana, target, content, "published");
  const storyId = published.status === "saved" ? (published.draft.storyId ?? "") : "";
  expect(storyId).toMatch(/^salt-and-sand-\d{10}$/);
  expect((await app.published.find(storyId)).story).toMatchObject({
    author: "Ana",
    markdown: content.text,
  });
  expect(await app.published.list()).toMatchObject([{ id: storyId, title: "Salt and Sand" }]);

  const changed = { ...content, text: "Changed" };
  await app.drafts.save(app.ana, { ...target, revision: 1 }, changed);
  expect((await app.published.find(storyId)).story?.markdown).toBe(content.text);
  await app.drafts.save(app.ana, { ...target, revision: 2 }, changed, "published");
  expect((await app.published.find(storyId)).story?.markdown).toBe("Changed");

  const unpublished = { ...changed, text: "Changed once more" };
  await app.drafts.unpublish(app.ana, { ...target, revision: 3 }, unpublished);
  expect((await app.published.find(storyId)).story).toBeNull();
  const draft = await app.drafts.open(app.ana, target.id);
  expect(draft).toMatchObject({ text: "Changed once more", storyId, publishedRevision: null });

  await app.drafts.save(app.ana, { ...target, revision: 4 }, changed, "published");
  expect((await app.published.find(storyId)).story?.markdown).toBe("Changed");
});

test("returns a published story even if the reading position is denied", async () => {
  expectConsoleError();
  await using app = await startDrafts();
  const published = await app.drafts.save(app.ana, createTarget(), content, "published");
  const storyId = published.status === "saved" ? (published.draft.storyId ?? "") : "";

  const found = await app.published.find(storyId, {
    user: app.ana,
    paths: [`users/somebody-else/places/${storyId}`],
  });

  expect(found).toMatchObject({ story: { markdown: content.text }, others: [] });
});

test("a draft in the trash is not in the list, and can be restored", async () => {
  await using app = await startDrafts();
  const target = createTarget();
  await app.drafts.save(app.ana, target, content);

  await app.drafts.trash(app.ana, target.id);
  expect(await app.drafts.list(app.ana)).toEqual({ drafts: [], older: null, overdue: [] });
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

test("saving a draft that is in the trash is a conflict, and a second save restores it", async () => {
  await using app = await startDrafts();
  const target = createTarget();
  const save = (revision: number) => app.drafts.save(app.ana, { ...target, revision }, content);
  await save(0);
  await app.drafts.trash(app.ana, target.id);

  expect(await save(1)).toMatchObject({
    status: "conflict",
    remote: { revision: 2, deletedAt: expect.any(Number) },
  });

  expect(await save(2)).toMatchObject({ status: "saved", draft: { revision: 3, deletedAt: null } });
});

test("a draft in the trash is overdue after a day, and a restored draft is not", async () => {
  await using app = await startDrafts();
  const [gone, back] = [createTarget(), createTarget()];
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
  const target = createTarget();
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
  const target = createTarget();
  await app.drafts.save(app.ana, target, content, "published");

  const outcome = await app.drafts.trash(app.ana, target.id);

  expect(outcome).toEqual({ status: "denied" });
});

test("a save, a publication and a move to the trash return the draft as it is stored", async () => {
  await using app = await startDrafts();
  const target = createTarget();
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

test("a change is unauthenticated with an invalid ID token, and unavailable without one", async () => {
  expectConsoleError();
  await using app = await startDrafts();
  const target = createTarget();

  const expired = { ...app.ana, idToken: "expired" };
  const error = isGoogleFirestore ? "invalid jwt" : UnauthenticatedError;
  await expect(app.drafts.save(expired, target, content)).rejects.toThrow(error);
  const tokenless = { ...app.ana, idToken: null };
  await expect(app.drafts.save(tokenless, target, content)).rejects.toThrow(UnavailableError);
  await expect(app.drafts.list(tokenless)).rejects.toThrow(UnavailableError);
  await expect(app.versions.list(tokenless, target.id)).rejects.toThrow(UnavailableError);
});
