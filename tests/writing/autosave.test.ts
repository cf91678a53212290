import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { acceptSave, openTab, SAVED_DRAFT, UNAVAILABLE } from "#tests/support/autosave.ts";

beforeEach(() => void vi.useFakeTimers({ now: 50_000 }));
afterEach(() => void vi.useRealTimers());

test("saves in the browser within a second, and to the account within five", async () => {
  const { autosave, localDrafts, posts, type } = openTab();
  type("Once upon");

  await vi.advanceTimersByTimeAsync(1000);
  expect(localDrafts.find(SAVED_DRAFT.id)?.fields.text).toBe("Once upon");
  expect(autosave.getStatus()).toMatchObject({ savedTo: "device", savedAt: 50_400 });

  await vi.advanceTimersByTimeAsync(4000);
  expect(posts).toMatchObject([{ revision: 3, fields: { text: "Once upon" } }]);
  expect(autosave.getStatus()).toMatchObject({ savedTo: "account", revision: 4 });
  expect(localDrafts.find(SAVED_DRAFT.id)).toBeNull();
});

test("saves while the user types without a pause", async () => {
  const { localDrafts, posts, type } = openTab();
  for (let count = 0; count < 50; count += 1) {
    type(`Once ${count}`);
    await vi.advanceTimersByTimeAsync(100);
  }

  expect(posts.length).toBeGreaterThan(0);
  expect(localDrafts.find(SAVED_DRAFT.id)?.fields.text).toMatch(/^Once 4\d$/);
});

test("saves what is typed during a save with the next save", async () => {
  const { autosave, posts, type } = openTab({
    respond: (post) => {
      if (post.revision === 3) type("Once upon a time");
      return acceptSave(post);
    },
  });
  type("Once upon");

  await vi.advanceTimersByTimeAsync(10_000);

  expect(posts.map(({ revision, fields }) => [revision, fields.text])).toEqual([
    [3, "Once upon"],
    [4, "Once upon a time"],
  ]);
  expect(autosave.getStatus()).toMatchObject({ savedTo: "account", revision: 5 });
});

test("keeps text in the browser that can't be sent, and sends it when that is possible again", async () => {
  let isDown = true;
  const { autosave, posts, type } = openTab({
    respond: (post) => (isDown ? UNAVAILABLE : acceptSave(post)),
  });
  type("Once upon");

  await vi.advanceTimersByTimeAsync(30_000);
  expect(posts.length).toBeGreaterThan(2);
  expect(autosave.getStatus()).toMatchObject({ savedTo: "device", error: UNAVAILABLE });

  isDown = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(autosave.getStatus()).toMatchObject({ savedTo: "account", error: null, revision: 4 });
});

test("retries a publication that could not be sent", async () => {
  let isDown = true;
  const { autosave, posts } = openTab({
    respond: (post) => (isDown ? UNAVAILABLE : acceptSave(post)),
  });
  await autosave.save("publish");
  expect(autosave.getStatus()).toMatchObject({ error: UNAVAILABLE, publishedRevision: null });

  isDown = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(posts.map(({ intent }) => intent)).toEqual(["publish", "publish"]);
  expect(autosave.getStatus()).toMatchObject({ error: null, publishedRevision: 4 });
});

test("publishes no text that the user wrote after the publication had failed", async () => {
  let isDown = true;
  const { autosave, posts, type } = openTab({
    respond: (post) => (isDown ? UNAVAILABLE : acceptSave(post)),
  });
  await autosave.save("publish");
  type("Half a sent");

  isDown = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(posts.map(({ intent }) => intent)).toEqual(["publish", "save"]);
  expect(autosave.getStatus()).toMatchObject({ savedTo: "account", publishedRevision: null });
});

test("publishes no text that the user wrote while the publication was failing", async () => {
  const { autosave, posts, type } = openTab({
    respond: (post) => {
      if (post.intent === "save") return acceptSave(post);
      type("Half a sent");
      return UNAVAILABLE;
    },
  });
  await autosave.save("publish");

  await vi.advanceTimersByTimeAsync(10_000);
  expect(posts.map(({ intent }) => intent)).toEqual(["publish", "save"]);
});

test("tries to unpublish a story again, even if the user continues to write", async () => {
  let isDown = true;
  const { autosave, posts, type } = openTab({
    respond: (post) => (isDown ? UNAVAILABLE : acceptSave(post)),
  });
  await autosave.save("unpublish");
  type("Once upon");

  isDown = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(posts.map(({ intent }) => intent)).toEqual(["unpublish", "unpublish"]);
});

test("does not retry a publication that the user has cancelled", async () => {
  const { autosave, localDrafts, posts } = openTab({ respond: () => UNAVAILABLE });
  await autosave.save("publish");

  autosave.cancelPublication();
  expect(autosave.getStatus()).toMatchObject({ savedTo: "account", error: null });
  expect(localDrafts.find(SAVED_DRAFT.id)).toBeNull();

  await vi.advanceTimersByTimeAsync(120_000);
  autosave.stop();
  expect(posts.map(({ intent }) => intent)).toEqual(["publish"]);
});

