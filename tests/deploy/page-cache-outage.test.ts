import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { serializePositions } from "#app/stories/positions/position-cookie.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { startFaultProxy, type Fault } from "#tests/support/fault-proxy.ts";
import { startPageHandler } from "#tests/support/page-handler.ts";
import { startApp } from "#tests/support/routes.ts";
import { startServer } from "#tests/support/server.ts";
import { publishStory } from "#tests/support/stories.ts";
import { isCached, startCachedApp, STORY, STORY_PATH } from "#tests/support/visitors.ts";
import { startWaitedTime } from "#tests/support/waited-time.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-22T14:05:00Z") });
});

afterEach(() => {
  vi.useRealTimers();
});

test.each<Fault>(["error", "cut"])(
  "while Firestore fails (%s), the whole story of an hour ago is served with a note",
  async (fault) => {
    await using failing = await startFailing();
    const { edge } = failing;
    await edge.visit(STORY_PATH, { zone: "Asia/Tokyo" });
    await edge.finish();
    edge.pass(59 * 60_000);

    expectConsoleError();
    failing.setFault(fault);
    const getWaitedMs = startWaitedTime();
    const response = await edge.visit(STORY_PATH, { zone: "Asia/Tokyo" });
    const html = await response.text();

    expect(getWaitedMs()).toBeLessThan(2500);
    expect(response.status).toBe(200);
    expect(isCached(response)).toBe(true);
    expect(html).toContain(STORY.text);
    expect(html).not.toContain("noindex");
    expect(html).toContain("We can&#x27;t reach our database right now. This page is from");
    expect(html).toContain('<time dateTime="2026-11-22T14:05:00.000Z">Nov 22, 2026, 11:05');
    expect(response.headers.has("ETag")).toBe(false);

    failing.setFault("none");
    // The circuit breaker lets a call through again.
    edge.pass(30_000);
    await edge.visit(STORY_PATH, { zone: "Asia/Tokyo" });
    edge.pass(2000);
    const recovered = await edge.read(STORY_PATH, { zone: "Asia/Tokyo" });
    expect(recovered).toContain(STORY.text);
    expect(recovered).not.toContain("We can&#x27;t reach our database");
  },
);

test("a page of more than an hour ago is not served", async () => {
  await using failing = await startFailing();
  const { edge } = failing;
  await edge.visit(STORY_PATH);
  await edge.finish();
  expectConsoleError();
  failing.setFault("cut");

  edge.pass(60 * 60_000);
  const html = await edge.read(STORY_PATH);

  expect(html).not.toContain(STORY.text);
  expect(html).toContain("noindex");
});

test("a story is served within 2.5 s while Firestore never responds", async () => {
  await using app = await startApp();
  await publishStory(app.firebase.hosts, STORY);
  const edge = await startCachedApp(app);
  await edge.visit(STORY_PATH);
  await edge.finish();
  await using silent = await startServer(() => undefined);
  await edge.changeIsolate({ FIRESTORE_EMULATOR_HOST: silent.host });
  edge.pass(50 * 60_000);

  expectConsoleError();
  const getWaitedMs = startWaitedTime();
  const first = await edge.read(STORY_PATH);
  const firstMs = getWaitedMs();
  const second = await edge.read(STORY_PATH);
  const secondMs = getWaitedMs() - firstMs;
  await edge.finish();

  expect(firstMs).toBeLessThan(2500);
  expect(secondMs).toBeLessThan(500);
  for (const html of [first, second]) {
    expect(html).toContain(STORY.text);
    expect(html).toContain("This page is from");
  }
});

test("an incomplete page is not stored, and does not replace a complete one", async () => {
  expectConsoleError();
  await using app = await startApp();
  await using proxy = await startFaultProxy(app.env.FIRESTORE_EMULATOR_HOST, () => "error");
  const edge = await startCachedApp(app, { FIRESTORE_EMULATOR_HOST: proxy.host });

  const first = await edge.visit(STORY_PATH);
  await edge.finish();
  const second = await edge.visit(STORY_PATH);

  expect([first, second].map(isCached)).toEqual([false, false]);
  expect(await second.text()).toContain("noindex");
  expect(edge.memory.list()).toEqual([]);
});

test("a script that asks for data while Firestore fails loads the document from the cache", async () => {
  await using failing = await startFailing();
  const { edge } = failing;
  await edge.visit(STORY_PATH);
  await edge.finish();
  edge.pass(50 * 60_000);
  expectConsoleError();
  failing.setFault("cut");

  const response = await edge.visit(`${STORY_PATH}.data`, { headers: { Accept: "*/*" } });
  const unknown = await edge.read("/read/another-0123456789.data");

  const body = await response.text();
  expect(response.status).toBe(202);
  expect(body).toContain("reload");
  expect(body).toContain(STORY_PATH);
  expect(unknown).toContain("isUnavailable");
});

