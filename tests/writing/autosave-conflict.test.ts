import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { DraftPost } from "#app/writing/autosave/post-draft.ts";
import type { SaveResult } from "#app/writing/editor-data.ts";
import {
  acceptSave,
  openLocalDrafts,
  openTab,
  SAVED_DRAFT,
  OTHER_SAVE,
  UNAVAILABLE,
} from "#tests/support/autosave.ts";
import { MemoryStorage } from "#tests/support/memory-storage.ts";

beforeEach(() => void vi.useFakeTimers({ now: 50_000 }));
afterEach(() => void vi.useRealTimers());

const OTHER = { ...OTHER_SAVE, text: "There", revision: 4 };
const INVALID = { status: "error", reason: "invalid", message: "Not saved." } as const;

/**
 * Opens a tab whose unsaved text conflicts with another device's. `respond` returns the server's response to the
 * choice.
 */
async function openConflict({
  storage = new MemoryStorage() as Storage | null,
  respond = acceptSave as (post: DraftPost) => SaveResult | Promise<SaveResult>,
} = {}) {
  const tab = openTab({
    storage,
    respond: (post) =>
      post.revision === SAVED_DRAFT.revision
        ? { status: "conflict", remote: OTHER }
        : respond(post),
  });
  tab.type("Here");
  await vi.advanceTimersByTimeAsync(5000);
  expect(tab.autosave.getStatus().conflict?.text).toBe("There");
  tab.posts.length = 0;
  return tab;
}

test("saves the user's text as a version before another device's text replaces it", async () => {
  const { autosave, form, localDrafts, posts } = await openConflict();

  expect(await autosave.replaceWithRemote()).toBe(true);

  expect(posts).toMatchObject([
    { intent: "save-version", revision: 4, isOverwrite: true, fields: { text: "Here" } },
  ]);
  expect(form.fields.text).toBe("There");
  expect(autosave.getStatus()).toMatchObject({ savedTo: "account", revision: 4, conflict: null });
  expect(localDrafts.find(SAVED_DRAFT.id)).toBeNull();
});

test("keeps both texts when the other one is chosen offline", async () => {
  let isDown = true;
  const { autosave, form, localDrafts, posts } = await openConflict({
    respond: (post) => (isDown ? UNAVAILABLE : acceptSave(post)),
  });
  const taken = autosave.replaceWithRemote();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(autosave.getStatus()).toMatchObject({
    conflict: { text: "There" },
    error: { reason: "unavailable" },
  });
  expect(autosave.fields.text).toBe("Here");
  expect(localDrafts.find(SAVED_DRAFT.id)?.fields.text).toBe("Here");

  isDown = false;
  const before = posts.length;
  autosave.retry();
  await vi.advanceTimersByTimeAsync(0);

  expect(await taken).toBe(true);
  expect(form.fields.text).toBe("There");
  expect(posts.slice(before)).toMatchObject([{ intent: "save-version", fields: { text: "Here" } }]);
  expect(autosave.getStatus()).toMatchObject({ savedTo: "account", conflict: null, error: null });
});

test("retries a waiting choice until the account responds", async () => {
  let isDown = true;
  const { autosave, form } = await openConflict({
    respond: (post) => (isDown ? UNAVAILABLE : acceptSave(post)),
  });
  const taken = autosave.replaceWithRemote();
  await vi.advanceTimersByTimeAsync(20_000);

  isDown = false;
  await vi.advanceTimersByTimeAsync(60_000);

  expect(await taken).toBe(true);
  expect(form.fields.text).toBe("There");
});

test("asks again when the user continues to write while a choice waits, and keeps every word", async () => {
  const { autosave, localDrafts, posts, type } = await openConflict({ respond: () => UNAVAILABLE });
  const taken = autosave.replaceWithRemote();
  await vi.advanceTimersByTimeAsync(3000);
  type("Here and now");
  await vi.advanceTimersByTimeAsync(60_000);

  expect(await taken).toBe(false);
  expect(autosave.getStatus().conflict?.text).toBe("There");
  expect(autosave.fields.text).toBe("Here and now");
  expect(localDrafts.find(SAVED_DRAFT.id)?.fields.text).toBe("Here and now");
  expect(posts.map(({ fields }) => fields.text)).not.toContain("Here and now");
});

test("does not replace what is typed while the choice is being saved", async () => {
  let respond = () => {};
  const { autosave, type } = await openConflict({
    respond: (post) => new Promise((resolve) => (respond = () => resolve(acceptSave(post)))),
  });
  const taken = autosave.replaceWithRemote();
  type("Here and now");
  respond();

  expect(await taken).toBe(false);
  expect(autosave.fields.text).toBe("Here and now");
  expect(autosave.getStatus().conflict?.text).toBe("There");
});

