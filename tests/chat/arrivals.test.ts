import { expect, test } from "vitest";

import { createArrivalFinder, describeArrivals } from "#app/chat/panel/arrival-announcer.tsx";
import { countNew } from "#app/chat/panel/feed.tsx";
import type { Message } from "#app/chat/message.ts";
import { formatQuote } from "#app/chat/quotes/quote.ts";
import { findFirstUnread, updateAbsence } from "#app/chat/use-first-unread.ts";

const LOCALE = { language: "en-US", timeZone: "UTC" };

function createMessage(minute: number, text = `Message ${minute}`): Message {
  const createdAt = Date.UTC(2026, 0, 1, 14, minute);
  return { id: `m${minute}`, text, uid: "ana", displayName: "Ana", photoURL: null, createdAt };
}

const room = (...minutes: number[]) => minutes.map((minute) => createMessage(minute));
const getMinutes = (messages: Message[]) => messages.map(({ id }) => Number(id.slice(1)));

test("announces neither the first messages of the page nor earlier ones", () => {
  const find = createArrivalFinder();
  expect(find(room(3, 4), "server")).toEqual([]);
  expect(find(room(3, 4, 5), "live")).toEqual([]);
  expect(find(room(1, 2, 3, 4, 5), "live")).toEqual([]);
});

test("announces each arrival once, including the first in an empty room", () => {
  const find = createArrivalFinder();
  find([], "server");
  find([], "live");
  expect(getMinutes(find(room(1), "live"))).toEqual([1]);
  expect(find(room(1), "live")).toEqual([]);
  expect(getMinutes(find(room(1, 2, 3), "live"))).toEqual([2, 3]);
});

test("announces what was missed while the connection was lost", () => {
  const find = createArrivalFinder();
  find(room(1), "server");
  find(room(1), "live");
  expect(find(room(1), "lost")).toEqual([]);
  expect(getMinutes(find(room(1, 2), "live"))).toEqual([2]);
});

test("announces no message again after a newer one was deleted", () => {
  const find = createArrivalFinder();
  find(room(1), "server");
  find(room(1, 2, 3), "live");
  expect(find(room(1, 2), "live")).toEqual([]);
  expect(getMinutes(find(room(1, 2, 4), "live"))).toEqual([4]);
});

test("announces nothing when the room is opened again", () => {
  const find = createArrivalFinder();
  find(room(1), "server");
  find(room(1), "live");
  find(room(1), "server");
  expect(find(room(1, 2, 3), "live")).toEqual([]);
});

test("counts as new neither the user's own messages nor those of hidden people", () => {
  const [read, own, hidden, first, last] = room(1, 2, 3, 4, 5);
  if (!read || !own || !hidden || !first || !last) throw new Error("There are five messages");
  const messages = [read, { ...own, uid: "mira" }, { ...hidden, uid: "tomas" }, first, last];
  const viewer = { uid: "mira", hiddenUids: new Set(["tomas"]) };
  const absence = { from: read.createdAt ?? 0, to: last.createdAt ?? 0 };

  expect(countNew(messages, read, viewer)).toBe(2);
  expect(findFirstUnread(messages, absence, viewer)).toBe(first.id);
  expect(countNew(messages, last, viewer)).toBe(0);
  const later = { from: absence.to, to: absence.to };
  expect(findFirstUnread(messages, later, viewer)).toBeUndefined();
});

test("messages are unread until the first that the database confirms after the user's return", () => {
  const [seen, missed, watched] = room(1, 2, 3);
  if (!seen || !missed || !watched) throw new Error("There are three messages");
  const viewer = { uid: "mira", hiddenUids: new Set<string>() };
  const returned = { from: seen.createdAt ?? 0, to: null };

  expect(findFirstUnread([seen, missed], returned, viewer)).toBe(missed.id);
  const confirmed = updateAbsence(returned, seen.createdAt ?? 0, true);
  expect(findFirstUnread([seen, watched], confirmed, viewer)).toBeUndefined();
  expect(updateAbsence(confirmed, watched.createdAt ?? 0, true)).toBe(confirmed);
  expect(updateAbsence(confirmed, watched.createdAt ?? 0, false)).toBe(confirmed);

  // A device that wakes up loses its connection, and then gets what it has missed.
  const woken = updateAbsence(confirmed, seen.createdAt ?? 0, false);
  const reconnected = updateAbsence(woken, missed.createdAt ?? 0, true);
  expect(findFirstUnread([seen, missed, watched], reconnected, viewer)).toBe(missed.id);
});

test("describes one message by its first words, and several by their number and the newest", () => {
  const describe = (messages: Message[]) => describeArrivals(messages, LOCALE, () => false);
  expect(describe([createMessage(5, "Hello")])).toMatch(/^Ana, Hello, 2:05\sPM$/);
  const long = describe([createMessage(5, "What a long story. ".repeat(260))]);
  expect(long).toMatch(/^Ana, What a long story\..*[a-z.]…, 2:05\sPM$/);
  expect(long.length).toBeLessThan(150);
  expect(describe([createMessage(5, "x".repeat(5000))]).length).toBeLessThan(150);
  expect(describe([...room(1, 2, 3), createMessage(5, "Hello")])).toBe(
    "4 new messages. Ana, Hello",
  );
  const reply = {
    ...createMessage(5, "> Tomas: Hi\nHello"),
    topic: { number: null, replyTo: "1" },
  };
  expect(describeArrivals([reply], LOCALE, () => false, true)).toMatch(
    /^Ana replied to you, Hello, 2:05\sPM$/,
  );
});

test.each([
  [false, /^Ana, quotes a story, I wept, 2:05\sPM$/],
  [true, /^Ana, wrote about a story, 2:05\sPM$/],
])("does not read out what may give away the end of a story, later part: %s", (isLater, line) => {
  const text = `${formatQuote({ words: "The king dies.", path: "/read/salt#p-1" })}I wept`;
  expect(describeArrivals([createMessage(5, text)], LOCALE, () => isLater)).toMatch(line);
});
