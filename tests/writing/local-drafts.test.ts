import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { toFields } from "#app/writing/autosave/draft-fields.ts";
import type { SaveResult } from "#app/writing/editor-data.ts";
import {
  acceptSave,
  storeLocalDraft,
  NEW_DRAFT,
  openLocalDrafts,
  openTab,
  SAVED_DRAFT,
  OTHER_SAVE,
  UNAVAILABLE,
} from "#tests/support/autosave.ts";
import { FullStorage, MemoryStorage } from "#tests/support/memory-storage.ts";

beforeEach(() => void vi.useFakeTimers({ now: 50_000 }));
afterEach(() => void vi.useRealTimers());

test("finds the text of a killed tab again", async () => {
  const storage = new MemoryStorage();
  const killed = openTab({ storage, respond: () => UNAVAILABLE });
  killed.type("Once upon");
  await vi.advanceTimersByTimeAsync(1000);
  killed.autosave.stop();

  const { autosave, posts } = openTab({ storage });
  expect(autosave.fields.text).toBe("Once upon");
  expect(autosave.getStatus().savedTo).toBe("device");
  await vi.advanceTimersByTimeAsync(5000);
  expect(posts).toMatchObject([{ revision: 3, fields: { text: "Once upon" } }]);
});

test("keeps a new draft that was typed offline before a crash, and saves it later", async () => {
  const storage = new MemoryStorage();
  const killed = openTab({
    draft: NEW_DRAFT,
    isRequested: true,
    storage,
    respond: () => UNAVAILABLE,
  });
  killed.type("Written in a tunnel.");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(killed.autosave.getStatus()).toMatchObject({ savedTo: "device", error: UNAVAILABLE });

  const { autosave } = openTab({ draft: NEW_DRAFT, isRequested: true, storage });
  expect(autosave.fields.text).toBe("Written in a tunnel.");
  await vi.advanceTimersByTimeAsync(5000);

  expect(autosave.getStatus()).toMatchObject({ savedTo: "account", revision: 1, error: null });
});

test("does not open an unsaved draft at the URL of another", () => {
  const storage = new MemoryStorage();
  storeLocalDraft(storage, "b".repeat(20), { text: "Begun", revision: 0 });

  const { autosave } = openTab({ draft: NEW_DRAFT, isRequested: true, storage });

  expect(autosave.id).toBe(NEW_DRAFT.id);
  expect(autosave.fields.text).toBe("");
});

test("reopens a draft that was never saved, with its own id", async () => {
  const storage = new MemoryStorage();
  const killed = openTab({ draft: NEW_DRAFT, storage, respond: () => UNAVAILABLE });
  killed.type("A first line");
  await vi.advanceTimersByTimeAsync(1000);
  killed.autosave.stop();

  const { autosave } = openTab({ draft: { ...NEW_DRAFT, id: "b".repeat(20) }, storage });

  expect(autosave.id).toBe(NEW_DRAFT.id);
  expect(autosave.fields.text).toBe("A first line");
});

test("never finds the drafts of another user", async () => {
  const storage = new MemoryStorage();
  const { type } = openTab({ storage });
  type("Mine");
  await vi.advanceTimersByTimeAsync(1000);

  expect(openLocalDrafts(storage, { uid: "tomas" }).find(SAVED_DRAFT.id)).toBeNull();
});

test.each(["{", "null", '"text"', "{}", '{"fields":{"text":1},"revision":3,"sent":[],"at":1}'])(
  "ignores a local copy that it cannot read: %s",
  (stored) => {
    const storage = new MemoryStorage();
    storage.setItem(`inkglade.draft.ana.${SAVED_DRAFT.id}.gone`, stored);

    expect(openTab({ storage }).autosave.fields).toEqual(toFields(SAVED_DRAFT));
  },
);

test("offers a choice when the local copy is based on an older save", () => {
  const storage = new MemoryStorage();
  storeLocalDraft(storage, SAVED_DRAFT.id, { text: "Offline", revision: 2 });

  const { autosave } = openTab({ storage });

  expect(autosave.fields.text).toBe("Offline");
  expect(autosave.getStatus().conflict?.text).toBe("Once");
});

test("where storage is denied, shows a text as saved only once it is in the account", async () => {
  const { autosave, type } = openTab({ storage: null });
  type("Once upon");

  await vi.advanceTimersByTimeAsync(1000);
  expect(autosave.getStatus().savedTo).toBe("nowhere");
  await vi.advanceTimersByTimeAsync(4000);
  expect(autosave.getStatus().savedTo).toBe("account");
});

test("creates a draft again from its local copy after it was deleted permanently", async () => {
  const storage = new MemoryStorage();
  storeLocalDraft(storage, SAVED_DRAFT.id, { text: "Offline", revision: 3 });
  storeLocalDraft(storage, "b".repeat(20), { text: "Begun", revision: 0 });

  const { autosave, posts } = openTab({ draft: { ...NEW_DRAFT, id: SAVED_DRAFT.id }, storage });

  expect(autosave.fields.text).toBe("Offline");
  expect(autosave.getStatus()).toMatchObject({ savedTo: "device", conflict: null });
  await vi.advanceTimersByTimeAsync(5000);
  expect(posts).toMatchObject([{ id: SAVED_DRAFT.id, revision: 0, fields: { text: "Offline" } }]);
});

