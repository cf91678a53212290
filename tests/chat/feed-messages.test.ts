import * as fc from "fast-check";
import { expect, test } from "vitest";

import { findDeleted, mergeEarlier, mergeNewest, showNewest } from "#app/chat/use-feed.ts";
import { PAGE_SIZE, type Message, type MessagePage } from "#app/chat/message.ts";
import { formatCursor } from "#app/firebase/cursor.ts";

/** Returns the messages with the numbers from `first` to `last`. */
function createMessages(first: number, last: number): Message[] {
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const createdAt = first + index;
    const id = `message-${createdAt}`;
    return { id, text: id, uid: "ana", displayName: "Ana", photoURL: null, createdAt };
  });
}

/** Returns the last 50 of the messages before `end`, as the database would. */
function loadPage(room: readonly Message[], end = Infinity): MessagePage {
  const messages = room.filter(({ createdAt }) => (createdAt ?? 0) < end).slice(-PAGE_SIZE);
  const [first] = messages;
  const isFull = messages.length === PAGE_SIZE && first !== undefined;
  return {
    messages,
    before: isFull ? formatCursor({ id: first.id, time: first.createdAt ?? 0 }) : null,
  };
}

function getNumbers({ messages }: MessagePage) {
  return messages.map(({ createdAt }) => createdAt);
}

test("shows the newest 50 to a user at the end", () => {
  const shown = loadPage(createMessages(1, 60));
  const newest = loadPage(createMessages(1, 63));

  expect(mergeNewest(shown, newest, false)).toEqual(newest);
});

test("keeps the messages that a user is reading above the newest 50", () => {
  const shown = loadPage(createMessages(1, 60));

  const merged = mergeNewest(shown, loadPage(createMessages(1, 63)), true);

  expect(merged.messages).toEqual(createMessages(11, 63));
  expect(merged.before).toBe(shown.before);
});

test("removes a deleted message from the newest 50, and shows no other twice", () => {
  const room = createMessages(1, 120);
  const shown = mergeEarlier(loadPage(room), loadPage(room, 71));

  const rest = room.filter(({ createdAt }) => createdAt !== 100);
  const merged = mergeNewest(shown, loadPage(rest), true);

  expect(getNumbers(merged)).toEqual(getNumbers({ messages: rest.slice(20), before: null }));
});

test.each([
  { feed: "an earlier page", isEarlier: true, shows: [3] },
  { feed: "the newest messages", isEarlier: false, shows: [1, 2, 3] },
])(
  "a late report of the newest messages changes only a feed of them: $feed",
  ({ isEarlier, shows }) => {
    const page = loadPage(createMessages(3, 3));
    const loaded = { status: "loaded" as const, ...page };
    const shown = { loaded, isEarlier, subject: null, page, knownUntil: 3, hasGap: false };

    const after = showNewest(shown, loadPage(createMessages(1, 3)), false);

    expect(getNumbers(after.page)).toEqual(shows);
  },
);

test("the newest messages update those about a subject, and older ones stay if none is missing", () => {
  const quote = "“Rain.”\n/read/salt#p-1\n";
  const subject = {
    story: "salt",
    paragraph: "p-1",
    quote,
    passage: null,
  };
  const about = (message: Message) => ({ ...message, text: `${quote}Why?` });
  const room = createMessages(1, 100).map((message) =>
    [10, 80, 90].includes(message.createdAt ?? 0) ? about(message) : message,
  );
  const page = { messages: room.filter(({ text }) => text.includes("Why?")), before: null };
  const loaded = { status: "loaded" as const, ...page };
  const rest = room.filter(({ createdAt }) => createdAt !== 80);
  const newest = loadPage([...rest, ...createMessages(101, 102).map(about)]);

  const shown = { loaded, isEarlier: false, subject, page, knownUntil: 100, hasGap: false };
  const after = showNewest(shown, newest, false);

  expect(getNumbers(after.page)).toEqual([10, 90, 101, 102]);
  expect(after.hasGap).toBe(false);

  const full = [...rest, ...createMessages(101, 200), ...createMessages(201, 201).map(about)];
  const later = showNewest(after, loadPage(full), false);

  // Those from 103 to 151 are loaded next.
  expect(later.hasGap).toBe(true);
  expect(later.page).toEqual({ messages: full.slice(-1), before: loadPage(full).before });
});

test("tells messages that were deleted from those that are older than the newest 50", () => {
  fc.assert(
    fc.property(
      fc.nat(120),
      fc.nat(60),
      fc.uniqueArray(fc.integer({ min: 1, max: 120 })),
      (count, added, deleted) => {
        const room = createMessages(1, count);
        const before = loadPage(room);
        const rest = createMessages(1, count + added).filter(
          ({ createdAt }) => !deleted.includes(createdAt ?? 0),
        );

        const found = findDeleted(before, loadPage(rest));

        expect(rest.filter(({ id }) => found.includes(id))).toEqual([]);
        if (added === 0) {
          const gone = before.messages.filter(({ createdAt }) => deleted.includes(createdAt ?? 0));
          expect(found).toEqual(gone.map(({ id }) => id));
        }
      },
    ),
  );
});

test("shows an empty room once all messages are deleted", () => {
  const shown = loadPage(createMessages(1, 60));

  expect(mergeNewest(shown, { messages: [], before: null }, true).messages).toEqual([]);
});

test("does not hide that messages are missing after a long interruption", () => {
  const shown = loadPage(createMessages(1, 60));
  const newest = loadPage(createMessages(1, 200));

  expect(mergeNewest(shown, newest, true)).toEqual(newest);
});

test("shows consecutive messages, each once, whatever arrives and is loaded", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 180 }),
      fc.array(
        fc.oneof(
          fc.record({ kind: fc.constant("arrive"), count: fc.integer({ min: 1, max: 70 }) }),
          fc.record({ kind: fc.constant("load"), count: fc.constant(0) }),
        ),
        { maxLength: 12 },
      ),
      (initial, steps) => {
        let count = initial;
        let shown = loadPage(createMessages(1, count));
        for (const step of steps) {
          if (step.kind === "arrive") {
            count += step.count;
            shown = mergeNewest(shown, loadPage(createMessages(1, count)), true);
          } else if (shown.before !== null) {
            const earlier = loadPage(createMessages(1, count), shown.messages[0]?.createdAt ?? 0);
            shown = mergeEarlier(shown, earlier);
          }
          const [first = 1] = getNumbers(shown);
          expect(shown.messages).toEqual(createMessages(first ?? 1, count));
          if ((first ?? 1) > 1) expect(shown.before).not.toBeNull();
        }
      },
    ),
  );
});
