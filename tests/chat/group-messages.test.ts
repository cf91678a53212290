import { expect, test } from "vitest";

import { isSameGroup } from "#app/chat/panel/bubble.tsx";

const NOW = Date.UTC(2026, 10, 22, 12);
const MINUTE = 60_000;

test.each([
  ["the same sender, five minutes apart", "ana", NOW - 5 * MINUTE, "ana", NOW, true],
  ["the same sender, more than five minutes apart", "ana", NOW - 5 * MINUTE - 1, "ana", NOW, false],
  ["different senders", "ana", NOW, "tomas", NOW, false],
  ["a message that has no time yet", "ana", NOW - MINUTE, "ana", null, true],
  ["a message that has no time yet, after an old one", "ana", NOW - 6 * MINUTE, "ana", null, false],
])("groups %s", (_what, uid, createdAt, nextUid, nextCreatedAt, expected) => {
  const previous = { uid, createdAt };
  expect(isSameGroup(previous, { uid: nextUid, createdAt: nextCreatedAt }, NOW)).toBe(expected);
});

test("the first message starts a group", () => {
  expect(isSameGroup(undefined, { uid: "ana", createdAt: NOW }, NOW)).toBe(false);
});