test("keeps the text of two offline tabs", async () => {
  const storage = new MemoryStorage();
  const one = openTab({ storage, respond: () => UNAVAILABLE });
  const other = openTab({ storage, others: [one], respond: () => UNAVAILABLE });
  one.type("Here");
  await vi.advanceTimersByTimeAsync(1000);
  other.type("There");
  await vi.advanceTimersByTimeAsync(1000);
  expect([one.autosave.getStatus().savedTo, other.autosave.getStatus().savedTo]).toEqual([
    "device",
    "device",
  ]);
  one.autosave.stop();
  other.autosave.stop();

  expect(openLocalDrafts(storage, { others: [one] }).find(SAVED_DRAFT.id)?.fields.text).toBe(
    "There",
  );
  expect(openLocalDrafts(storage, { others: [other] }).find(SAVED_DRAFT.id)?.fields.text).toBe(
    "Here",
  );
});

test("does not delete another tab's local copy after a save", async () => {
  const storage = new MemoryStorage();
  const remote = { ...OTHER_SAVE, text: "There", revision: 4 };
  const one = openTab({ storage, respond: () => ({ status: "conflict", remote }) });
  const other = openTab({ storage, others: [one] });
  one.type("Here");
  other.type("There");
  await vi.advanceTimersByTimeAsync(500);
  await other.autosave.save("save");
  await one.autosave.save("save");
  one.autosave.stop();

  const again = openTab({ storage, draft: remote });

  expect(again.autosave.fields.text).toBe("Here");
  expect(again.autosave.getStatus().conflict?.text).toBe("There");
});

test.each([
  ["fails", UNAVAILABLE],
  ["succeeds", acceptSave({ id: SAVED_DRAFT.id, revision: 3, intent: "save" })],
])("does not touch newer local text when a late save of a closed page %s", async (_, result) => {
  const storage = new MemoryStorage();
  let respond: (result: SaveResult) => void = () => {};
  const gone = openTab({
    storage,
    respond: () => new Promise<SaveResult>((resolve) => (respond = resolve)),
  });
  gone.type("Older");
  await vi.advanceTimersByTimeAsync(2500);
  gone.autosave.stop();
  const { autosave, localDrafts, type } = openTab({ storage, respond: () => UNAVAILABLE });
  expect(autosave.fields.text).toBe("Older");
  type("Older and newer");
  await vi.advanceTimersByTimeAsync(1000);

  respond(result);
  await vi.advanceTimersByTimeAsync(30_000);

  expect(localDrafts.find(SAVED_DRAFT.id)?.fields.text).toBe("Older and newer");
  expect(gone.posts).toHaveLength(1);
});

test("saves the last words when the user leaves the page at once", async () => {
  const { autosave, localDrafts, posts, type } = openTab();
  type("Once upon");
  void autosave.save("save");
  type("Once upon a time");
  autosave.stop();
  await vi.advanceTimersByTimeAsync(0);

  expect(posts.map(({ fields }) => fields.text)).toEqual(["Once upon", "Once upon a time"]);
  expect(localDrafts.find(SAVED_DRAFT.id)).toBeNull();
});

test("creates no draft when nothing was written", async () => {
  const { autosave, posts } = openTab({ draft: NEW_DRAFT });

  autosave.stop();
  await vi.advanceTimersByTimeAsync(0);

  expect(posts).toEqual([]);
});

test("does not touch the local copy when the user types before scripts run", async () => {
  const storage = new MemoryStorage();
  storeLocalDraft(storage, "b".repeat(20), { text: "An evening of work", revision: 0 });
  storeLocalDraft(storage, SAVED_DRAFT.id, { text: "Offline", revision: 3 });

  const begun = openTab({
    draft: NEW_DRAFT,
    typed: { ...toFields(NEW_DRAFT), title: "A" },
    storage,
  });
  const opened = openTab({ typed: { ...toFields(SAVED_DRAFT), text: "Typed" }, storage });
  await vi.advanceTimersByTimeAsync(1000);

  expect([begun.autosave.fields.title, opened.autosave.fields.text]).toEqual(["A", "Typed"]);
  const kept = openLocalDrafts(storage, { others: [begun, opened] });
  expect(kept.find("b".repeat(20))?.fields.text).toBe("An evening of work");
  expect(kept.find(SAVED_DRAFT.id)?.fields.text).toBe("Offline");
});

test("starts another draft in a second tab while the first is open", async () => {
  const storage = new MemoryStorage();
  const one = openTab({ draft: NEW_DRAFT, storage, respond: () => UNAVAILABLE });
  one.type("The first story");
  await vi.advanceTimersByTimeAsync(1000);

  const second = { ...NEW_DRAFT, id: "b".repeat(20) };
  const other = openTab({ draft: second, storage, others: [one] });

  expect(other.autosave.id).toBe(second.id);
  expect(other.autosave.fields.text).toBe("");
});

