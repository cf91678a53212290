import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { createDocumentId } from "#app/firebase/document-id.ts";
import { serializePositions } from "#app/stories/positions/position-cookie.ts";
import { ROOM_RECORD, toRecordTime } from "#app/stories/readers/readers.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { startFaultProxy, type Fault } from "#tests/support/fault-proxy.ts";
import type { TestFirebase } from "#tests/support/firebase.ts";
import { startApp, toCookieHeader } from "#tests/support/routes.ts";
import { startServer } from "#tests/support/server.ts";
import { publishStory } from "#tests/support/stories.ts";
import { isCached, readNonces, startCachedApp } from "#tests/support/visitors.ts";

const STORY = {
  id: "a-distant-sea-0123456789",
  title: "A Distant Sea",
  text: "The sea kept its distance.",
};
const STORY_PATH = `/read/${STORY.id}`;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-22T14:05:00Z") });
});

afterEach(() => {
  vi.useRealTimers();
});

test("serves a visitor's page from the cache, also in another isolate", async () => {
  await using app = await startApp();
  const edge = await startCachedApp(app);

  const first = await edge.visit("/home");
  await edge.finish();
  const second = await edge.visit("/home");
  await edge.changeIsolate();
  const third = await edge.visit("/home");

  expect([first, second, third].map(isCached)).toEqual([false, true, true]);
  expect([first, second, third].map(({ status }) => status)).toEqual([200, 200, 200]);
  const [a, b] = [await second.text(), await third.text()];
  expect(a).toContain("Explore Trending Stories");
  expect(b.length).toBe(a.length);
});

test("every response has its own nonce, message id and request id, and a valid policy", async () => {
  await using app = await startApp();
  const edge = await startCachedApp(app);
  await edge.visit("/home");

  const pages = [await edge.visit("/home"), await edge.visit("/home")];
  const ids = pages.map(({ headers }) => headers.get("X-Request-Id"));
  const read = await Promise.all(pages.map(readNonces));

  expect(pages.map(isCached)).toEqual([true, true]);
  expect(new Set(ids).size).toBe(2);
  expect(new Set(read.map(({ policy }) => policy)).size).toBe(2);
  for (const { policy, scripts, bare, html } of read) {
    expect(policy).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[\da-f-]{17}$/);
    expect(scripts.length).toBeGreaterThan(2);
    expect(new Set(scripts)).toEqual(new Set([policy]));
    expect(bare).toEqual([]);
    expect(html).not.toMatch(/0{8}-0{4}|1{8}-1{4}/);
  }
});

test("an older page is served while a new one is rendered", async () => {
  await using app = await startApp();
  const edge = await startCachedApp(app);
  await edge.visit("/home");
  await edge.finish();
  await publishStory(app.firebase.hosts, STORY);
  edge.pass(59_000);
  expect(await edge.read("/home")).not.toContain(STORY.title);
  edge.pass(2000);

  const stale = await edge.visit("/home");
  await edge.finish();
  const renewed = await edge.visit("/home");

  expect([stale, renewed].map(isCached)).toEqual([true, true]);
  expect(await stale.text()).not.toContain(STORY.title);
  expect(await renewed.text()).toContain(STORY.title);
});

test("a renewed page shows how many people are in the room now", async () => {
  await using app = await startApp();
  const edge = await startCachedApp(app);
  expect(await edge.read("/home")).not.toContain("people here");
  await edge.finish();
  edge.pass(61_000);
  const record = { story: ROOM_RECORD, time: toRecordTime(Date.now()) };
  await setReaders(app.firebase, { one: record, two: record });

  await edge.visit("/home");
  await edge.finish();

  expect(await edge.read("/home")).toContain("people here");
});

test("a page older than five minutes is rendered before it is served", async () => {
  await using app = await startApp();
  const edge = await startCachedApp(app);
  await edge.visit("/home");
  await edge.finish();
  await publishStory(app.firebase.hosts, STORY);
  edge.pass(5 * 60_000);

  const response = await edge.visit("/home");

  expect(isCached(response)).toBe(false);
  expect(await response.text()).toContain(STORY.title);
});