test("does not replace a text that can't be saved as a version", async () => {
  const { autosave, localDrafts } = await openConflict({ respond: () => INVALID });

  expect(await autosave.replaceWithRemote()).toBe(false);

  expect(autosave.getStatus()).toMatchObject({ conflict: { text: "There" }, error: INVALID });
  expect(localDrafts.find(SAVED_DRAFT.id)?.fields.text).toBe("Here");
});

test("finds both texts again when the page is closed while a choice waits", async () => {
  const storage = new MemoryStorage();
  const { autosave } = await openConflict({ storage, respond: () => UNAVAILABLE });
  const taken = autosave.replaceWithRemote();
  await vi.advanceTimersByTimeAsync(3000);
  autosave.stop();
  expect(await taken).toBe(false);

  const again = openTab({ storage, draft: OTHER });

  expect(again.autosave.fields.text).toBe("Here");
  expect(again.autosave.getStatus().conflict?.text).toBe("There");
});

test("finds both texts again when the page is reloaded during a conflict", async () => {
  const storage = new MemoryStorage();
  await openConflict({ storage });

  const { autosave, posts } = openTab({ storage, draft: OTHER });
  expect(autosave.fields.text).toBe("Here");
  expect(autosave.getStatus().conflict?.text).toBe("There");
  expect(await autosave.overwriteRemote()).toBe(true);

  expect(posts).toMatchObject([{ revision: 4, isOverwrite: true, fields: { text: "Here" } }]);
});

test("still overwrites the other text after a crash when that was chosen offline", async () => {
  const storage = new MemoryStorage();
  const killed = await openConflict({ storage, respond: () => UNAVAILABLE });
  void killed.autosave.overwriteRemote();
  await vi.advanceTimersByTimeAsync(3000);
  expect(killed.posts[0]).toMatchObject({ revision: 4, isOverwrite: true });

  const { posts } = openTab({ storage, draft: OTHER });
  await vi.advanceTimersByTimeAsync(5000);

  expect(posts).toMatchObject([{ revision: 4, isOverwrite: true, fields: { text: "Here" } }]);
});

test("overwrites only with the save that decides the conflict", async () => {
  const { autosave, posts, type } = await openConflict();
  expect(await autosave.overwriteRemote()).toBe(true);

  type("Here and now");
  await vi.advanceTimersByTimeAsync(5000);

  expect(posts.map(({ revision, isOverwrite }) => [revision, isOverwrite])).toEqual([
    [4, true],
    [5, false],
  ]);
});

test("does not apply a choice to a later remote save", async () => {
  const next = { ...OTHER_SAVE, text: "There again", revision: 5 };
  const { autosave, localDrafts, posts, type } = await openConflict({
    respond: (post) =>
      post.revision === 4 ? { status: "conflict", remote: next } : acceptSave(post),
  });

  expect(await autosave.overwriteRemote()).toBe(false);

  expect(autosave.getStatus().conflict?.text).toBe("There again");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(posts).toHaveLength(1);
  expect(localDrafts.find(SAVED_DRAFT.id)).toMatchObject({ fields: { text: "Here" } });

  await autosave.replaceWithRemote();
  type("There again and again");
  await vi.advanceTimersByTimeAsync(5000);
  expect(posts.at(-1)).toMatchObject({ intent: "save", revision: 5, isOverwrite: false });
});

test("does not mistake a replaced text for its own save when another device restores it", async () => {
  const { autosave, form, posts } = await openConflict();
  await autosave.replaceWithRemote();
  posts.length = 0;

  autosave.onRemoteDraft({ ...OTHER_SAVE, text: "Here", revision: 5 });
  await vi.advanceTimersByTimeAsync(10_000);

  expect(form.fields.text).toBe("Here");
  expect(posts).toEqual([]);
});

test("where storage is denied, opens the other text only once the user's own is saved", async () => {
  let isDown = true;
  const { autosave, form } = await openConflict({
    storage: null,
    respond: (post) => (isDown ? UNAVAILABLE : acceptSave(post)),
  });
  const taken = autosave.replaceWithRemote();
  await vi.advanceTimersByTimeAsync(3000);
  expect(autosave.fields.text).toBe("Here");

  isDown = false;
  await vi.advanceTimersByTimeAsync(60_000);

  expect(await taken).toBe(true);
  expect(form.fields.text).toBe("There");
  expect(openLocalDrafts(null).find(SAVED_DRAFT.id)).toBeNull();
});
