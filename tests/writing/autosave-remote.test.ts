import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { toFields } from "#app/writing/autosave/draft-fields.ts";
import {
  acceptSave,
  openTab,
  SAVED_DRAFT,
  OTHER_SAVE,
  UNAVAILABLE,
} from "#tests/support/autosave.ts";

beforeEach(() => void vi.useFakeTimers({ now: 50_000 }));
afterEach(() => void vi.useRealTimers());

/** Returns a save that another tab announces. */
function saved(text: string, revision: number) {
  const fields = { ...toFields(SAVED_DRAFT), text };
  return { fields, revision, savedAt: 1, publishedRevision: null, storyId: null };
}

test("recognizes a remote publication of the text that its unsaved changes are based on", () => {
  const { autosave, type } = openTab();
  type("Once upon");

  autosave.onRemoteDraft({ ...OTHER_SAVE, revision: 4, publishedRevision: 4 });

  expect(autosave.getStatus()).toMatchObject({ conflict: null, revision: 4 });
  expect(autosave.fields.text).toBe("Once upon");
});

test("announces a save to other tabs once", async () => {
  const { announced, autosave, type } = openTab();
  type("Once upon");
  await autosave.save("save");
  await autosave.save("save");

  expect(announced).toMatchObject([{ revision: 4, fields: { text: "Once upon" } }]);
});

test("keeps both texts until the user chooses", async () => {
  const remote = { ...OTHER_SAVE, text: "There", revision: 4 };
  const { autosave, posts, localDrafts, type } = openTab({
    respond: (post) => (post.revision === 3 ? { status: "conflict", remote } : acceptSave(post)),
  });
  type("Here");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(posts).toHaveLength(1);
  expect(autosave.getStatus().conflict?.text).toBe("There");
  expect(localDrafts.find(SAVED_DRAFT.id)?.fields.text).toBe("Here");

  void autosave.overwriteRemote();
  await vi.advanceTimersByTimeAsync(0);
  expect(posts[1]).toMatchObject({ revision: 4, isOverwrite: true, fields: { text: "Here" } });
  expect(autosave.getStatus()).toMatchObject({ savedTo: "account", conflict: null, revision: 5 });
});

test("follows another tab's save, unless there are unsaved changes", async () => {
  const { autosave, form, type } = openTab();
  autosave.onTabSaved(saved("Elsewhere", 4));
  expect(form.fields.text).toBe("Elsewhere");
  expect(autosave.getStatus().revision).toBe(4);

  type("Here");
  autosave.onTabSaved(saved("Elsewhere again", 5));
  expect(form.fields.text).toBe("Here");
  expect(autosave.fields.text).toBe("Here");
  autosave.stop();
});

test("follows another device's save, and fetches only what is new", async () => {
  const remote = { ...OTHER_SAVE, text: "Elsewhere", revision: 4 };
  const fetchDraft = vi.fn(() => Promise.resolve(remote));
  const { autosave, form } = openTab({ fetchDraft });

  autosave.onRemoteChange(3);
  expect(fetchDraft).not.toHaveBeenCalled();
  autosave.onRemoteChange(4);
  await vi.advanceTimersByTimeAsync(0);
  expect(form.fields.text).toBe("Elsewhere");
  expect(autosave.getStatus()).toMatchObject({
    savedTo: "account",
    revision: 4,
    savedAt: 2000,
    conflict: null,
  });
});

test.each([
  [6, 5],
  [5, 6],
])("of revisions %i and %i that arrive during a save, the newer one counts", async (...order) => {
  const { autosave, form, type } = openTab();
  type("Here");

  const saving = autosave.save("save");
  for (const revision of order) {
    autosave.onRemoteDraft({ ...OTHER_SAVE, text: `Elsewhere ${revision}`, revision });
  }
  await saving;

  expect(form.fields.text).toBe("Elsewhere 6");
});

