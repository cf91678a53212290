import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { DraftReply } from "#app/writing/editor-data.ts";
import { toFields } from "#app/writing/editor/draft-fields.ts";
import {
  confirm,
  FullStorage,
  leaveCopy,
  MemoryStorage,
  NEW,
  openCopies,
  openTab,
  SAVED,
  THEIRS,
  UNREACHABLE,
} from "#tests/support/draft-tab.ts";

beforeEach(() => void vi.useFakeTimers({ now: 50_000 }));
afterEach(() => void vi.useRealTimers());

test("a tab that was killed finds its words again", async () => {
  const storage = new MemoryStorage();
  const killed = openTab({ storage, answer: () => UNREACHABLE });
  killed.type("Once upon");
  await vi.advanceTimersByTimeAsync(1000);
  killed.keeper.stop();

  const { keeper, posts } = openTab({ storage });
  expect(keeper.fields.text).toBe("Once upon");
  expect(keeper.get().place).toBe("device");
  await vi.advanceTimersByTimeAsync(5000);
  expect(posts).toMatchObject([{ revision: 3, fields: { text: "Once upon" } }]);
});

test("a draft that was begun and never saved opens again, under its own id", async () => {
  const storage = new MemoryStorage();
  const killed = openTab({ draft: NEW, storage, answer: () => UNREACHABLE });
  killed.type("A first line");
  await vi.advanceTimersByTimeAsync(1000);
  killed.keeper.stop();

  const { keeper } = openTab({ draft: { ...NEW, id: "b".repeat(20) }, storage });

  expect(keeper.id).toBe(NEW.id);
  expect(keeper.fields.text).toBe("A first line");
});

test("somebody else in the same browser finds nothing of it", async () => {
  const storage = new MemoryStorage();
  const { type } = openTab({ storage });
  type("Mine");
  await vi.advanceTimersByTimeAsync(1000);

  expect(openCopies(storage, { uid: "tomas" }).find(SAVED.id)).toBeNull();
});

test("words on the device that go on from an older save are a choice, not a loss", () => {
  const storage = new MemoryStorage();
  leaveCopy(storage, SAVED.id, { text: "Offline", revision: 2 });

  const { keeper } = openTab({ storage });

  expect(keeper.fields.text).toBe("Offline");
  expect(keeper.get().conflict?.text).toBe("Once");
});

test("where storage is denied nothing is called saved before it is in the account", async () => {
  const { keeper, type } = openTab({ storage: null });
  type("Once upon");

  await vi.advanceTimersByTimeAsync(1000);
  expect(keeper.get().place).toBe("nowhere");
  await vi.advanceTimersByTimeAsync(4000);
  expect(keeper.get().place).toBe("account");
});

test("words on the device outlive a draft that is gone for good, and begin it anew", async () => {
  const storage = new MemoryStorage();
  leaveCopy(storage, SAVED.id, { text: "Offline", revision: 3 });
  leaveCopy(storage, "b".repeat(20), { text: "Begun", revision: 0 });

  const { keeper, posts } = openTab({ draft: { ...NEW, id: SAVED.id }, storage });

  expect(keeper.fields.text).toBe("Offline");
  expect(keeper.get()).toMatchObject({ place: "device", conflict: null });
  await vi.advanceTimersByTimeAsync(5000);
  expect(posts).toMatchObject([{ id: SAVED.id, revision: 0, fields: { text: "Offline" } }]);
});

test("two tabs that are out of reach of the account both keep their words on the device", async () => {
  const storage = new MemoryStorage();
  const one = openTab({ storage, answer: () => UNREACHABLE });
  const other = openTab({ storage, others: [one], answer: () => UNREACHABLE });
  one.type("Here");
  await vi.advanceTimersByTimeAsync(1000);
  other.type("There");
  await vi.advanceTimersByTimeAsync(1000);
  expect([one.keeper.get().place, other.keeper.get().place]).toEqual(["device", "device"]);
  one.keeper.stop();
  other.keeper.stop();

  expect(openCopies(storage, { others: [one] }).find(SAVED.id)?.fields.text).toBe("There");
  expect(openCopies(storage, { others: [other] }).find(SAVED.id)?.fields.text).toBe("Here");
});

