import { expect, test } from "vitest";

import { UNTIL_LIFTED } from "#app/chat/moderation/mute.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { changeDocument } from "#tests/support/documents.ts";
import { openBrowser } from "#tests/support/profile-browser.ts";
import { startTalk, TAB, toKey, type Talk } from "./reported-room.ts";

test("pages through the log, twenty at a time", async () => {
  await using talk = await startTalk();
  const { app, olga } = talk;
  for (let index = 0; index < 22; index += 1) {
    await changeDocument(app.firebase.hosts, `moderation/entry${String(index).padStart(2, "0")}`, {
      ...{ by: { stringValue: "x" }, byName: { stringValue: "Olga" } },
      ...{ action: { stringValue: "dismiss" }, name: { stringValue: `Person ${index}` } },
      ...{ person: { stringValue: `person${index}` }, target: { stringValue: "m" } },
      ...{ reason: { stringValue: "Spam" }, until: { nullValue: null } },
      at: { timestampValue: new Date(Date.UTC(2026, 0, 1, 0, index)).toISOString() },
    });
  }
  const read = async (path: string) => {
    const { data } = await olga.open(path);
    const { reports } = data as {
      reports: { log: { entries: { name: string }[]; before: string } };
    }; // the loader's
    return reports.log;
  };

  const first = await read(TAB);
  expect(first.entries).toHaveLength(20);
  expect(first.entries[0]?.name).toBe("Person 21");
  const second = await read(`${TAB}&log=${first.before}`);
  expect(second.entries.map(({ name }) => name)).toEqual(["Person 1", "Person 0"]);
  expect(second.before).toBeNull();
});

test("pages through the people who are muted, also until lifted, twenty at a time", async () => {
  await using talk = await startTalk();
  const { app, olga } = talk;
  for (let index = 0; index < 41; index += 1) {
    await changeDocument(app.firebase.hosts, `mutes/person${String(index).padStart(2, "0")}`, {
      ...{ name: { stringValue: `Person ${index}` }, reason: { stringValue: "Spam" } },
      ...{ until: { timestampValue: new Date(UNTIL_LIFTED).toISOString() } },
      ...{ appeal: { nullValue: null }, at: { timestampValue: "2026-01-01T00:00:00Z" } },
    });
  }
  const read = async (path: string) => {
    const { data } = await olga.open(path);
    const { reports } = data as {
      reports: { muted: { people: { name: string }[]; next: string | null } };
    }; // the loader's
    return reports.muted;
  };

  const names = [];
  let path = TAB;
  for (const length of [20, 20, 1]) {
    const { people, next } = await read(path);
    expect(people).toHaveLength(length);
    names.push(...people.map(({ name }) => name));
    expect(next === null).toBe(length === 1);
    path = `${TAB}&muted=${next}`;
  }
  expect(new Set(names).size).toBe(41);
});

/** Stores reports, each of `[message, minute, sender]`. */
async function storeReports(
  { app, ana }: Talk,
  reports: readonly (readonly [message: string, minute: number, sender?: string])[],
) {
  for (const [message, minute, sender = ana.uid] of reports) {
    await changeDocument(app.firebase.hosts, `reports/${message}_person${minute}`, {
      ...{ reporter: { stringValue: `person${minute}` }, reporterName: { stringValue: "Wren" } },
      ...{ messageId: { stringValue: message }, sender: { stringValue: sender } },
      ...{ senderName: { stringValue: "Ana" }, text: { stringValue: `Text of ${message}` } },
      reason: { stringValue: "Spoiler" },
      sentAt: { timestampValue: new Date(Date.UTC(2026, 0, 1)).toISOString() },
      createdAt: { timestampValue: new Date(Date.UTC(2026, 0, 2, 0, minute)).toISOString() },
    });
  }
}

async function readQueue({ olga }: Talk, path: string) {
  const { data } = await olga.open(path);
  const { reports } = data as {
    reports: { total: number; messages: { message: { id: string } }[]; next: string | null };
  }; // the loader's
  const { total, messages, next } = reports;
  return { total, ids: messages.map(({ message }) => message.id), next };
}

test("pages through the queue to its end, with all reports of a message in one place", async () => {
  await using talk = await startTalk();
  const ids = Array.from({ length: 23 }, (_, index) => `m${index}`);
  // Older reports of messages whose newest reports are on the first and the second page.
  await storeReports(talk, [
    // The last of the first page and the first of the second are of the same minute.
    ...ids.map((id, index) => [id, index === 10 ? 51 : 60 - index] as const),
    ["m0", 1],
    ["m11", 2],
    // The id of a message that is on the first page.
    ["m0", 3, "barnaby"],
  ]);

  const first = await readQueue(talk, TAB);
  expect(first).toMatchObject({ total: 24, ids: ids.slice(0, 10) });
  const second = await readQueue(talk, `${TAB}&after=${first.next}`);
  expect(second).toMatchObject({ total: 24, ids: ids.slice(10, 20) });
  const third = await readQueue(talk, `${TAB}&after=${second.next}`);
  expect(third).toEqual({ total: 24, ids: [...ids.slice(20), "m0"], next: null });

  const done = await talk.olga.submit(
    "moderate",
    { action: "dismiss", message: toKey("m22", talk.ana) },
    `${TAB}&after=${second.next}`,
  );
  expect(done.headers.get("Location")).toBe(`${TAB}&after=${second.next}#moderate-flash`);
});

test("pages through more reports than are read at a time", async () => {
  await using talk = await startTalk();
  const flood = Array.from({ length: 205 }, (_, index) => ["flood", 1000 - index] as const);
  await storeReports(talk, [["last", 1], ...flood]);

  const first = await readQueue(talk, TAB);
  expect(first).toMatchObject({ total: 1, ids: ["flood"] });
  expect(await readQueue(talk, `${TAB}&after=${first.next}`)).toMatchObject({
    ids: ["last"],
    next: null,
  });
});

test("says that reports can't be loaded", async () => {
  expectConsoleError();
  await using talk = await startTalk();
  const { app, olga } = talk;
  const broken = openBrowser(
    app.withVariables({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" }),
    olga.cookie,
  );

  expect((await broken.open(TAB)).data).toMatchObject({
    tab: "reports",
    reports: null,
    openReports: null,
  });
  const failed = await broken.submit("moderate", { action: "dismiss", message: "x:y" });
  expect(failed).toMatchObject({ status: 503, data: { banner: { message: "Not done." } } });
});