test("offers a choice when another device saves while there are unsaved changes", async () => {
  let remote = { ...OTHER_SAVE, text: "There", revision: 4 };
  const { autosave, form, posts, localDrafts, type } = openTab({
    fetchDraft: () => Promise.resolve(remote),
  });
  type("Here");

  autosave.onRemoteChange(4);
  await vi.advanceTimersByTimeAsync(0);
  expect(form.fields.text).toBe("Here");
  expect(autosave.getStatus().conflict?.text).toBe("There");
  remote = { ...OTHER_SAVE, text: "There again", revision: 5 };
  autosave.onRemoteChange(5);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(posts).toEqual([]);
  expect(autosave.fields.text).toBe("Here");
  expect(localDrafts.find(SAVED_DRAFT.id)?.fields.text).toBe("Here");
  expect(autosave.getStatus().conflict?.text).toBe("There again");

  void autosave.overwriteRemote();
  await vi.advanceTimersByTimeAsync(0);
  expect(posts).toMatchObject([{ revision: 5, fields: { text: "Here" } }]);
});

test("does not mistake its own save for a remote one", async () => {
  const fetchDraft = vi.fn(() => Promise.resolve(null));
  const { autosave, type } = openTab({ fetchDraft });
  type("Here");
  const saving = autosave.save("save");
  // The live listener is faster than the server's response.
  autosave.onRemoteChange(4);
  type("Here and now");
  await saving;

  expect(fetchDraft).not.toHaveBeenCalled();
  expect(autosave.getStatus()).toMatchObject({ conflict: null, revision: 4 });
  autosave.stop();
});

test.each(["the live listener reports it", "the next save conflicts with it"])(
  "recognizes its own save after a lost response when %s",
  async (how) => {
    const remote = { ...OTHER_SAVE, text: "Here", revision: 4 };
    let isDown = true;
    const { autosave, posts, type } = openTab({
      respond: (post) => {
        if (isDown) return UNAVAILABLE;
        return post.revision === 3 ? { status: "conflict", remote } : acceptSave(post);
      },
    });
    type("Here");
    await autosave.save("save");
    isDown = false;
    type("Here and now");

    if (how.startsWith("the live")) autosave.onRemoteDraft(remote);
    await vi.advanceTimersByTimeAsync(10_000);

    expect(posts.at(-1)).toMatchObject({ revision: 4, fields: { text: "Here and now" } });
    expect(autosave.getStatus()).toMatchObject({ conflict: null, savedTo: "account", revision: 5 });
  },
);

test("does not save a draft that was deleted elsewhere until the user restores it", async () => {
  const { autosave, posts, localDrafts, type } = openTab();
  const gone = { ...OTHER_SAVE, revision: 4, deletedAt: 2000 };

  autosave.onRemoteDraft(gone);
  expect(autosave.getStatus().conflict?.deletedAt).toBe(2000);
  type("Here");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(posts).toEqual([]);
  expect(autosave.getStatus().savedTo).toBe("device");
  expect(localDrafts.find(SAVED_DRAFT.id)?.fields.text).toBe("Here");

  void autosave.overwriteRemote();
  await vi.advanceTimersByTimeAsync(0);
  expect(posts).toMatchObject([{ revision: 4, fields: { text: "Here" } }]);
  expect(autosave.getStatus()).toMatchObject({ savedTo: "account", conflict: null, revision: 5 });
});

test("continues automatically when a draft is deleted and restored elsewhere", async () => {
  const { autosave } = openTab();
  autosave.onRemoteDraft({ ...OTHER_SAVE, revision: 4, deletedAt: 2000 });

  autosave.onRemoteDraft({ ...OTHER_SAVE, revision: 5 });

  expect(autosave.getStatus()).toMatchObject({ savedTo: "account", conflict: null, revision: 5 });
});

test("does not publish another text later because of a button pressed during a conflict", async () => {
  const remote = { ...OTHER_SAVE, text: "There", revision: 4 };
  const { autosave, posts, type } = openTab({
    respond: (post) => (post.revision === 3 ? { status: "conflict", remote } : acceptSave(post)),
  });
  type("Here");
  await vi.advanceTimersByTimeAsync(5000);
  expect(await autosave.save("publish")).toBe(false);
  await autosave.replaceWithRemote();

  type("There, and half a w");
  await vi.advanceTimersByTimeAsync(5000);

  expect(posts.at(-1)).toMatchObject({ intent: "save" });
});

