import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { expectConsoleError } from "#tests/support/console.ts";
import { startFaultProxy } from "#tests/support/fault-proxy.ts";
import { startPageHandler } from "#tests/support/page-handler.ts";
import { startApp } from "#tests/support/routes.ts";
import { startServer } from "#tests/support/server.ts";
import { publishStory } from "#tests/support/stories.ts";
import { isCached, startCachedApp, STORY, STORY_PATH } from "#tests/support/visitors.ts";

const NOTE = "This page is from";
const DATABASE_NOTE = "We can&#x27;t reach our database right now.";
const REVISED = { ...STORY, text: "The sea came back." };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-22T14:05:00Z") });
});

afterEach(() => {
  vi.useRealTimers();
});

test("pages are renewed without a note while the Realtime Database does not respond", async () => {
  const clock = startRunningClock();
  await using app = await startApp();
  await using silent = await startServer(() => undefined);
  await publishStory(app.firebase.hosts, STORY);
  const edge = await startCachedApp(app, { FIREBASE_DATABASE_EMULATOR_HOST: silent.host });
  await edge.visit(STORY_PATH);
  await edge.finish();
  await publishStory(app.firebase.hosts, REVISED);
  clock.pass(61_000);

  const old = await edge.read(STORY_PATH);
  await edge.finish();
  const renewed = await edge.visit(STORY_PATH);
  const html = await renewed.text();

  expect(old).toContain(STORY.text);
  expect(isCached(renewed)).toBe(true);
  expect(html).toContain(REVISED.text);
  expect(html).not.toContain(NOTE);
});

test("while Firestore rejects the queries of one page, the others have no note", async () => {
  let isRejecting = false;
  await using app = await startApp();
  await using proxy = await startFaultProxy(app.env.FIRESTORE_EMULATOR_HOST, ({ url }) =>
    isRejecting && url.endsWith("/documents:runQuery") ? "quota" : "none",
  );
  await publishStory(app.firebase.hosts, STORY);
  const edge = await startCachedApp(app, { FIRESTORE_EMULATOR_HOST: proxy.host });
  for (const path of ["/home", STORY_PATH]) await edge.visit(path);
  await edge.finish();
  await publishStory(app.firebase.hosts, REVISED);
  edge.pass(10 * 60_000);
  expectConsoleError();
  isRejecting = true;

  const home = await edge.read("/home");
  const story = await edge.read(STORY_PATH);

  expect(home).toContain(DATABASE_NOTE);
  expect(story).toContain(REVISED.text);
  expect(story).not.toContain(NOTE);
});

test("while Firestore does not respond, a visit to /login does not make the next visitor of a story wait", async () => {
  await using app = await startApp();
  await publishStory(app.firebase.hosts, STORY);
  const edge = await startCachedApp(app);
  await edge.visit(STORY_PATH);
  await edge.finish();
  await using silent = await startServer(() => undefined);
  await edge.changeIsolate({ FIRESTORE_EMULATOR_HOST: silent.host });
  edge.pass(60 * 60_000);
  expectConsoleError();
  expect(await edge.read(STORY_PATH)).toContain(DATABASE_NOTE);
  await edge.finish();

  expect(await edge.read("/login")).not.toContain(NOTE);
  const startedAt = performance.now();
  const html = await edge.read(STORY_PATH);

  expect(performance.now() - startedAt).toBeLessThan(500);
  expect(html).toContain(DATABASE_NOTE);
  await edge.finish();
});

test("an error of one page is not reported as the database's, and the others have no note", async () => {
  const pages = startPageHandler();
  pages.setHandler(() => pages.createPage("The tide is out"));
  for (const path of ["/home", STORY_PATH]) await pages.visit(path);
  await pages.finish();
  vi.setSystemTime(Date.now() + 10 * 60_000);

  pages.setHandler(() => pages.createPage("Something went wrong", 500));
  const home = await (await pages.visit("/home")).text();
  pages.setHandler(() => pages.createPage("The tide is in"));
  const story = await (await pages.visit(STORY_PATH)).text();
  const homeAgain = await (await pages.visit("/home")).text();

  for (const html of [home, homeAgain]) {
    expect(html).toContain("The tide is out");
    expect(html).toContain("We can&#x27;t show the newest version of this page right now.");
    expect(html).toContain(NOTE);
    expect(html).not.toContain(DATABASE_NOTE);
  }
  expect(story).toContain("The tide is in");
  expect(story).not.toContain(NOTE);

  await pages.finish();
  vi.setSystemTime(Date.now() + 11_000);
  expect(await (await pages.visit("/home")).text()).toContain("The tide is in");
});

/** Lets the clock run, because time limits never end on a stopped clock. `pass` moves it forward. */
function startRunningClock() {
  vi.useRealTimers();
  const now = Date.now.bind(Date);
  let offset = 0;
  vi.spyOn(Date, "now").mockImplementation(() => now() + offset);
  return {
    pass(ms: number): void {
      offset += ms;
    },
  };
}