test("what one tab saves takes nothing of another's off the device", async () => {
  const storage = new MemoryStorage();
  const theirs = { ...THEIRS, text: "There", revision: 4 };
  const one = openTab({ storage, answer: () => ({ status: "conflict", theirs }) });
  const other = openTab({ storage, others: [one] });
  one.type("Here");
  other.type("There");
  await vi.advanceTimersByTimeAsync(500);
  await other.keeper.send("save");
  await one.keeper.send("save");
  one.keeper.stop();

  const again = openTab({ storage, draft: theirs });

  expect(again.keeper.fields.text).toBe("Here");
  expect(again.keeper.get().conflict?.text).toBe("There");
});

test.each([
  ["fails", UNREACHABLE],
  ["succeeds", confirm({ id: SAVED.id, revision: 3, intent: "save" })],
])(
  "a late save of a page that is gone, which %s, leaves newer words on the device alone",
  async (_, reply) => {
    const storage = new MemoryStorage();
    let answer: (reply: DraftReply) => void = () => {};
    const gone = openTab({
      storage,
      answer: () => new Promise<DraftReply>((resolve) => (answer = resolve)),
    });
    gone.type("Older");
    await vi.advanceTimersByTimeAsync(2500);
    gone.keeper.stop();
    const { keeper, copies, type } = openTab({ storage, answer: () => UNREACHABLE });
    expect(keeper.fields.text).toBe("Older");
    type("Older and newer");
    await vi.advanceTimersByTimeAsync(1000);

    answer(reply);
    await vi.advanceTimersByTimeAsync(30_000);

    expect(copies.find(SAVED.id)?.fields.text).toBe("Older and newer");
    expect(gone.posts).toHaveLength(1);
  },
);

test("whoever goes on to another page at once has their words in the account all the same", async () => {
  const { keeper, copies, posts, type } = openTab();
  type("Once upon");
  void keeper.send("save");
  type("Once upon a time");
  keeper.stop();
  await vi.advanceTimersByTimeAsync(0);

  expect(posts.map(({ fields }) => fields.text)).toEqual(["Once upon", "Once upon a time"]);
  expect(copies.find(SAVED.id)).toBeNull();
});

test("a page that is left with nothing written begins no draft", async () => {
  const { keeper, posts } = openTab({ draft: NEW });

  keeper.stop();
  await vi.advanceTimersByTimeAsync(0);

  expect(posts).toEqual([]);
});

test("what is typed before the scripts come leaves the words on the device alone", async () => {
  const storage = new MemoryStorage();
  leaveCopy(storage, "b".repeat(20), { text: "An evening of work", revision: 0 });
  leaveCopy(storage, SAVED.id, { text: "Offline", revision: 3 });

  const begun = openTab({ draft: NEW, typed: { ...toFields(NEW), title: "A" }, storage });
  const opened = openTab({ typed: { ...toFields(SAVED), text: "Typed" }, storage });
  await vi.advanceTimersByTimeAsync(1000);

  expect([begun.keeper.fields.title, opened.keeper.fields.text]).toEqual(["A", "Typed"]);
  const kept = openCopies(storage, { others: [begun, opened] });
  expect(kept.find("b".repeat(20))?.fields.text).toBe("An evening of work");
  expect(kept.find(SAVED.id)?.fields.text).toBe("Offline");
});

test("a second tab begins a draft of its own, as long as the first is open", async () => {
  const storage = new MemoryStorage();
  const one = openTab({ draft: NEW, storage, answer: () => UNREACHABLE });
  one.type("The first story");
  await vi.advanceTimersByTimeAsync(1000);

  const second = { ...NEW, id: "b".repeat(20) };
  const other = openTab({ draft: second, storage, others: [one] });

  expect(other.keeper.id).toBe(second.id);
  expect(other.keeper.fields.text).toBe("");
});

test("one's own save is no conflict when the page was killed before the answer came", async () => {
  const storage = new MemoryStorage();
  const killed = openTab({ storage, answer: () => new Promise<DraftReply>(() => {}) });
  killed.type("One");
  await vi.advanceTimersByTimeAsync(2500);
  killed.type("One, two");
  await vi.advanceTimersByTimeAsync(500);

  const { keeper } = openTab({ storage, draft: { ...SAVED, text: "One", revision: 4 } });

  expect(keeper.fields.text).toBe("One, two");
  expect(keeper.get()).toMatchObject({ conflict: null, revision: 4 });
});