test("recognizes its own save after the server has normalized it", async () => {
  const { autosave } = openTab({ respond: () => UNAVAILABLE });
  autosave.change({ ...autosave.fields, title: "The lost ", tags: "sea,slow" });
  await autosave.save("save");

  const remote = { ...OTHER_SAVE, title: "The lost", tags: ["sea", "slow"], revision: 4 };
  autosave.onRemoteDraft(remote);

  expect(autosave.getStatus()).toMatchObject({ conflict: null, savedTo: "account", revision: 4 });
});

test("follows a language that another device has chosen, and does not save the old one again", async () => {
  const draft = { ...SAVED_DRAFT, language: "en" };
  const { autosave, form, posts, type } = openTab({ draft });

  autosave.onRemoteDraft({ ...OTHER_SAVE, language: "de", revision: 4 });
  expect(form.fields.language).toBe("de");
  expect(autosave.getStatus()).toMatchObject({ savedTo: "account", revision: 4 });
  type("Once upon");
  await vi.advanceTimersByTimeAsync(5000);

  expect(posts).toMatchObject([{ revision: 4, fields: { text: "Once upon", language: "de" } }]);
});

test("saves unsaved text with the language that another device has chosen", async () => {
  const remote = { ...OTHER_SAVE, language: "de", revision: 4 };
  const { autosave, form, posts, type } = openTab({
    draft: { ...SAVED_DRAFT, language: "en" },
    respond: (post) => (post.revision === 3 ? { status: "conflict", remote } : acceptSave(post)),
  });
  type("Once upon");
  await vi.advanceTimersByTimeAsync(10_000);

  expect(posts.at(-1)).toMatchObject({
    revision: 4,
    fields: { text: "Once upon", language: "de" },
  });
  expect(form.fields).toMatchObject({ text: "Once upon", language: "de" });
  expect(autosave.getStatus()).toMatchObject({ savedTo: "account", conflict: null });
});

test("saves a language that the user has chosen over the one of another device", async () => {
  const { autosave, form, posts } = openTab({ draft: { ...SAVED_DRAFT, language: "en" } });
  form.fields = { ...autosave.fields, language: "fr" };
  autosave.change(form.fields);

  autosave.onRemoteDraft({ ...OTHER_SAVE, language: "de", revision: 4 });
  await vi.advanceTimersByTimeAsync(5000);

  expect(form.fields.language).toBe("fr");
  expect(posts).toMatchObject([{ revision: 4, fields: { language: "fr" } }]);
});

test("a save keeps whether a form that was not published says that the story is unfinished", async () => {
  const { autosave, type } = openTab({
    draft: { ...SAVED_DRAFT, publishedRevision: 3, isOngoing: true },
    respond: (post) => {
      const result = acceptSave(post);
      return result.status === "saved"
        ? { ...result, draft: { ...result.draft, publishedRevision: 3, isOngoing: false } }
        : result;
    },
  });
  type("Once upon");

  await autosave.save("save");

  expect(autosave.getStatus()).toMatchObject({ savedTo: "account", isOngoing: true });
});

test("does not take the draft that the page was opened with for a remote change", () => {
  const { autosave } = openTab({ typed: { ...toFields(SAVED_DRAFT), text: "Typed early" } });

  autosave.onRemoteDraft(SAVED_DRAFT);

  expect(autosave.getStatus().conflict).toBeNull();
  autosave.stop();
});

test("follows whether another tab or device published the story as one still being written", () => {
  const { autosave } = openTab();

  autosave.onTabSaved({ ...saved("Elsewhere", 4), publishedRevision: 4, isOngoing: true });
  expect(autosave.getStatus()).toMatchObject({ revision: 4, isOngoing: true });

  autosave.onRemoteDraft({ ...OTHER_SAVE, revision: 5, publishedRevision: 5, isOngoing: false });
  expect(autosave.getStatus()).toMatchObject({ revision: 5, isOngoing: false });
});
