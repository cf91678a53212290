import { expect, test } from "vitest";
import * as z from "zod";

import { loader as followingLoader, action as followingAction } from "#app/routes/following.ts";
import { loader } from "#app/routes/home.tsx";
import { action as savedAction } from "#app/routes/saved.ts";
import { MAX_FOLLOWED } from "#app/stories/library/library.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { startRequestCounter } from "#tests/support/request-counter.ts";
import {
  readJson,
  signIn,
  startApp,
  toCookieHeader,
  type Handler,
  type SendOptions,
  type TestApp,
} from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";

const HERON = "what-the-heron-keeps";
const ORCHARD = "the-lamplighters-orchard";
const TIDE = { id: "the-tide-ledger-0123456789", title: "The Tide Ledger", text: "It began." };
const BROWSER = { Accept: "text/html" };

const homeSchema = z.object({
  saved: z.array(z.looseObject({ id: z.string(), title: z.string() })),
  following: z.array(z.object({ uid: z.string(), name: z.string() })),
  writer: z.looseObject({ name: z.string().nullable(), isFollowed: z.boolean() }).nullable(),
  newStories: z.array(z.looseObject({ title: z.string(), isNewChapter: z.boolean() })),
});

async function load(app: TestApp, cookie: string, path = "/home") {
  const { data } = await app.send(loader, path, { cookie });
  const home = homeSchema.parse(data);
  return {
    ...home,
    saved: home.saved.map(({ id }) => id),
    news: home.newStories.map(({ title }) => title),
  };
}

function post(app: TestApp, action: Handler, form: Record<string, string>, rest: SendOptions) {
  const returnTo = "/home?q=tide";
  return app.send(action, "/", { form: { ...form, returnTo }, headers: BROWSER, ...rest });
}

test("saves a story for later in the account, first in the list, and removes it", async () => {
  await using app = await startApp();
  await publishStory(app.firebase.hosts, TIDE);
  const cookie = await signIn(app, await app.firebase.addAccount());

  const response = await post(app, savedAction, { intent: "save", story: HERON }, { cookie });
  expect(response.status).toBe(303);
  expect(response.headers.get("Location")).toBe("/home?q=tide");
  await post(app, savedAction, { intent: "save", story: TIDE.id }, { cookie });
  await post(app, savedAction, { intent: "save", story: HERON }, { cookie });
  expect((await load(app, cookie)).saved).toEqual([HERON, TIDE.id]);
  expect((await load(app, cookie, "/home?q=tide")).saved).toEqual([HERON, TIDE.id]);
  expect((await load(app, cookie, "/home?writer=ana")).saved).toEqual([HERON, TIDE.id]);

  await post(app, savedAction, { intent: "remove", story: HERON }, { cookie });
  expect((await load(app, cookie)).saved).toEqual([TIDE.id]);
});

test("keeps three stories that a user saves at the same moment in three tabs", async () => {
  await using app = await startApp();
  await publishStory(app.firebase.hosts, TIDE);
  const cookie = await signIn(app, await app.firebase.addAccount());
  const stories = [HERON, ORCHARD, TIDE.id];

  const responses = await Promise.all(
    stories.map((story) => post(app, savedAction, { intent: "save", story }, { cookie })),
  );

  expect(responses.map(({ status }) => status)).toEqual([303, 303, 303]);
  expect((await load(app, cookie)).saved.toSorted()).toEqual(stories.toSorted());
});

test("saves a visitor's stories in the browser, and shows them after signing in", async () => {
  await using app = await startApp();

  const saved = await post(app, savedAction, { intent: "save", story: HERON }, {});
  const device = toCookieHeader(saved.headers);
  expect((await load(app, device)).saved).toEqual([HERON]);

  const cookie = `${await signIn(app, await app.firebase.addAccount())}; ${device}`;
  expect((await load(app, cookie)).saved).toEqual([HERON]);
  const removed = await post(app, savedAction, { intent: "remove", story: HERON }, { cookie });
  expect(removed.headers.get("Set-Cookie")).toMatch(/^saved=; Max-Age=0/);
});

