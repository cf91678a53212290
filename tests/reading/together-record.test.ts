import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { startTogether } from "#app/reading/together/together-record.client.ts";
import { RENEW_EVERY_MS } from "#app/stories/readers/readers.ts";
import { STALE_AFTER_MS, type FellowReader } from "#app/stories/readers/together.ts";
import type { DatabaseServer } from "#emulator/database/server.ts";
import { connectPage, startAppDatabase } from "#tests/support/database-rules.ts";
import { NAMESPACE, sendRest } from "#tests/support/database.ts";

const NAMES: Record<string, string> = { ana: "Ana Reyes", tomas: "Tomas Lund", mira: "Mira Oduya" };

let page: EventTarget & { visibilityState: string };

beforeEach(() => {
  page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  vi.stubGlobal("document", page);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const startServer = (data = {}, now = Date.now) =>
  startAppDatabase(["ana", "tomas", "mira"], data, { now });

/** Reads a story together in a new tab. Closing it breaks the connection. */
function read(server: DatabaseServer, uid: string, part: number, story = "salt") {
  const name = NAMES[uid] ?? "Anonymous";
  const client = connectPage(server, uid, { name });
  const controller = new AbortController();
  let readers: FellowReader[] | null = null;
  let isUnseen: boolean | undefined;
  const together = startTogether(
    {
      getDatabase: () => client.db,
      getClaims: async () => ({ name }),
      discard: () => {},
    },
    { user: { uid, displayName: name, photoURL: null }, story },
    {
      onReaders: (next) => (readers = next),
      onUnseen: (next) => (isUnseen = next),
    },
    controller.signal,
  );
  together.setPart(part);
  return {
    setPart: together.setPart,
    switchOff: () => controller.abort(),
    /** What the tab shows, such as "Ana Reyes 3". */
    shown: () => readers && readers.map((reader) => `${reader.name} ${reader.part}`),
    isUnseen: () => isUnseen,
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
}

function readRecords(server: DatabaseServer): Record<string, { story: string; part: number }> {
  const { readingTogether = {} } = Object(server.export()[NAMESPACE]);
  return readingTogether;
}

test("shows readers of the same story to each other, moves them, and removes who switches it off", async () => {
  await using server = await startServer();
  await using ana = read(server, "ana", 1);
  await using tomas = read(server, "tomas", 2);
  await using mira = read(server, "mira", 2, "tide");
  await expect.poll(ana.shown).toEqual(["Tomas Lund 2"]);
  await expect.poll(tomas.shown).toEqual(["Ana Reyes 1"]);
  await expect.poll(mira.shown).toEqual([]);

  ana.setPart(3);
  await expect.poll(tomas.shown).toEqual(["Ana Reyes 3"]);

  tomas.switchOff();
  await expect.poll(ana.shown).toEqual([]);
  expect(Object.keys(readRecords(server)).toSorted()).toEqual(["ana", "mira"]);
});

test("removes who closes the tab", async () => {
  await using server = await startServer();
  await using ana = read(server, "ana", 1);
  const tomas = read(server, "tomas", 2);
  await expect.poll(ana.shown).toEqual(["Tomas Lund 2"]);

  await tomas[Symbol.asyncDispose]();
  await expect.poll(ana.shown).toEqual([]);
});

test("a user with several tabs has one record, for the story in which they have read last", async () => {
  await using server = await startServer();
  await using ana = read(server, "ana", 1);
  await using first = read(server, "tomas", 2);
  await expect.poll(ana.shown).toEqual(["Tomas Lund 2"]);

  const second = read(server, "tomas", 1, "tide");
  await expect.poll(ana.shown).toEqual([]);
  // The rules would no longer let this tab begin to read.
  expect(first.shown()).toBeNull();
  expect(readRecords(server)).toMatchObject({ tomas: { story: "tide" } });

  first.setPart(4);
  await expect.poll(ana.shown).toEqual(["Tomas Lund 4"]);
  await expect.poll(first.shown).toEqual(["Ana Reyes 1"]);
  await second[Symbol.asyncDispose]();
  await expect.poll(() => readRecords(server)).toMatchObject({ tomas: { part: 4 } });
  await expect.poll(ana.shown).toEqual(["Tomas Lund 4"]);
});

test("shows nobody in the unseen mode, and is back afterwards", async () => {
  await using server = await startServer();
  await using ana = read(server, "ana", 1);
  await using tomas = read(server, "tomas", 2);
  await expect.poll(ana.shown).toEqual(["Tomas Lund 2"]);

  await sendRest(server, "/.json", {
    method: "PATCH",
    body: JSON.stringify({ "unseen/tomas": true, "readingTogether/tomas": null }),
  });
  await expect.poll(ana.shown).toEqual([]);
  await expect.poll(tomas.isUnseen).toBe(true);
  expect(tomas.shown()).toBeNull();
  tomas.setPart(3);

  await sendRest(server, "/unseen/tomas.json", { method: "PUT", body: "false" });
  await expect.poll(ana.shown).toEqual(["Tomas Lund 3"]);
});

test.each([-5, 5])(
  "does not show stale records to a device whose clock is wrong by %i hours",
  async (hours) => {
    const now = () => Date.now() + hours * 60 * 60_000;
    const stale = { story: "salt", part: 2, name: "Tomas Lund", time: now() - STALE_AFTER_MS };
    const recent = { ...stale, name: "Mira Oduya", time: stale.time + 60_000 };
    await using server = await startServer(
      { readingTogether: { tomas: stale, mira: recent } },
      now,
    );
    await using ana = read(server, "ana", 1);

    await expect.poll(ana.shown).toEqual(["Mira Oduya 2"]);
  },
);

test("removes the record of a page that stays hidden for ten minutes, and shows it again", async () => {
  await using server = await startServer();
  await using ana = read(server, "ana", 1);
  await expect.poll(ana.shown).toEqual([]);

  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  page.visibilityState = "hidden";
  page.dispatchEvent(new Event("visibilitychange"));
  vi.advanceTimersByTime(RENEW_EVERY_MS - 1);
  expect(ana.shown()).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ana.shown()).toBeNull();
  vi.useRealTimers();
  await expect.poll(() => readRecords(server)).toEqual({});

  page.visibilityState = "visible";
  page.dispatchEvent(new Event("visibilitychange"));
  await expect.poll(ana.shown).toEqual([]);
});