test("words on the device go on from their save while the draft itself is out of reach", async () => {
  const storage = new MemoryStorage();
  leaveCopy(storage, SAVED.id, { text: "Offline", revision: 3 });
  leaveCopy(storage, "b".repeat(20), { text: "Begun", revision: 0 });
  const draft = { ...NEW, id: SAVED.id };

  const { keeper, posts } = openTab({ draft, isUnreachable: true, storage });
  await vi.advanceTimersByTimeAsync(5000);

  expect(posts).toMatchObject([{ id: SAVED.id, revision: 3, fields: { text: "Offline" } }]);
  expect(keeper.get()).toMatchObject({ conflict: null, place: "account" });
});

test("a draft that is out of reach is not taken for another that was begun", () => {
  const storage = new MemoryStorage();
  leaveCopy(storage, "b".repeat(20), { text: "Begun", revision: 0 });

  const { keeper } = openTab({ draft: { ...NEW, id: SAVED.id }, isUnreachable: true, storage });

  expect(keeper.id).toBe(SAVED.id);
  expect(keeper.fields.text).toBe("");
});

test("full storage never deletes the only copy on the device: one that was left there stays until there is room", async () => {
  const storage = new FullStorage();
  leaveCopy(storage, SAVED.id, { text: "An evening of work", revision: 3 });
  storage.isFull = true;

  for (const time of ["first", "second"]) {
    const { keeper } = openTab({ storage, answer: () => UNREACHABLE });
    expect(keeper.fields.text, `opened the ${time} time`).toBe("An evening of work");
    await vi.advanceTimersByTimeAsync(5000);
    keeper.stop();
  }
  storage.isFull = false;
  const { copies } = openTab({ storage, answer: () => UNREACHABLE });

  expect(copies.find(SAVED.id)?.fields.text).toBe("An evening of work");
});

test("on a device that has become full the last words that fitted stay, and the rest is not called saved", async () => {
  const storage = new FullStorage();
  const { keeper, type } = openTab({ storage, answer: () => UNREACHABLE });
  type("Once upon");
  await vi.advanceTimersByTimeAsync(1000);
  storage.isFull = true;
  type("Once upon a time");
  await vi.advanceTimersByTimeAsync(1000);
  expect(keeper.get().place).toBe("nowhere");
  keeper.stop();

  expect(openTab({ storage }).keeper.fields.text).toBe("Once upon");
});

test("a copy that found no room elsewhere goes once its words are in the account", async () => {
  const storage = new FullStorage();
  leaveCopy(storage, SAVED.id, { text: "An evening of work", revision: 3 });
  storage.isFull = true;
  const { keeper, posts } = openTab({ storage });
  await vi.advanceTimersByTimeAsync(5000);
  expect(posts).toMatchObject([{ fields: { text: "An evening of work" } }]);
  keeper.stop();

  expect(openCopies(storage).find(SAVED.id)).toBeNull();
});

test("a page that is killed while its save is on the way knows the save again, also tidied by the server", async () => {
  const storage = new MemoryStorage();
  const killed = openTab({ storage, answer: () => new Promise<DraftReply>(() => {}) });
  killed.keeper.note({ ...killed.keeper.fields, title: "The lost " });
  await vi.advanceTimersByTimeAsync(1000);
  void killed.keeper.send("save");

  const draft = { ...SAVED, title: "The lost", revision: 4 };
  const { keeper } = openTab({ storage, draft });

  expect(keeper.get()).toMatchObject({ conflict: null, revision: 4 });
});

test("a save that finds room on the device again is known there before it is sent", async () => {
  const storage = new FullStorage();
  storage.isFull = true;
  const killed = openTab({ storage, answer: () => new Promise<DraftReply>(() => {}) });
  killed.keeper.note({ ...killed.keeper.fields, title: "The lost " });
  await vi.advanceTimersByTimeAsync(1000);
  storage.isFull = false;
  void killed.keeper.send("save");

  const draft = { ...SAVED, title: "The lost", revision: 4 };
  const { keeper } = openTab({ storage, draft });

  expect(keeper.fields.title).toBe("The lost ");
  expect(keeper.get()).toMatchObject({ conflict: null, revision: 4 });
});