test("recognizes its own save after the page was killed before the response", async () => {
  const storage = new MemoryStorage();
  const killed = openTab({ storage, respond: () => new Promise<SaveResult>(() => {}) });
  killed.type("One");
  await vi.advanceTimersByTimeAsync(2500);
  killed.type("One, two");
  await vi.advanceTimersByTimeAsync(500);

  const { autosave } = openTab({ storage, draft: { ...SAVED_DRAFT, text: "One", revision: 4 } });

  expect(autosave.fields.text).toBe("One, two");
  expect(autosave.getStatus()).toMatchObject({ conflict: null, revision: 4 });
});

test("continues with the local copy while the draft can't be read", async () => {
  const storage = new MemoryStorage();
  storeLocalDraft(storage, SAVED_DRAFT.id, { text: "Offline", revision: 3 });
  storeLocalDraft(storage, "b".repeat(20), { text: "Begun", revision: 0 });
  const draft = { ...NEW_DRAFT, id: SAVED_DRAFT.id };

  const { autosave, posts } = openTab({ draft, isUnavailable: true, storage });
  await vi.advanceTimersByTimeAsync(5000);

  expect(posts).toMatchObject([{ id: SAVED_DRAFT.id, revision: 3, fields: { text: "Offline" } }]);
  expect(autosave.getStatus()).toMatchObject({ conflict: null, savedTo: "account" });
});

test("does not open another unsaved draft instead of one that can't be read", () => {
  const storage = new MemoryStorage();
  storeLocalDraft(storage, "b".repeat(20), { text: "Begun", revision: 0 });

  const { autosave } = openTab({
    draft: { ...NEW_DRAFT, id: SAVED_DRAFT.id },
    isUnavailable: true,
    storage,
  });

  expect(autosave.id).toBe(SAVED_DRAFT.id);
  expect(autosave.fields.text).toBe("");
});

test("keeps a local copy where it is while storage is full", async () => {
  const storage = new FullStorage();
  storeLocalDraft(storage, SAVED_DRAFT.id, { text: "An evening of work", revision: 3 });
  storage.isFull = true;

  for (const time of ["first", "second"]) {
    const { autosave } = openTab({ storage, respond: () => UNAVAILABLE });
    expect(autosave.fields.text, `opened the ${time} time`).toBe("An evening of work");
    await vi.advanceTimersByTimeAsync(5000);
    autosave.stop();
  }
  storage.isFull = false;
  const { localDrafts } = openTab({ storage, respond: () => UNAVAILABLE });

  expect(localDrafts.find(SAVED_DRAFT.id)?.fields.text).toBe("An evening of work");
});

test("keeps the last text that fit into storage, and does not show the rest as saved", async () => {
  const storage = new FullStorage();
  const { autosave, type } = openTab({ storage, respond: () => UNAVAILABLE });
  type("Once upon");
  await vi.advanceTimersByTimeAsync(1000);
  storage.isFull = true;
  type("Once upon a time");
  await vi.advanceTimersByTimeAsync(1000);
  expect(autosave.getStatus().savedTo).toBe("nowhere");
  autosave.stop();

  expect(openTab({ storage }).autosave.fields.text).toBe("Once upon");
});

test("deletes a copy that could not be moved, once its text is in the account", async () => {
  const storage = new FullStorage();
  storeLocalDraft(storage, SAVED_DRAFT.id, { text: "An evening of work", revision: 3 });
  storage.isFull = true;
  const { autosave, posts } = openTab({ storage });
  await vi.advanceTimersByTimeAsync(5000);
  expect(posts).toMatchObject([{ fields: { text: "An evening of work" } }]);
  autosave.stop();

  expect(openLocalDrafts(storage).find(SAVED_DRAFT.id)).toBeNull();
});

test("recognizes its own save after a crash and the server's normalization", async () => {
  const storage = new MemoryStorage();
  const killed = openTab({ storage, respond: () => new Promise<SaveResult>(() => {}) });
  killed.autosave.change({ ...killed.autosave.fields, title: "The lost " });
  await vi.advanceTimersByTimeAsync(1000);
  void killed.autosave.save("save");

  const draft = { ...SAVED_DRAFT, title: "The lost", revision: 4 };
  const { autosave } = openTab({ storage, draft });

  expect(autosave.getStatus()).toMatchObject({ conflict: null, revision: 4 });
});

test("stores a text before it sends it, once storage has room again", async () => {
  const storage = new FullStorage();
  storage.isFull = true;
  const killed = openTab({ storage, respond: () => new Promise<SaveResult>(() => {}) });
  killed.autosave.change({ ...killed.autosave.fields, title: "The lost " });
  await vi.advanceTimersByTimeAsync(1000);
  storage.isFull = false;
  void killed.autosave.save("save");

  const draft = { ...SAVED_DRAFT, title: "The lost", revision: 4 };
  const { autosave } = openTab({ storage, draft });

  expect(autosave.fields.title).toBe("The lost ");
  expect(autosave.getStatus()).toMatchObject({ conflict: null, revision: 4 });
});
