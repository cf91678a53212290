import { expect, test, vi } from "vitest";

import { loader } from "#app/routes/stories-readers.ts";
import { toRecordTime } from "#app/stories/readers/readers.ts";
import { createReadersService, deleteReader } from "#app/stories/readers/readers.server.ts";
import { getEnv } from "#app/env.server.ts";
import { updateValues } from "#app/firebase/database.server.ts";
import { readDatabase, writeDatabase } from "#tests/support/database-values.ts";
import { visit } from "#tests/support/profile-browser.ts";
import { readJson, startApp, type TestApp } from "#tests/support/routes.ts";

const HOUR = 60 * 60_000;

/** Records one reader for each of these stories. */
async function setReaders(app: TestApp, stories: string[], time = toRecordTime(Date.now())) {
  const records = stories.map((story, index) => [`key${index}`, { story, time }]);
  await writeDatabase(app, "readers", Object.fromEntries(records));
}

test("responds with the number of readers of each story, and nothing else", async () => {
  await using app = await startApp();
  await setReaders(app, ["salt", "tide", "salt"]);

  const response = await app.send(loader, "/stories/readers");

  expect(await readJson(response)).toEqual({ salt: 2, tide: 1 });
});

test("redirects a browser that navigates there to the dashboard", async () => {
  await using app = await startApp();

  const response = await app.send(loader, "/stories/readers", { headers: { Accept: "text/html" } });

  expect(response.headers.get("Location")).toBe("/home");
});

test("does not count records that were not renewed for an hour", async () => {
  await using app = await startApp();
  await setReaders(app, ["salt"], toRecordTime(Date.now() - HOUR));

  expect(await readJson(await app.send(loader, "/stories/readers"))).toEqual({});
});

test("asks at most every 4 seconds, and shows no old numbers", async () => {
  await using app = await startApp();
  const start = Date.now();
  const clock = { now: start };
  const env = getEnv(app.contextFor(new Request("http://localhost")));
  const readers = createReadersService(env, () => clock.now);
  await setReaders(app, ["salt"]);
  expect(readers.isDue()).toBe(true);
  expect(await readers.get()).toEqual({ salt: 1 });
  await setReaders(app, ["salt", "salt"]);

  clock.now = start + 3999;
  expect([readers.isDue(), await readers.get()]).toEqual([false, { salt: 1 }]);
  clock.now = start + 59_999;
  expect([readers.isDue(), readers.getRecentCounts()]).toEqual([true, { salt: 1 }]);
  clock.now = start + 60_000;
  expect(readers.getRecentCounts()).toEqual({});
  expect(await readers.get()).toEqual({ salt: 2 });
});

test("shows no numbers while the database is unavailable", async () => {
  await using app = await startApp({ FIREBASE_DATABASE_EMULATOR_HOST: "127.0.0.1:1" });

  expect(await readJson(await app.send(loader, "/stories/readers"))).toEqual({});
});

test("deletes what is stored of a reader with their account", async () => {
  await using app = await startApp();
  const { localId: uid, idToken } = await app.firebase.addAccount();
  const key = "a".repeat(20);
  const time = toRecordTime(Date.now());
  const roomKey = "b".repeat(20);
  await writeDatabase(app, `readerKeys/${uid}`, { story: key, room: roomKey });
  await writeDatabase(app, "keyOwners", { [key]: uid, [roomKey]: uid });
  await writeDatabase(app, "readers", {
    [key]: { story: "salt", time },
    key1: { story: "a", time },
  });
  await writeDatabase(app, `uncounted/${uid}`, false);

  await deleteReader(getEnv(app.contextFor(new Request("http://localhost"))), { uid, idToken });

  expect(await readDatabase(app, "")).toEqual({
    readers: { key1: { story: "a", time } },
  });
});

test("deletes a reader whose open page chooses another key meanwhile", async () => {
  await using app = await startApp();
  const { localId: uid, idToken } = await app.firebase.addAccount();
  const [key, other] = ["a".repeat(20), "b".repeat(20)];
  const choose = async (chosen: string) => {
    await writeDatabase(app, `readerKeys/${uid}`, { story: chosen });
    await writeDatabase(app, "keyOwners", { [chosen]: uid });
    const record = { story: "salt", time: toRecordTime(Date.now()) };
    await writeDatabase(app, "readers", { [chosen]: record });
  };
  await choose(key);
  using reads = spyOnReads((count) => (count === 1 ? choose(other) : undefined));

  await deleteReader(getEnv(app.contextFor(new Request("http://localhost"))), { uid, idToken });

  expect(reads.getCount()).toBe(2);
  expect(await readDatabase(app, "")).toBeNull();
});

test("gives up deleting a reader whose open page chooses another key three times", async () => {
  await using app = await startApp();
  const { localId: uid, idToken } = await app.firebase.addAccount();
  const choose = async (key: string) => {
    await writeDatabase(app, `readerKeys/${uid}`, { story: key });
    await writeDatabase(app, "keyOwners", { [key]: uid });
  };
  await choose("a".repeat(20));
  using reads = spyOnReads((count) => choose(String(count).repeat(20)));
  const env = getEnv(app.contextFor(new Request("http://localhost")));

  await expect(deleteReader(env, { uid, idToken })).rejects.toThrow("401");

  expect(reads.getCount()).toBe(3);
});

/** Counts the reads of the database, and calls a function with the count after each. */
function spyOnReads(onRead: (count: number) => Promise<void> | undefined) {
  const { fetch } = globalThis;
  let count = 0;
  const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const response = await fetch(input, init);
    if (init?.method === "GET") await onRead((count += 1));
    return response;
  });
  return { getCount: () => count, [Symbol.dispose]: () => spy.mockRestore() };
}

test("nobody keeps a reader from being deleted by taking the key of their last record", async () => {
  await using app = await startApp();
  const [ana, mallory] = [await app.firebase.addAccount(), await app.firebase.addAccount()];
  const env = getEnv(app.contextFor(new Request("http://localhost")));
  const [uid, key] = [ana.localId, "a".repeat(20)];
  await updateValues(env, ana, { [`readerKeys/${uid}/story`]: key, [`keyOwners/${key}`]: uid });
  const taken = { [`readerKeys/${mallory.localId}/room`]: key };

  for (const theft of [taken, { ...taken, [`keyOwners/${key}`]: mallory.localId }]) {
    await expect(updateValues(env, mallory, theft)).rejects.toThrow("401");
  }
  await deleteReader(env, { uid, idToken: ana.idToken });

  expect(await readDatabase(app, "")).toBeNull();
});

test("a user chooses on their profile not to be counted", async () => {
  await using app = await startApp();
  const { person, browser } = await visit(app);
  const tab = "/profile?tab=data";
  expect((await browser.open(tab)).data).toMatchObject({ isUncounted: false });

  const response = await browser.submit("save-uncounted", { uncounted: "true" });

  expect(response.headers.get("Location")).toBe("/profile?tab=data#save-uncounted-flash");
  expect((await browser.open(tab)).data).toMatchObject({
    flash: "uncounted-saved",
    isUncounted: true,
  });
  expect(await readDatabase(app, `uncounted/${person.localId}`)).toBe(true);
});
