import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { UNDO_MS } from "#app/chat/message-actions.ts";
import { createQuickActions } from "#app/profile/reports/quick-actions.ts";
import type { ActionResult } from "#app/session/action-result.ts";

const DONE: ActionResult = { status: "done" };
const FAILED: ActionResult = {
  status: "error",
  reason: "unavailable",
  message: "We can't reach the room right now.",
  hint: "Nothing was changed; try again.",
};
const GONE: ActionResult = {
  status: "error",
  reason: "gone",
  message: "Another operator has already handled this.",
};

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start(result: ActionResult = DONE) {
  const posts: [string, Record<string, string>][] = [];
  const actions = createQuickActions({
    now: Date.now,
    post: async (path, form) => {
      posts.push([path, form]);
      return result;
    },
  });
  return { actions, posts };
}

const DELETION = ["/profile/reports", { action: "delete", message: "one", uid: "olga" }];
const DISMISSAL = ["/profile/reports", { action: "dismiss", message: "two", uid: "olga" }];

test("does what was chosen once, after ten seconds, as the user of the page", async () => {
  const { actions, posts } = start();

  actions.add("one", "delete", "olga");
  actions.add("one", "dismiss", "olga");
  await vi.advanceTimersByTimeAsync(UNDO_MS - 1);
  expect(posts).toEqual([]);
  expect(actions.getState().queue.get("one")).toMatchObject({ status: "waiting" });
  await vi.advanceTimersByTimeAsync(1);

  expect(posts).toEqual([DELETION]);
  expect(actions.getState()).toMatchObject({ done: ["one"], error: null });
});

test("does nothing that was undone, and can do something else instead", async () => {
  const { actions, posts } = start();

  actions.add("two", "delete", "olga");
  actions.undo("two");
  await vi.advanceTimersByTimeAsync(2 * UNDO_MS);
  expect(posts).toEqual([]);
  actions.add("two", "dismiss", "olga");
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  expect(posts).toEqual([DISMISSAL]);
});

test("does what could still be undone when the operator leaves the page", async () => {
  const { actions, posts } = start();
  actions.add("one", "delete", "olga");
  actions.add("two", "dismiss", "olga");

  await actions.flush();
  expect(posts).toEqual([DELETION, DISMISSAL]);
  actions.undo("one");
  await vi.advanceTimersByTimeAsync(2 * UNDO_MS);
  expect(posts).toHaveLength(2);
});

test("shows a message again if closing its reports failed, unless they were closed elsewhere", async () => {
  const failing = start(FAILED);
  failing.actions.add("one", "delete", "olga");
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  expect(failing.actions.getState()).toMatchObject({
    queue: new Map(),
    error: {
      message: "We couldn't delete the message.",
      hint: "We can't reach the room right now. Nothing was changed; try again.",
    },
  });

  const { actions } = start(GONE);
  actions.add("one", "delete", "olga");
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  expect(actions.getState()).toMatchObject({ done: ["one"], error: null });
});

test("shows a message again that is reported after its reports were closed", async () => {
  const { actions } = start();
  actions.add("one", "dismiss", "olga");
  await actions.flush();
  expect(actions.getState().queue.has("one")).toBe(true);

  actions.forgetDone();
  expect(actions.getState()).toMatchObject({ queue: new Map(), done: [] });
});
