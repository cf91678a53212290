import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { DraftPost } from "#app/writing/autosave/post-draft.ts";
import type { DraftReply } from "#app/writing/editor-data.ts";
import {
  confirm,
  MemoryStorage,
  openCopies,
  openTab,
  SAVED,
  THEIRS,
  UNREACHABLE,
} from "#tests/support/draft-tab.ts";

beforeEach(() => void vi.useFakeTimers({ now: 50_000 }));
afterEach(() => void vi.useRealTimers());

const OTHER = { ...THEIRS, text: "There", revision: 4 };
const INVALID = { status: "refused", reason: "invalid", message: "Not saved." } as const;

/** A tab with words that another device has saved over. The account answers to the choice what `answer` says. */
async function openConflict({
  storage = new MemoryStorage() as Storage | null,
  answer = confirm as (post: DraftPost) => DraftReply | Promise<DraftReply>,
} = {}) {
  const tab = openTab({
    storage,
    answer: (post) =>
      post.revision === SAVED.revision ? { status: "conflict", theirs: OTHER } : answer(post),
  });
  tab.type("Here");
  await vi.advanceTimersByTimeAsync(5000);
  expect(tab.keeper.get().conflict?.text).toBe("There");
  tab.posts.length = 0;
  return tab;
}

test("a text that gives way to another device's is sent to become a version first", async () => {
  const { keeper, copies, posts } = await openConflict();

  const fields = await keeper.takeTheirs();

  expect(posts).toMatchObject([
    { intent: "set-aside", revision: 4, isOverwrite: true, fields: { text: "Here" } },
  ]);
  expect(fields?.text).toBe("There");
  expect(keeper.get()).toMatchObject({ place: "account", revision: 4, conflict: null });
  expect(copies.find(SAVED.id)).toBeNull();
});

test("offline neither text is lost by choosing the other, which opens once the connection is back", async () => {
  let isDown = true;
  const { keeper, copies, posts } = await openConflict({
    answer: (post) => (isDown ? UNREACHABLE : confirm(post)),
  });
  const taken = keeper.takeTheirs();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(keeper.get()).toMatchObject({
    conflict: { text: "There" },
    refusal: { reason: "unreachable" },
  });
  expect(keeper.fields.text).toBe("Here");
  expect(copies.find(SAVED.id)?.fields.text).toBe("Here");

  isDown = false;
  const before = posts.length;
  keeper.retry();
  await vi.advanceTimersByTimeAsync(0);

  expect((await taken)?.text).toBe("There");
  expect(posts.slice(before)).toMatchObject([{ intent: "set-aside", fields: { text: "Here" } }]);
  expect(keeper.get()).toMatchObject({ place: "account", conflict: null, refusal: null });
});

test("a choice that waits is made as soon as the account answers, also when nobody says that it does", async () => {
  let isDown = true;
  const { keeper } = await openConflict({
    answer: (post) => (isDown ? UNREACHABLE : confirm(post)),
  });
  const taken = keeper.takeTheirs();
  await vi.advanceTimersByTimeAsync(20_000);

  isDown = false;
  await vi.advanceTimersByTimeAsync(60_000);

  expect((await taken)?.text).toBe("There");
});

test("whoever writes on while a choice waits is asked again, and keeps every word", async () => {
  const { keeper, copies, posts, type } = await openConflict({ answer: () => UNREACHABLE });
  const taken = keeper.takeTheirs();
  await vi.advanceTimersByTimeAsync(3000);
  type("Here and now");
  await vi.advanceTimersByTimeAsync(60_000);

  expect(await taken).toBeNull();
  expect(keeper.get().conflict?.text).toBe("There");
  expect(keeper.fields.text).toBe("Here and now");
  expect(copies.find(SAVED.id)?.fields.text).toBe("Here and now");
  expect(posts.map(({ fields }) => fields.text)).not.toContain("Here and now");
});