test.each<Fault>(["error", "cut"])(
  "while Firestore fails (%s), the whole story of hours ago is served with a note, and later without",
  async (fault) => {
    await using failing = await startFailing();
    const { edge } = failing;
    await edge.visit(STORY_PATH, { zone: "Asia/Tokyo" });
    await edge.finish();
    edge.pass(3 * 60 * 60_000);

    expectConsoleError();
    failing.setFault(fault);
    const startedAt = performance.now();
    const response = await edge.visit(STORY_PATH, { zone: "Asia/Tokyo" });
    const html = await response.text();

    expect(performance.now() - startedAt).toBeLessThan(2500);
    expect(response.status).toBe(200);
    expect(isCached(response)).toBe(true);
    expect(html).toContain(STORY.text);
    expect(html).not.toContain("noindex");
    expect(html).toContain("We can&#x27;t reach our database right now. This page is from");
    expect(html).toContain('<time dateTime="2026-11-22T14:05:00.000Z">Nov 22, 2026, 11:05');
    expect(response.headers.has("ETag")).toBe(false);

    failing.setFault("none");
    await edge.visit(STORY_PATH, { zone: "Asia/Tokyo" });
    await edge.finish();
    const recovered = await edge.read(STORY_PATH, { zone: "Asia/Tokyo" });
    expect(recovered).toContain(STORY.text);
    expect(recovered).not.toContain("We can&#x27;t reach our database");
  },
);

