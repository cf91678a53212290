import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { confirm, openTab, SAVED, UNREACHABLE } from "#tests/support/draft-tab.ts";

beforeEach(() => void vi.useFakeTimers({ now: 50_000 }));
afterEach(() => void vi.useRealTimers());

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

test("what cannot be published is saved, and says why it is not published", async () => {
  const unfit = { status: "refused", reason: "invalid", message: "Not published." } as const;
  const { keeper, posts, type } = openTab({
    answer: (post) => (post.intent === "publish" ? unfit : confirm(post)),
  });
  type("Once upon");

  await keeper.send("publish");
  await vi.advanceTimersByTimeAsync(10_000);

  expect(posts.map(({ intent }) => intent)).toEqual(["publish", "save"]);
  expect(keeper.get()).toMatchObject({ place: "account", refusal: unfit });
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

test("each attempt to save is waited for twice as long as the one before", async () => {
  const { keeper, posts, type } = openTab({ answer: () => UNREACHABLE });
  type("Once upon");
  await keeper.send("save");
  expect(posts.length).toBe(1);

  await vi.advanceTimersByTimeAsync(2000);
  expect(posts.length).toBe(2);
  await vi.advanceTimersByTimeAsync(3999);
  expect(posts.length).toBe(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(posts.length).toBe(3);
});

test("after a save that succeeded the next failure is tried again as soon as the first was", async () => {
  let isDown = true;
  const { keeper, posts, type } = openTab({
    answer: (post) => (isDown ? UNREACHABLE : confirm(post)),
  });
  type("Once upon");
  // Long enough for waits of 2, 4, 8, 16 and 32 seconds.
  await vi.advanceTimersByTimeAsync(70_000);
  isDown = false;
  await keeper.send("save");
  isDown = true;
  type("Once upon a time");
  await keeper.send("save");
  const before = posts.length;

  await vi.advanceTimersByTimeAsync(2000);

  expect(posts.length).toBe(before + 1);
});

test("a save that could not be sent goes at once when the connection is back, and what was said of it goes", async () => {
  let isDown = true;
  const { keeper, posts, type } = openTab({
    answer: (post) => (isDown ? UNREACHABLE : confirm(post)),
  });
  type("Once upon");
  await vi.advanceTimersByTimeAsync(70_000);
  expect(keeper.get().refusal).toEqual(UNREACHABLE);
  isDown = false;
  const before = posts.length;

  keeper.retry();
  await vi.advanceTimersByTimeAsync(0);

  expect(posts.length).toBe(before + 1);
  expect(keeper.get()).toMatchObject({ place: "account", refusal: null });
});

test("an attempt that fails again when the connection seems to be back is not followed by a long wait", async () => {
  const { keeper, posts, type } = openTab({ answer: () => UNREACHABLE });
  type("Once upon");
  await vi.advanceTimersByTimeAsync(70_000);
  keeper.retry();
  await vi.advanceTimersByTimeAsync(0);
  const before = posts.length;

  await vi.advanceTimersByTimeAsync(2000);

  expect(posts.length).toBe(before + 1);
});

test("every save says whose it is", async () => {
  const { keeper, posts, type } = openTab();
  type("Once upon");
  await keeper.send("save");
  await keeper.send("publish");

  expect(posts.map(({ uid }) => uid)).toEqual(["ana", "ana"]);
});

test("a save that is refused for coming too often is made again by itself, and nothing is lost", async () => {
  const tooFast = { status: "refused", reason: "too-fast", message: "Not saved." } as const;
  let isLimited = true;
  const { keeper, copies, type } = openTab({
    answer: (post) => (isLimited ? tooFast : confirm(post)),
  });
  type("Once upon");

  await vi.advanceTimersByTimeAsync(10_000);
  expect(keeper.get()).toMatchObject({ place: "device", refusal: tooFast });
  expect(copies.find(SAVED.id)?.fields.text).toBe("Once upon");

  isLimited = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(keeper.get()).toMatchObject({ place: "account", refusal: null, revision: 4 });
});