test("while Firestore fails, a browser with positions gets the shared page", async () => {
  await using failing = await startFailing();
  const { edge } = failing;
  await edge.visit(STORY_PATH);
  await edge.finish();
  const position = {
    ...{ title: STORY.title, paragraph: "p-1", start: "The sea", offset: 0 },
    ...{ number: 0, percent: 40, minutesLeft: 1, time: 1 },
  };
  const toCookie = (story: string) =>
    `__Host-places=${encodeURIComponent(serializePositions([{ ...position, story }]))}`;
  expectConsoleError();
  failing.setFault("cut");

  const other = await edge.read(STORY_PATH, { cookie: toCookie("what-the-heron-keeps") });
  const inProgress = await edge.read(STORY_PATH, { cookie: toCookie(STORY.id) });

  for (const html of [other, inProgress]) {
    expect(html).toContain(STORY.text);
    expect(html).toContain("This page is from");
  }
});

test("while Firestore fails, a signed-in user gets the page of visitors, with a note", async () => {
  await using failing = await startFailing();
  const { edge } = failing;
  const cookie = await edge.signIn(await failing.firebase.addAccount({ displayName: "Ana Reyes" }));
  await edge.visit(STORY_PATH);
  await edge.finish();
  expect(await edge.read(STORY_PATH, { cookie })).toContain("Ana Reyes");
  edge.pass(50 * 60_000);
  await edge.changeIsolate();
  expectConsoleError();
  failing.setFault("cut");

  const html = await edge.read(STORY_PATH, { cookie });

  expect(html).toContain(STORY.text);
  expect(html).toContain("We can&#x27;t reach our database right now. This page is from");
  expect(await edge.read("/home", { cookie })).toContain("Ana Reyes");
});

test("a user whose story can be read gets their own page, without the rest", async () => {
  await using failing = await startFailing();
  const { edge } = failing;
  const cookie = await edge.signIn(await failing.firebase.addAccount({ displayName: "Ana Reyes" }));
  await edge.visit(STORY_PATH);
  await edge.finish();
  edge.pass(10 * 60_000);
  await edge.changeIsolate();
  expectConsoleError();
  failing.setFault("error", ":runQuery");

  const html = await edge.read(STORY_PATH, { cookie });

  expect(html).toContain(STORY.text);
  expect(html).toContain("Ana Reyes");
});

test("while Firestore rejects the queries of one page, the others have no note", async () => {
  await using failing = await startFailing();
  const { edge } = failing;
  for (const path of ["/home", STORY_PATH]) await edge.visit(path);
  await edge.finish();
  edge.pass(10 * 60_000);
  expectConsoleError();
  failing.setFault("quota", ":runQuery");

  expect(await edge.read("/home")).toContain("We can&#x27;t reach our database right now.");
  expect(await edge.read("/login")).not.toContain("This page is from");
});

test("pages are renewed without a note while the Realtime Database does not respond", async () => {
  vi.useRealTimers();
  const now = Date.now.bind(Date);
  await using app = await startApp();
  await using silent = await startServer(() => undefined);
  await publishStory(app.firebase.hosts, STORY);
  const edge = await startCachedApp(app, { FIREBASE_DATABASE_EMULATOR_HOST: silent.host });
  await edge.visit(STORY_PATH);
  await edge.finish();
  await publishStory(app.firebase.hosts, { ...STORY, text: "The sea came back." });
  using _clock = vi.spyOn(Date, "now").mockImplementation(() => now() + 61_000);

  const old = await edge.read(STORY_PATH);
  await edge.finish();
  const renewed = await edge.visit(STORY_PATH);
  const html = await renewed.text();

  expect(old).toContain(STORY.text);
  expect(isCached(renewed)).toBe(true);
  expect(html).toContain("The sea came back.");
  expect(html).not.toContain("This page is from");
});

test("an error of one page is not reported as the database's", async () => {
  const pages = startPageHandler();
  pages.setHandler(() => pages.createPage("The tide is out"));
  await pages.visit("/home");
  await pages.finish();
  vi.setSystemTime(Date.now() + 10 * 60_000);
  pages.setHandler(() => pages.createPage("Something went wrong", 500));

  const html = await (await pages.visit("/home")).text();

  expect(html).toContain("The tide is out");
  expect(html).toContain("We can&#x27;t show the newest version of this page right now.");
  expect(html).not.toContain("our database");
});

/** Starts the app with a published story and a Firestore that can fail. */
async function startFailing() {
  let fault: Fault = "none";
  let failingPath = "";
  const app = await startApp();
  const proxy = await startFaultProxy(app.env.FIRESTORE_EMULATOR_HOST, ({ url }) =>
    url.includes(failingPath) ? fault : "none",
  );
  await publishStory(app.firebase.hosts, STORY);
  return {
    firebase: app.firebase,
    edge: await startCachedApp(app, { FIRESTORE_EMULATOR_HOST: proxy.host }),
    /** Sets what happens to all later requests to Firestore, or to those whose path contains a text. */
    setFault(next: Fault, path = ""): void {
      fault = next;
      failingPath = path;
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
    },
  };
}