test("what is typed while the other text is on its way is not replaced by it", async () => {
  let answer = () => {};
  const { keeper, type } = await openConflict({
    answer: (post) => new Promise((resolve) => (answer = () => resolve(confirm(post)))),
  });
  const taken = keeper.takeTheirs();
  type("Here and now");
  answer();

  expect(await taken).toBeNull();
  expect(keeper.fields.text).toBe("Here and now");
  expect(keeper.get().conflict?.text).toBe("There");
});

test("a text that cannot become a version does not give way", async () => {
  const { keeper, copies } = await openConflict({ answer: () => INVALID });

  expect(await keeper.takeTheirs()).toBeNull();

  expect(keeper.get()).toMatchObject({ conflict: { text: "There" }, refusal: INVALID });
  expect(copies.find(SAVED.id)?.fields.text).toBe("Here");
});

test("a page that is left while a choice waits finds both texts again", async () => {
  const storage = new MemoryStorage();
  const { keeper } = await openConflict({ storage, answer: () => UNREACHABLE });
  const taken = keeper.takeTheirs();
  await vi.advanceTimersByTimeAsync(3000);
  keeper.stop();
  expect(await taken).toBeNull();

  const again = openTab({ storage, draft: OTHER });

  expect(again.keeper.fields.text).toBe("Here");
  expect(again.keeper.get().conflict?.text).toBe("There");
});

test("one's own text that was chosen offline replaces the other as a version, also after the page was killed", async () => {
  const storage = new MemoryStorage();
  const killed = await openConflict({ storage, answer: () => UNREACHABLE });
  void killed.keeper.keepMine();
  await vi.advanceTimersByTimeAsync(3000);
  expect(killed.posts[0]).toMatchObject({ revision: 4, isOverwrite: true });

  const { posts } = openTab({ storage, draft: OTHER });
  await vi.advanceTimersByTimeAsync(5000);

  expect(posts).toMatchObject([{ revision: 4, isOverwrite: true, fields: { text: "Here" } }]);
});

test("only the save that settles a conflict replaces another's text as a version", async () => {
  const { keeper, posts, type } = await openConflict();
  expect(await keeper.keepMine()).toBe(true);

  type("Here and now");
  await vi.advanceTimersByTimeAsync(5000);

  expect(posts.map(({ revision, isOverwrite }) => [revision, isOverwrite])).toEqual([
    [4, true],
    [5, false],
  ]);
});

test("a choice over one save is none over the next", async () => {
  const next = { ...THEIRS, text: "There again", revision: 5 };
  const { keeper, copies, posts, type } = await openConflict({
    answer: (post) => (post.revision === 4 ? { status: "conflict", theirs: next } : confirm(post)),
  });

  expect(await keeper.keepMine()).toBe(false);

  expect(keeper.get().conflict?.text).toBe("There again");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(posts).toHaveLength(1);
  expect(copies.find(SAVED.id)).toMatchObject({ fields: { text: "Here" } });

  await keeper.takeTheirs();
  type("There again and again");
  await vi.advanceTimersByTimeAsync(5000);
  expect(posts.at(-1)).toMatchObject({ intent: "save", revision: 5, isOverwrite: false });
});

test("a text that gave way is not taken for one's own when another device restores it", async () => {
  const { keeper, posts } = await openConflict();
  await keeper.takeTheirs();
  posts.length = 0;

  const restored = { ...THEIRS, text: "Here", revision: 5 };
  const fields = await keeper.learn(5, () => Promise.resolve(restored));
  await vi.advanceTimersByTimeAsync(10_000);

  expect(fields?.text).toBe("Here");
  expect(posts).toEqual([]);
});

test("where storage is denied the other text is taken only once one's own is a version", async () => {
  let isDown = true;
  const { keeper } = await openConflict({
    storage: null,
    answer: (post) => (isDown ? UNREACHABLE : confirm(post)),
  });
  const taken = keeper.takeTheirs();
  await vi.advanceTimersByTimeAsync(3000);
  expect(keeper.fields.text).toBe("Here");

  isDown = false;
  await vi.advanceTimersByTimeAsync(60_000);

  expect((await taken)?.text).toBe("There");
  expect(openCopies(null).find(SAVED.id)).toBeNull();
});
