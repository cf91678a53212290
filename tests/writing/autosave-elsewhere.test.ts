import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { toFields } from "#app/writing/editor/draft-fields.ts";
import { confirm, openTab, SAVED, THEIRS, UNREACHABLE } from "#tests/support/draft-tab.ts";

beforeEach(() => void vi.useFakeTimers({ now: 50_000 }));
afterEach(() => void vi.useRealTimers());

/** What another tab says it has saved. */
function saved(text: string, revision: number) {
  const fields = { ...toFields(SAVED), text };
  return { fields, revision, at: 1, publishedRevision: null, storyId: null };
}

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

  void keeper.keepMine();
  await vi.advanceTimersByTimeAsync(0);
  expect(posts[1]).toMatchObject({ revision: 4, isOverwrite: true, fields: { text: "Here" } });
  expect(keeper.get()).toMatchObject({ place: "account", conflict: null, revision: 5 });
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

  void keeper.keepMine();
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

  void keeper.keepMine();
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

test("what was asked for beside a choice is not done to other words later", async () => {
  const theirs = { ...THEIRS, text: "There", revision: 4 };
  const { keeper, posts, type } = openTab({
    answer: (post) => (post.revision === 3 ? { status: "conflict", theirs } : confirm(post)),
  });
  type("Here");
  await vi.advanceTimersByTimeAsync(5000);
  expect(await keeper.send("publish")).toBe(false);
  await keeper.takeTheirs();

  type("There, and half a w");
  await vi.advanceTimersByTimeAsync(5000);

  expect(posts.at(-1)).toMatchObject({ intent: "save" });
});

test("one's own save is no conflict when its answer was lost and the server has tidied it", async () => {
  const { keeper } = openTab({ answer: () => UNREACHABLE });
  keeper.note({ ...keeper.fields, title: "The lost ", tags: "sea,slow" });
  await keeper.send("save");

  const theirs = { ...THEIRS, title: "The lost", tags: ["sea", "slow"], revision: 4 };
  await keeper.learn(4, () => Promise.resolve(theirs));

  expect(keeper.get()).toMatchObject({ conflict: null, place: "account", revision: 4 });
});
