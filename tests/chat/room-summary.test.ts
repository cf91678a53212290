import { expect, test } from "vitest";

import { loader as roomLoader } from "#app/routes/room.ts";
import { action as changeHidden } from "#app/routes/room-hidden.ts";
import { loader } from "#app/routes/room-summary.ts";
import { toRecordTime } from "#app/stories/readers/readers.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { writeDatabase } from "#tests/support/database-values.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { readJson, signIn, startApp, toCookieHeader, type TestApp } from "#tests/support/routes.ts";

const PATH = "/rooms/general/summary";
const HOUR = 60 * 60_000;

/** Adds people to the room. The values are the times of their connections. */
async function setPeople(app: TestApp, people: Record<string, number>) {
  const connections = Object.fromEntries(
    Object.entries(people).map(([uid, time]) => [uid, { c0: { name: uid, time } }]),
  );
  await writeDatabase(app, "connections", connections);
}

test("counts the people who are here, and names the newest message", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  const now = Date.now();
  await fillRoom(app.firebase, person, 3, [], (index) => now + index);
  await setPeople(app, { ana: now, tomas: now, crashed: now - 13 * HOUR });

  expect(await readJson(await app.send(loader, PATH, { cookie }))).toEqual({
    here: { value: 2, hasMore: false },
    newest: { uid: person.localId, createdAt: now + 2 },
    answers: null,
  });
});

test("does not name the newest message when the user has hidden its sender", async () => {
  await using app = await startApp();
  const [ana, tomas] = [await app.firebase.addAccount(), await app.firebase.addAccount()];
  const cookie = await signIn(app, ana);
  await fillRoom(app.firebase, tomas, 1);
  expect(await readJson(await app.send(loader, PATH, { cookie }))).toMatchObject({
    newest: { uid: tomas.localId },
  });

  const form = { intent: "hide", person: tomas.localId, name: "Tomas" };
  const { headers } = await app.send(changeHidden, "/rooms/general/hidden", { form, cookie });

  const cookies = `${cookie}; ${toCookieHeader(headers)}`;
  expect(await readJson(await app.send(loader, PATH, { cookie: cookies }))).toMatchObject({
    newest: null,
  });
});

test("counts up to 99 people", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  await setPeople(
    app,
    Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`u${index}`, Date.now()])),
  );

  expect(await readJson(await app.send(loader, PATH, { cookie }))).toMatchObject({
    here: { value: 99, hasMore: true },
    newest: null,
  });
});

test("shows visitors how many people want to be counted", async () => {
  await using app = await startApp();
  const now = Date.now();
  await setPeople(app, { ana: now, tomas: now, robin: now });
  const record = { story: "room", time: toRecordTime(now) };
  const story = { ...record, story: "salt" };
  await writeDatabase(app, "readers", { key1: record, key2: record, key3: story });

  expect(await readJson(await app.send(loader, PATH))).toEqual({
    here: { value: 2, hasMore: false },
    newest: null,
  });
});

test("shows nothing while Firebase is unavailable", async () => {
  expectConsoleError();
  await using app = await startApp({
    FIRESTORE_EMULATOR_HOST: "127.0.0.1:1",
    FIREBASE_DATABASE_EMULATOR_HOST: "127.0.0.1:1",
  });
  const cookie = await signIn(app, await app.firebase.addAccount());

  const nothing = { here: null, newest: null };
  expect(await readJson(await app.send(loader, PATH, { cookie }))).toEqual(nothing);
});

test("loads the room for scripts on a page without it", async () => {
  await using app = await startApp();
  await fillRoom(app.firebase, await app.firebase.addAccount(), 3);

  expect(await readJson(await app.send(roomLoader, "/rooms/general"))).toMatchObject({
    feed: { status: "loaded", messages: [{}, {}, {}] },
    isEarlier: false,
  });
});

test.each([
  [PATH, loader],
  ["/rooms/general", roomLoader],
])("redirects a browser that opens %s to the room", async (path, load) => {
  await using app = await startApp();

  const response = await app.send(load, path, { headers: { Accept: "text/html" } });

  expect([response.status, response.headers.get("Location")]).toEqual([302, "/home#room"]);
});