test("a saved story keeps the address of its cover, if it has at most 300 characters", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const address = "https://example.com/".padEnd(300, "x");
  const covers = [address, `${address}x`];
  for (const [index, cover] of covers.entries()) {
    const id = `the-tide-${1_000_000_000 + index}`;
    await publishStory(app.firebase.hosts, { ...TIDE, id, cover });
    await post(app, savedAction, { intent: "save", story: id }, { cookie });
  }

  const { saved } = homeSchema.parse((await app.send(loader, "/home", { cookie })).data);

  expect(saved.map(({ cover }) => cover)).toEqual(["", address]);
});

test("saves no story that does not exist", async () => {
  await using app = await startApp();

  for (const story of ["no-such-story", "the-glass-apiary", "no-such-story-0123456789", ""]) {
    const { status } = await post(app, savedAction, { intent: "save", story }, {});
    expect([story, status]).toEqual([story, 400]);
  }
});

test("responds to scripts without a redirect", async () => {
  await using app = await startApp();
  const form = { intent: "save", story: HERON, returnTo: "/home" };

  const response = await app.send(savedAction, "/saved", { form });

  expect(response.status).toBe(200);
  expect(response.headers.get("Set-Cookie")).toMatch(/^saved=/);
  const unknown = await app.send(savedAction, "/saved", { form: { ...form, story: "nothing" } });
  expect(unknown.status).toBe(400);
  expect(await readJson(unknown)).toEqual({
    status: "error",
    reason: "invalid",
    message: "This story doesn't exist.",
  });
});

test("says that a list is full", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const { hosts } = app.firebase;
  const follow = (uid: string) =>
    post(app, followingAction, { intent: "follow", writer: uid }, { cookie });
  for (let index = 0; index < MAX_FOLLOWED; index += 1) {
    const id = `story-${1_000_000_000 + index}`;
    await publishStory(hosts, { id, title: "Tide", text: "It began.", uid: `writer${index}` });
    expect((await follow(`writer${index}`)).status).toBe(303);
  }

  expect(await follow("inkglade")).toMatchObject({
    status: 409,
    data: { message: "You can follow up to 30 writers. Stop following one first." },
  });
});

test("says that a visitor's browser is full, and keeps the stories saved there", async () => {
  await using app = await startApp();
  const message = "This browser can't hold more saved stories. Remove one, or sign in.";
  const stories = Array.from({ length: 10 }, (_, index) => `heron-${1_000_000_000 + index}`);
  for (const id of stories) {
    const title = "What the heron keeps, and what it lets go";
    await publishStory(app.firebase.hosts, { id, title, text: "It began." });
  }
  const long = { id: "heron-2000000000", title: "Ж".repeat(400) };
  await publishStory(app.firebase.hosts, { ...long, text: "It began." });
  const save = (story: string, cookie: string) =>
    post(app, savedAction, { intent: "save", story }, { cookie });

  let cookie = "";
  const saved: string[] = [];
  for (const story of stories) {
    const response = await save(story, cookie);
    if (response.status !== 303) {
      expect(response).toMatchObject({ status: 409, data: { message } });
      expect(response.headers.getSetCookie()).toEqual([]);
      break;
    }
    cookie = toCookieHeader(response.headers);
    saved.unshift(story);
    expect((await load(app, cookie)).saved).toEqual(saved);
  }
  expect(saved.length).toBeLessThan(stories.length);
  expect(saved.length).toBeGreaterThan(3);

  for (const device of [cookie, ""]) {
    expect(await save(long.id, device)).toMatchObject({ status: 409, data: { message } });
  }
  const removed = await post(
    app,
    savedAction,
    { intent: "remove", story: saved[0] ?? "" },
    { cookie },
  );
  expect((await load(app, toCookieHeader(removed.headers))).saved).toEqual(saved.slice(1));
});

test("a followed writer who has a new name has it beside their new story, too", async () => {
  await using app = await startApp();
  const { hosts } = app.firebase;
  const cookie = await signIn(app, await app.firebase.addAccount());
  await publishStory(hosts, { ...TIDE, author: "A. Reyes", publishedAt: "2025-01-01T00:00:00Z" });
  await post(app, followingAction, { intent: "follow", writer: "ana" }, { cookie });
  const newer = { id: "newer-0123456789", title: "Newer", text: "It began." };
  await publishStory(hosts, { ...newer, author: "Ana Reyes" });

  const home = await load(app, cookie);

  expect(home.newStories[0]).toMatchObject({ title: "Newer", author: "Ana Reyes" });
  expect(home.following).toEqual([{ uid: "ana", name: "Ana Reyes" }]);
});