test("a story is served within 2.5 s while Firestore never answers", async () => {
  await using app = await startApp();
  await publishStory(app.firebase.hosts, STORY);
  const edge = await startCachedApp(app);
  await edge.visit(STORY_PATH);
  await edge.finish();
  await using silent = await startServer(() => undefined);
  await edge.changeIsolate({ FIRESTORE_EMULATOR_HOST: silent.host });
  edge.pass(60 * 60_000);

  expectConsoleError();
  const startedAt = performance.now();
  const first = await edge.read(STORY_PATH);
  const firstMs = performance.now() - startedAt;
  const second = await edge.read(STORY_PATH);
  const secondMs = performance.now() - startedAt - firstMs;
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
  edge.pass(60 * 60_000);
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

test("while Firestore fails, a browser with stories in progress gets the shared page, but not of such a story", async () => {
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
  const signedIn = await edge.read(STORY_PATH, { cookie: "__Host-session=x" });

  expect(other).toContain(STORY.text);
  expect(other).toContain("This page is from");
  expect(inProgress).toContain("noindex");
  expect(signedIn).toContain("noindex");
});

test("publishing and withdrawing a story change the pages of visitors at once", async () => {
  await using writer = await startWithWriter();
  const { edge, uid, cookie } = writer;
  const id = createDocumentId();
  const draft = { id, uid, title: STORY.title, text: STORY.text };
  expect(await edge.read("/home")).not.toContain(STORY.title);

  const form = { ...draft, intent: "publish", revision: "0" };
  const published = await edge.visit("/create", { cookie, form });
  expect(published.status).toBe(303);
  const home = await edge.read("/home");
  expect(home).toContain(STORY.title);
  const path = /\/read\/a-distant-sea-[\w-]+/.exec(home)?.[0] ?? "";
  expect(await edge.read(path)).toContain(STORY.text);

  edge.pass(10);
  await edge.visit("/create", { cookie, form: { ...draft, intent: "unpublish", revision: "1" } });
  expect(await edge.read(path)).not.toContain(STORY.text);
  expect(await edge.read("/home")).not.toContain(STORY.title);
});

test("a message appears at once on pages older than five seconds, and a deleted one nowhere", async () => {
  await using writer = await startWithWriter();
  const { edge, uid, cookie } = writer;
  await edge.visit("/home");
  edge.pass(6000);
  const id = createDocumentId();

  await edge.visit("/home", { cookie, form: { messageId: id, message: "The tide is out" } });
  expect(await edge.read("/home")).toContain("The tide is out");

  edge.pass(10);
  const form = { intent: "delete", uid };
  const deleted = await edge.visit(`/rooms/general/messages/${id}`, { cookie, form });
  expect(deleted.status).toBe(200);
  expect(await edge.read("/home")).not.toContain("The tide is out");
});

test("a change is seen by another isolate of the data centre within a second", async () => {
  await using writer = await startWithWriter();
  const { edge, uid, cookie } = writer;
  await edge.visit("/home");
  await edge.finish();
  const id = createDocumentId();
  const form = { id, uid, title: STORY.title, text: STORY.text, intent: "publish" };
  edge.pass(10);

  await edge.visit("/create", { cookie, form: { ...form, revision: "0" } });
  await edge.changeIsolate();

  expect(await edge.read("/home")).toContain(STORY.title);
});

test("a story opened from the cache is remembered for the next suggestion", async () => {
  await using app = await startApp();
  const edge = await startCachedApp(app);
  await edge.visit("/read/what-the-heron-keeps");

  const response = await edge.visit("/read/what-the-heron-keeps");
  const [cookie = ""] = response.headers.getSetCookie();
  const again = await edge.visit("/read/what-the-heron-keeps", { cookie: cookie.split(";")[0] });

  expect(isCached(response)).toBe(true);
  expect(cookie).toMatch(/^__Host-recent=%5B%22what-the-heron-keeps%22%5D;/);
  expect(isCached(again)).toBe(true);
  expect(again.headers.getSetCookie()).toEqual([]);
});

test("a browser that has the page gets a 304 without a policy, also when the page is rendered again", async () => {
  await using app = await startApp();
  const edge = await startCachedApp(app);
  const { headers } = await edge.visit("/home");
  const asked = { "If-None-Match": headers.get("ETag") ?? "" };

  const unchanged = await edge.visit("/home", { headers: asked });
  edge.pass(5 * 60_000);
  const rendered = await edge.visit("/home", { headers: asked });
  const other = await edge.visit("/home", { headers: { "If-None-Match": 'W/"other"' } });

  expect(unchanged.status).toBe(304);
  expect(unchanged.headers.get("ETag")).toBe(headers.get("ETag"));
  expect(unchanged.headers.get("Cache-Control")).toBe("private, no-cache");
  expect(unchanged.headers.has("Content-Security-Policy")).toBe(false);
  expect(await unchanged.text()).toBe("");
  expect(rendered.status).toBe(304);
  expect(other.status).toBe(200);
});

test("the page of a signed-in user has an ETag too, which differs after signing out", async () => {
  await using writer = await startWithWriter();
  const { edge, cookie } = writer;

  for (const path of ["/home", "/profile", "/read/what-the-heron-keeps"]) {
    const options = { cookie: `${cookie}; __Host-recent=%5B%22what-the-heron-keeps%22%5D` };
    // The first page may contain data that is loaded only once.
    await edge.visit(path, options);
    const { headers } = await edge.visit(path, options);
    const asked = { "If-None-Match": headers.get("ETag") ?? "" };
    edge.pass(1000);

    const unchanged = await edge.visit(path, { ...options, headers: asked });
    const signedOut = await edge.visit(path, { headers: asked });

    expect(unchanged.status, path).toBe(304);
    expect(unchanged.headers.has("Content-Security-Policy")).toBe(false);
    expect(signedOut.status, path).not.toBe(304);
    expect(await signedOut.text()).not.toContain("Robin Vale");
  }
});

test("a HEAD request gets the headers of the page, and no body", async () => {
  await using app = await startApp();
  const edge = await startCachedApp(app);
  await edge.visit("/home");

  const page = await edge.visit("/home");
  const head = await edge.visit("/home", { method: "HEAD" });

  expect(head.status).toBe(200);
  expect(head.headers.get("ETag")).toBe(page.headers.get("ETag"));
  expect(await head.text()).toBe("");
});

/** Sets the readers' records, bypassing the rules. */
async function setReaders({ hosts, projectId }: TestFirebase, records: object): Promise<void> {
  const url = `http://${hosts.FIREBASE_DATABASE_EMULATOR_HOST}/readers.json?ns=${projectId}-default-rtdb`;
  const headers = { Authorization: "Bearer owner" };
  const { ok } = await fetch(url, { method: "PUT", headers, body: JSON.stringify(records) });
  expect(ok).toBe(true);
}

/** Starts the app with a published story and a Firestore that can fail. */
async function startFailing() {
  let fault: Fault = "none";
  const app = await startApp();
  const proxy = await startFaultProxy(app.env.FIRESTORE_EMULATOR_HOST, () => fault);
  await publishStory(app.firebase.hosts, STORY);
  return {
    edge: await startCachedApp(app, { FIRESTORE_EMULATOR_HOST: proxy.host }),
    /** Sets what happens to all later requests to Firestore. */
    setFault(next: Fault): void {
      fault = next;
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
    },
  };
}

/** Starts the app with a signed-in user. */
async function startWithWriter() {
  const app = await startApp();
  const { localId, email, password } = await app.firebase.addAccount({ displayName: "Robin Vale" });
  const edge = await startCachedApp(app);
  const { headers } = await edge.visit("/login", { form: { email, password } });
  return {
    edge,
    uid: localId,
    cookie: toCookieHeader(headers),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}