test("does not retry a publication that the user has cancelled before it failed", async () => {
  const { autosave, posts, type } = openTab({
    respond: (post) => {
      if (post.intent === "save") return acceptSave(post);
      autosave.cancelPublication();
      return UNAVAILABLE;
    },
  });
  type("Once upon");
  await autosave.save("publish");

  await vi.advanceTimersByTimeAsync(10_000);
  expect(posts.map(({ intent }) => intent)).toEqual(["publish", "save"]);
  expect(autosave.getStatus()).toMatchObject({ savedTo: "account", error: null });
});

test("still saves the text after the user has cancelled its publication", async () => {
  let isDown = true;
  const { autosave, posts, type } = openTab({
    respond: (post) => (isDown ? UNAVAILABLE : acceptSave(post)),
  });
  type("Once upon");
  await autosave.save("publish");

  autosave.cancelPublication();
  expect(autosave.getStatus()).toMatchObject({ savedTo: "device", error: UNAVAILABLE });

  isDown = false;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(posts.map(({ intent }) => intent)).toEqual(["publish", "save"]);
  expect(autosave.getStatus()).toMatchObject({ savedTo: "account", publishedRevision: null });
});

test("saves the text of a writer who may not publish, and shows why it is not published", async () => {
  const denied = { status: "error", reason: "denied", message: "Not saved." } as const;
  const { autosave, posts, type } = openTab({
    respond: (post) => (post.intent === "publish" ? denied : acceptSave(post)),
  });
  await autosave.save("publish");
  await vi.advanceTimersByTimeAsync(120_000);
  expect(autosave.getStatus()).toMatchObject({ savedTo: "account", error: denied });

  type("Once upon");
  await autosave.save("publish");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(posts.map(({ intent }) => intent)).toEqual(["publish", "publish", "save"]);
  expect(autosave.getStatus()).toMatchObject({ savedTo: "account", error: denied });

  type("Once upon a time");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(posts.at(-1)).toMatchObject({ intent: "save" });
  expect(autosave.getStatus()).toMatchObject({ savedTo: "account", error: null });
});

test("saves a text that can't be published, and shows why it is not published", async () => {
  const unpublishable = { status: "error", reason: "invalid", message: "Not published." } as const;
  const { autosave, posts, type } = openTab({
    respond: (post) => (post.intent === "publish" ? unpublishable : acceptSave(post)),
  });
  type("Once upon");

  await autosave.save("publish");
  await vi.advanceTimersByTimeAsync(10_000);

  expect(posts.map(({ intent }) => intent)).toEqual(["publish", "save"]);
  expect(autosave.getStatus()).toMatchObject({ savedTo: "account", error: unpublishable });
});

test("does not send an invalid text again until it changes", async () => {
  const invalid = { status: "error", reason: "invalid", message: "Not saved." } as const;
  const { posts, type } = openTab({ respond: () => invalid });
  type("too long");
  await vi.advanceTimersByTimeAsync(120_000);
  expect(posts).toHaveLength(1);

  type("shorter");
  await vi.advanceTimersByTimeAsync(5000);
  expect(posts).toHaveLength(2);
});

test("sends a text that was changed after a rejection when the editor is closed, and no other", async () => {
  const invalid = { status: "error", reason: "invalid", message: "Not saved." } as const;
  const { autosave, posts, type } = openTab({ respond: () => invalid });
  type("too long");
  await vi.advanceTimersByTimeAsync(5000);
  type("shorter");
  autosave.stop();
  expect(posts.map(({ fields }) => fields.text)).toEqual(["too long", "shorter"]);

  const other = openTab({ respond: () => invalid });
  other.type("too long");
  await vi.advanceTimersByTimeAsync(5000);
  other.autosave.stop();
  expect(other.posts).toHaveLength(1);
});

test("publishes the latest text, even during a save", async () => {
  const { autosave, posts, type } = openTab();
  type("Once upon");
  void autosave.save("save");
  type("Once upon a time");
  await autosave.save("publish");

  expect(posts.map(({ intent, fields }) => [intent, fields.text])).toEqual([
    ["save", "Once upon"],
    ["publish", "Once upon a time"],
  ]);
  expect(autosave.getStatus()).toMatchObject({ publishedRevision: 5, revision: 5 });
});

test("does not save a change that was undone", async () => {
  const { autosave, localDrafts, posts, type } = openTab();
  type("Onc");
  await vi.advanceTimersByTimeAsync(1000);
  type("Once");
  await vi.advanceTimersByTimeAsync(5000);

  expect(await autosave.save("save")).toBe(false);
  expect(posts).toEqual([]);
  expect(autosave.getStatus()).toMatchObject({ savedTo: "account", savedAt: 1000 });
  expect(localDrafts.find(SAVED_DRAFT.id)).toBeNull();
});