test("follows a writer, and shows their new stories and chapters, and nobody else's", async () => {
  await using app = await startApp();
  const { hosts } = app.firebase;
  const cookie = await signIn(app, await app.firebase.addAccount());
  await publishStory(hosts, {
    ...TIDE,
    publishedAt: "2025-01-01T00:00:00Z",
    updatedAt: "2026-02-01T00:00:00Z",
    newChapterAt: "2026-02-01T00:00:00Z",
  });
  const older = { id: "older-0123456789", title: "Older", text: "It began." };
  await publishStory(hosts, { ...older, publishedAt: "2025-02-01T00:00:00Z" });
  const other = { id: "other-0123456789", title: "Other", text: "It began.", uid: "tomas" };
  await publishStory(hosts, { ...other, publishedAt: "2026-03-01T00:00:00Z" });

  expect(await load(app, cookie)).toMatchObject({ news: [] });
  const form = { intent: "follow", writer: "ana" };
  expect((await post(app, followingAction, form, { cookie })).status).toBe(303);

  const home = await load(app, cookie);
  expect(home.following).toEqual([{ uid: "ana", name: "Ana" }]);
  expect(home.news).toEqual(["The Tide Ledger", "Older"]);
  expect(home.newStories.map(({ isNewChapter }) => isNewChapter)).toEqual([true, false]);
  expect(await load(app, cookie, "/home?writer=ana")).toMatchObject({
    writer: { name: "Ana", isFollowed: true },
  });

  await post(app, followingAction, { intent: "unfollow", writer: "ana" }, { cookie });
  expect((await load(app, cookie)).following).toEqual([]);
});

test("redirects a visitor to sign in before they follow", async () => {
  await using app = await startApp();

  const response = await post(app, followingAction, { intent: "follow", writer: "inkglade" }, {});

  expect(response.status).toBe(303);
  expect(response.headers.get("Location")).toBe("/login?returnTo=%2Fhome%3Fq%3Dtide&reason=follow");
  expect((await app.send(followingLoader, "/following")).headers.get("Location")).toBe("/home");

  for (const returnTo of ["//evil.example", `/${"a".repeat(30_000)}`]) {
    const form = { intent: "follow", returnTo };
    const elsewhere = await app.send(followingAction, "/", { form, headers: BROWSER });
    expect(elsewhere.headers.get("Location")).toBe("/login?returnTo=%2Fhome&reason=follow");
  }
});

test("follows the writer of the built-in stories, but neither the user nor an unknown writer", async () => {
  await using app = await startApp();
  const account = await app.firebase.addAccount();
  const cookie = await signIn(app, account);
  const follow = async (writer: string) =>
    (await post(app, followingAction, { intent: "follow", writer }, { cookie })).status;

  expect(await follow("inkglade")).toBe(303);
  expect(await follow(account.localId)).toBe(400);
  expect(await follow("nobody")).toBe(400);
});

test("makes at most three requests for /home, even for a follower", async () => {
  await using app = await startApp();
  using counter = startRequestCounter();
  await publishStory(app.firebase.hosts, TIDE);
  const { FIREBASE_AUTH_EMULATOR_HOST, FIRESTORE_EMULATOR_HOST } = app.firebase.hosts;
  const counted = app.withVariables({
    FIREBASE_AUTH_EMULATOR_HOST: await counter.proxy(FIREBASE_AUTH_EMULATOR_HOST),
    FIRESTORE_EMULATOR_HOST: await counter.proxy(FIRESTORE_EMULATOR_HOST),
  });
  const cookie = await signIn(counted, await app.firebase.addAccount());
  for (const writer of ["inkglade", "ana"]) {
    await post(counted, followingAction, { intent: "follow", writer }, { cookie });
  }
  const before = counter.count();

  expect((await load(counted, cookie)).news).toEqual(["The Tide Ledger"]);
  expect(counter.count() - before).toBeLessThanOrEqual(3);
});

test("says that a list is not saved while the database is unavailable", async () => {
  expectConsoleError();
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const disconnected = app.withVariables({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });

  const form = { intent: "save", story: HERON };
  expect(await post(disconnected, savedAction, form, { cookie })).toMatchObject({
    status: 503,
    data: { message: expect.stringContaining("Not saved.") },
  });
});
