import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { DraftReply, OpenDraft } from "#app/features/write/desk-view.ts";
import { createDeviceCopies } from "#app/features/write/device-copies.ts";
import { toFields } from "#app/features/write/draft-fields.ts";
import { DraftKeeper } from "#app/features/write/draft-keeper.ts";
import type { DraftPost } from "#app/features/write/post-draft.ts";

const SAVED: OpenDraft = {
  id: "a".repeat(20),
  revision: 3,
  title: "Salt",
  description: "",
  tags: [],
  cover: null,
  text: "Once",
  updatedAt: 1000,
  storyId: null,
  publishedRevision: null,
  deletedAt: null,
};

const THEIRS = { ...SAVED, updatedAt: 2000, words: 1, createdAt: 0, publishedAt: null };
const NEW: OpenDraft = { ...SAVED, revision: 0, title: "", text: "", updatedAt: null };
const UNREACHABLE = { status: "refused", reason: "unreachable", message: "Not saved." } as const;

beforeEach(() => void vi.useFakeTimers({ now: 50_000 }));
afterEach(() => void vi.useRealTimers());

/** A browser's storage, in memory. */
class MemoryStorage implements Storage {
  [name: string]: unknown;
  readonly #items = new Map<string, string>();
  get length() {
    return this.#items.size;
  }
  clear() {
    this.#items.clear();
  }
  getItem(key: string) {
    return this.#items.get(key) ?? null;
  }
  key(index: number) {
    return [...this.#items.keys()][index] ?? null;
  }
  removeItem(key: string) {
    this.#items.delete(key);
    delete this[key];
  }
  setItem(key: string, value: string) {
    this.#items.set(key, value);
    this[key] = value;
  }
}

let editorCount = 0;

/** A tab with a draft open, beside those of which it is told. The account answers what `answer` says. */
function openTab({
  draft = SAVED,
  typed = toFields(draft),
  storage = new MemoryStorage() as Storage | null,
  others = [] as { editor: string }[],
  answer = (post: DraftPost): DraftReply | Promise<DraftReply> => confirm(post),
} = {}) {
  const posts: DraftPost[] = [];
  const editor = `editor-${(editorCount += 1)}`;
  const copies = openCopies(storage, { editor, others });
  const keeper = new DraftKeeper({
    draft,
    typed,
    uid: "ana",
    copies,
    post: (post) => {
      posts.push(post);
      return Promise.resolve(answer(post));
    },
    now: Date.now,
  });
  const type = (text: string) => keeper.note({ ...keeper.fields, text });
  return { editor, keeper, copies, posts, type };
}

/** The copies as an editor sees them; without a name as one that has just been opened. */
function openCopies(
  storage: Storage | null,
  { uid = "ana", editor = "new", others = [] as { editor: string }[] } = {},
) {
  return createDeviceCopies({
    uid,
    storage,
    editor,
    others: new Set(others.map((other) => other.editor)),
  });
}

/** Puts text on the device that an editor has left there. */
function leaveCopy(storage: Storage, id: string, copy: { text: string; revision: number }) {
  const { text, revision } = copy;
  const left = { fields: { ...toFields(SAVED), text }, revision, sent: [], at: 900 };
  openCopies(storage, { editor: "gone" }).keep(id, left);
}

function confirm({ id, revision, intent }: DraftPost): DraftReply {
  const isPublished = intent === "publish";
  return {
    status: "saved",
    draft: {
      ...SAVED,
      id,
      revision: revision + 1,
      updatedAt: Date.now(),
      words: 1,
      createdAt: 0,
      publishedAt: null,
      publishedRevision: isPublished ? revision + 1 : null,
    },
  };
}

/** What another tab says it has saved. */
function saved(text: string, revision: number) {
  const fields = { ...toFields(SAVED), text };
  return { fields, revision, at: 1, publishedRevision: null, storyId: null };
}

test("a word is on the device within a second, and in the account within five", async () => {
  const { keeper, copies, posts, type } = openTab();
  type("Once upon");

  await vi.advanceTimersByTimeAsync(1000);
  expect(copies.find(SAVED.id)?.fields.text).toBe("Once upon");
  expect(keeper.get()).toMatchObject({ place: "device", at: 50_400 });

  await vi.advanceTimersByTimeAsync(4000);
  expect(posts).toMatchObject([{ revision: 3, fields: { text: "Once upon" } }]);
  expect(keeper.get()).toMatchObject({ place: "account", revision: 4 });
  expect(copies.find(SAVED.id)).toBeNull();
});

test("whoever never pauses is saved all the same", async () => {
  const { copies, posts, type } = openTab();
  for (let count = 0; count < 50; count += 1) {
    type(`Once ${count}`);
    await vi.advanceTimersByTimeAsync(100);
  }

  expect(posts.length).toBeGreaterThan(0);
  expect(copies.find(SAVED.id)?.fields.text).toMatch(/^Once 4\d$/);
});

test("what is typed while a save is under way goes with the next, on top of it", async () => {
  const { keeper, posts, type } = openTab({
    answer: (post) => {
      if (post.revision === 3) type("Once upon a time");
      return confirm(post);
    },
  });
  type("Once upon");

  await vi.advanceTimersByTimeAsync(10_000);

  expect(posts.map(({ revision, fields }) => [revision, fields.text])).toEqual([
    [3, "Once upon"],
    [4, "Once upon a time"],
  ]);
  expect(keeper.get()).toMatchObject({ place: "account", revision: 5 });
});

test("what cannot be sent stays on the device, is never called saved to the account, and goes by itself", async () => {
  let isDown = true;
  const { keeper, posts, type } = openTab({
    answer: (post) => (isDown ? UNREACHABLE : confirm(post)),
  });
  type("Once upon");

  await vi.advanceTimersByTimeAsync(30_000);
  expect(posts.length).toBeGreaterThan(2);
  expect(keeper.get()).toMatchObject({ place: "device", refusal: UNREACHABLE });

  isDown = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(keeper.get()).toMatchObject({ place: "account", refusal: null, revision: 4 });
});

test("a publication that could not be sent is not forgotten", async () => {
  let isDown = true;
  const { keeper, posts } = openTab({ answer: (post) => (isDown ? UNREACHABLE : confirm(post)) });
  await keeper.send("publish");
  expect(keeper.get()).toMatchObject({ refusal: UNREACHABLE, publishedRevision: null });

  isDown = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(posts.map(({ intent }) => intent)).toEqual(["publish", "publish"]);
  expect(keeper.get()).toMatchObject({ refusal: null, publishedRevision: 4 });
});

test("what is wrong with the text is not sent again until the text changes", async () => {
  const invalid = { status: "refused", reason: "invalid", message: "Not saved." } as const;
  const { posts, type } = openTab({ answer: () => invalid });
  type("too long");
  await vi.advanceTimersByTimeAsync(120_000);
  expect(posts).toHaveLength(1);

  type("shorter");
  await vi.advanceTimersByTimeAsync(5000);
  expect(posts).toHaveLength(2);
});

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

test("of two texts neither is lost until somebody chooses", async () => {
  const theirs = { ...THEIRS, text: "There", revision: 4 };
  const { keeper, posts, copies, type } = openTab({
    answer: (post) => (post.revision === 3 ? { status: "conflict", theirs } : confirm(post)),
  });
  type("Here");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(posts).toHaveLength(1);
  expect(keeper.get().conflict?.text).toBe("There");
  expect(copies.find(SAVED.id)?.fields.text).toBe("Here");

  keeper.keepMine();
  await vi.advanceTimersByTimeAsync(0);
  expect(posts[1]).toMatchObject({ revision: 4, fields: { text: "Here" } });
  expect(keeper.get()).toMatchObject({ place: "account", conflict: null, revision: 5 });
});

test("whoever prefers the other text goes on with it", async () => {
  const theirs = { ...THEIRS, text: "There", revision: 4 };
  const { keeper, copies, type } = openTab({ answer: () => ({ status: "conflict", theirs }) });
  type("Here");
  await vi.advanceTimersByTimeAsync(5000);

  expect(keeper.takeTheirs()?.text).toBe("There");
  expect(keeper.get()).toMatchObject({ place: "account", revision: 4, conflict: null });
  expect(copies.find(SAVED.id)).toBeNull();
});

test("words on the device that go on from an older save are a choice, not a loss", () => {
  const storage = new MemoryStorage();
  leaveCopy(storage, SAVED.id, { text: "Offline", revision: 2 });

  const { keeper } = openTab({ storage });

  expect(keeper.fields.text).toBe("Offline");
  expect(keeper.get().conflict?.text).toBe("Once");
});

test("another tab's save is followed, unless something here is not saved yet", async () => {
  const { keeper, type } = openTab();
  expect(keeper.follow(saved("Elsewhere", 4))?.text).toBe("Elsewhere");
  expect(keeper.get().revision).toBe(4);

  type("Here");
  expect(keeper.follow(saved("Elsewhere again", 5))).toBeNull();
  expect(keeper.fields.text).toBe("Here");
  keeper.stop();
});

test("where storage is denied nothing is called saved before it is in the account", async () => {
  const { keeper, type } = openTab({ storage: null });
  type("Once upon");

  await vi.advanceTimersByTimeAsync(1000);
  expect(keeper.get().place).toBe("nowhere");
  await vi.advanceTimersByTimeAsync(4000);
  expect(keeper.get().place).toBe("account");
});

test("publishing takes the newest words, also while a save is under way", async () => {
  const { keeper, posts, type } = openTab();
  type("Once upon");
  void keeper.send("save");
  type("Once upon a time");
  await keeper.send("publish");

  expect(posts.map(({ intent, fields }) => [intent, fields.text])).toEqual([
    ["save", "Once upon"],
    ["publish", "Once upon a time"],
  ]);
  expect(keeper.get()).toMatchObject({ publishedRevision: 5, revision: 5 });
});

test("a save on another device is followed, and looked up only when it is news", async () => {
  const { keeper } = openTab();
  const theirs = { ...THEIRS, text: "Elsewhere", revision: 4 };
  const find = vi.fn(() => Promise.resolve(theirs));

  expect(await keeper.learn(3, find)).toBeNull();
  expect(find).not.toHaveBeenCalled();
  expect((await keeper.learn(4, find))?.text).toBe("Elsewhere");
  expect(keeper.get()).toMatchObject({ place: "account", revision: 4, at: 2000, conflict: null });
});

test("a save on another device is a choice when something here is not saved yet", async () => {
  const { keeper, posts, copies, type } = openTab();
  type("Here");
  const hear = (text: string, revision: number) =>
    keeper.learn(revision, () => Promise.resolve({ ...THEIRS, text, revision }));

  expect(await hear("There", 4)).toBeNull();
  expect(keeper.get().conflict?.text).toBe("There");
  await hear("There again", 5);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(posts).toEqual([]);
  expect(keeper.fields.text).toBe("Here");
  expect(copies.find(SAVED.id)?.fields.text).toBe("Here");
  expect(keeper.get().conflict?.text).toBe("There again");

  keeper.keepMine();
  await vi.advanceTimersByTimeAsync(0);
  expect(posts).toMatchObject([{ revision: 5, fields: { text: "Here" } }]);
});

test("a tab does not take its own save for another's", async () => {
  const { keeper, type } = openTab();
  const find = vi.fn(() => Promise.resolve(null));
  type("Here");
  const sending = keeper.send("save");
  // The database tells of it sooner than the server answers.
  const learning = keeper.learn(4, find);
  type("Here and now");
  await sending;

  expect(await learning).toBeNull();
  expect(find).not.toHaveBeenCalled();
  expect(keeper.get()).toMatchObject({ conflict: null, revision: 4 });
  keeper.stop();
});

test.each(["heard of from the database", "met by the next save"])(
  "a save whose answer was lost is known for one's own when it is %s",
  async (how) => {
    const theirs = { ...THEIRS, text: "Here", revision: 4 };
    let isDown = true;
    const { keeper, posts, type } = openTab({
      answer: (post) => {
        if (isDown) return UNREACHABLE;
        return post.revision === 3 ? { status: "conflict", theirs } : confirm(post);
      },
    });
    type("Here");
    await keeper.send("save");
    isDown = false;
    type("Here and now");

    if (how.startsWith("heard")) await keeper.learn(4, () => Promise.resolve(theirs));
    await vi.advanceTimersByTimeAsync(10_000);

    expect(posts.at(-1)).toMatchObject({ revision: 4, fields: { text: "Here and now" } });
    expect(keeper.get()).toMatchObject({ conflict: null, place: "account", revision: 5 });
  },
);

test("a draft that is deleted elsewhere is not called saved again until somebody brings it back", async () => {
  const { keeper, posts, copies, type } = openTab();
  const gone = { ...THEIRS, revision: 4, deletedAt: 2000 };

  expect(await keeper.learn(4, () => Promise.resolve(gone))).toBeNull();
  expect(keeper.get().conflict?.deletedAt).toBe(2000);
  type("Here");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(posts).toEqual([]);
  expect(keeper.get().place).toBe("device");
  expect(copies.find(SAVED.id)?.fields.text).toBe("Here");

  keeper.keepMine();
  await vi.advanceTimersByTimeAsync(0);
  expect(posts).toMatchObject([{ revision: 4, fields: { text: "Here" } }]);
  expect(keeper.get()).toMatchObject({ place: "account", conflict: null, revision: 5 });
});

test("a draft that is deleted and brought back elsewhere goes on by itself", async () => {
  const { keeper } = openTab();
  await keeper.learn(4, () => Promise.resolve({ ...THEIRS, revision: 4, deletedAt: 2000 }));

  await keeper.learn(5, () => Promise.resolve({ ...THEIRS, revision: 5 }));

  expect(keeper.get()).toMatchObject({ place: "account", conflict: null, revision: 5 });
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
  [
    "succeeds",
    confirm({ intent: "save", uid: "ana", id: SAVED.id, revision: 3, fields: toFields(SAVED) }),
  ],
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

test("what was asked for beside a choice is not done to other words later", async () => {
  const theirs = { ...THEIRS, text: "There", revision: 4 };
  const { keeper, posts, type } = openTab({
    answer: (post) => (post.revision === 3 ? { status: "conflict", theirs } : confirm(post)),
  });
  type("Here");
  await vi.advanceTimersByTimeAsync(5000);
  expect(await keeper.send("publish")).toBe(false);
  keeper.takeTheirs();

  type("There, and half a w");
  await vi.advanceTimersByTimeAsync(5000);

  expect(posts.at(-1)).toMatchObject({ intent: "save" });
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

test("one's own save is no conflict when its answer was lost and the server has tidied it", async () => {
  const { keeper } = openTab({ answer: () => UNREACHABLE });
  keeper.note({ ...keeper.fields, title: "The lost ", tags: "sea,slow" });
  await keeper.send("save");

  const theirs = { ...THEIRS, title: "The lost", tags: ["sea", "slow"], revision: 4 };
  await keeper.learn(4, () => Promise.resolve(theirs));

  expect(keeper.get()).toMatchObject({ conflict: null, place: "account", revision: 4 });
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

test("what was typed and taken back again is no save", async () => {
  const { keeper, copies, posts, type } = openTab();
  type("Onc");
  await vi.advanceTimersByTimeAsync(1000);
  type("Once");
  await vi.advanceTimersByTimeAsync(5000);

  expect(await keeper.send("save")).toBe(false);
  expect(posts).toEqual([]);
  expect(keeper.get()).toMatchObject({ place: "account", at: 1000 });
  expect(copies.find(SAVED.id)).toBeNull();
});