test("saves the text after an undo, because a save without a response may have arrived", async () => {
  let isDown = true;
  const { autosave, localDrafts, posts, type } = openTab({
    respond: (post) => (isDown ? UNAVAILABLE : acceptSave(post)),
  });
  type("Onc");
  await vi.advanceTimersByTimeAsync(2500);
  type("Once");
  await vi.advanceTimersByTimeAsync(10_000);

  expect(posts.at(-1)).toMatchObject({ revision: 3, fields: { text: "Once" } });
  expect(autosave.getStatus()).toMatchObject({ savedTo: "device", error: UNAVAILABLE });
  expect(localDrafts.find(SAVED_DRAFT.id)?.fields.text).toBe("Once");

  isDown = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(autosave.getStatus()).toMatchObject({ savedTo: "account", error: null, revision: 4 });
  expect(localDrafts.find(SAVED_DRAFT.id)).toBeNull();
});

test("sends the text after an undo when the editor closes, if a response was lost", async () => {
  const { autosave, localDrafts, posts, type } = openTab({ respond: () => UNAVAILABLE });
  type("Onc");
  await vi.advanceTimersByTimeAsync(2500);
  type("Once");
  autosave.stop();

  expect(posts.map(({ fields }) => fields.text)).toEqual(["Onc", "Once"]);
  expect(localDrafts.find(SAVED_DRAFT.id)?.fields.text).toBe("Once");
});

test("waits twice as long before each retry", async () => {
  const { autosave, posts, type } = openTab({ respond: () => UNAVAILABLE });
  type("Once upon");
  await autosave.save("save");
  expect(posts.length).toBe(1);

  await vi.advanceTimersByTimeAsync(2000);
  expect(posts.length).toBe(2);
  await vi.advanceTimersByTimeAsync(3999);
  expect(posts.length).toBe(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(posts.length).toBe(3);
});

test("starts with a short wait again after a save has succeeded", async () => {
  let isDown = true;
  const { autosave, posts, type } = openTab({
    respond: (post) => (isDown ? UNAVAILABLE : acceptSave(post)),
  });
  type("Once upon");
  // Long enough for retries after 2, 4, 8, 16 and 32 seconds.
  await vi.advanceTimersByTimeAsync(70_000);
  isDown = false;
  await autosave.save("save");
  isDown = true;
  type("Once upon a time");
  await autosave.save("save");
  const before = posts.length;

  await vi.advanceTimersByTimeAsync(2000);

  expect(posts.length).toBe(before + 1);
});

test("retries at once when the connection is back, and clears the error", async () => {
  let isDown = true;
  const { autosave, posts, type } = openTab({
    respond: (post) => (isDown ? UNAVAILABLE : acceptSave(post)),
  });
  type("Once upon");
  await vi.advanceTimersByTimeAsync(70_000);
  expect(autosave.getStatus().error).toEqual(UNAVAILABLE);
  isDown = false;
  const before = posts.length;

  autosave.retry();
  await vi.advanceTimersByTimeAsync(0);

  expect(posts.length).toBe(before + 1);
  expect(autosave.getStatus()).toMatchObject({ savedTo: "account", error: null });
});

test("waits only a short time when the connection seems to be back and the retry fails", async () => {
  const { autosave, posts, type } = openTab({ respond: () => UNAVAILABLE });
  type("Once upon");
  await vi.advanceTimersByTimeAsync(70_000);
  autosave.retry();
  await vi.advanceTimersByTimeAsync(0);
  const before = posts.length;

  await vi.advanceTimersByTimeAsync(2000);

  expect(posts.length).toBe(before + 1);
});

test("sends the user's id with every save", async () => {
  const { autosave, posts, type } = openTab();
  type("Once upon");
  await autosave.save("save");
  await autosave.save("publish");

  expect(posts.map(({ uid }) => uid)).toEqual(["ana", "ana"]);
});

test("retries a save that was rate-limited, and loses nothing", async () => {
  const tooFast = { status: "error", reason: "too-fast", message: "Not saved." } as const;
  let isLimited = true;
  const { autosave, localDrafts, type } = openTab({
    respond: (post) => (isLimited ? tooFast : acceptSave(post)),
  });
  type("Once upon");

  await vi.advanceTimersByTimeAsync(10_000);
  expect(autosave.getStatus()).toMatchObject({ savedTo: "device", error: tooFast });
  expect(localDrafts.find(SAVED_DRAFT.id)?.fields.text).toBe("Once upon");

  isLimited = false;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(autosave.getStatus()).toMatchObject({ savedTo: "account", error: null, revision: 4 });
});
