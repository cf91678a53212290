import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { createDocumentId } from "#app/firebase/document-id.ts";
import { ROOM_RECORD, toRecordTime } from "#app/stories/readers/readers.ts";
import { writeDatabase } from "#tests/support/database-values.ts";
import { startApp, toCookieHeader } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";
import { isCached, readNonces, startCachedApp, STORY } from "#tests/support/visitors.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-22T14:05:00Z") });
});

afterEach(() => {
  vi.useRealTimers();
});

/** A page that lists all published stories. */
const STORIES = "/home?type=story";

test("serves a visitor's page from the cache, in another isolate too", async () => {
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
  const nonces = await Promise.all(pages.map(readNonces));

  expect(pages.map(isCached)).toEqual([true, true]);
  expect(new Set(ids).size).toBe(2);
  expect(new Set(nonces.map(({ policy }) => policy)).size).toBe(2);
  for (const { policy, scripts, bare, html } of nonces) {
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
  await edge.visit(STORIES);
  await edge.finish();
  await publishStory(app.firebase.hosts, STORY);
  edge.pass(59_000);
  expect(await edge.read(STORIES)).not.toContain(STORY.title);
  edge.pass(2000);

  const stale = await edge.visit(STORIES);
  await edge.finish();
  const renewed = await edge.visit(STORIES);

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
  await writeDatabase(app, "readers", { one: record, two: record });

  await edge.visit("/home");
  await edge.finish();

  expect(await edge.read("/home")).toContain("people here");
});

test("a page older than two minutes is rendered before it is served", async () => {
  await using app = await startApp();
  const edge = await startCachedApp(app);
  await edge.visit(STORIES);
  await edge.finish();
  await publishStory(app.firebase.hosts, STORY);
  edge.pass(2 * 60_000);

  const response = await edge.visit(STORIES);

  expect(isCached(response)).toBe(false);
  expect(await response.text()).toContain(STORY.title);
});

test("who publishes a story sees it at once, and everybody else within two minutes", async () => {
  await using writer = await startWithWriter();
  const { edge, uid, cookie } = writer;
  const draft = { id: createDocumentId(), uid, title: STORY.title, text: STORY.text };
  const change = (intent: string, revision: string) =>
    edge.visit("/create", { cookie, form: { ...draft, intent, revision } });
  const there = await edge.addDataCentre();
  const everywhere = (path: string) => Promise.all([edge.read(path), there.read(path)]);
  await everywhere(STORIES);

  expect((await change("publish", "0")).status).toBe(303);
  const own = await edge.read(STORIES, { cookie });
  edge.pass(2 * 60_000);
  const path = /\/read\/a-distant-sea-[\w-]+/.exec(own)?.[0] ?? "";
  for (const html of await everywhere(STORIES)) expect(html).toContain(path);
  for (const html of await everywhere(path)) expect(html).toContain(STORY.text);
  await edge.finish();

  await change("unpublish", "1");
  expect(await edge.read(path, { cookie })).not.toContain(STORY.text);
  edge.pass(2 * 60_000);
  for (const html of await everywhere(STORIES)) expect(html).not.toContain(path);
  for (const html of await everywhere(path)) expect(html).not.toContain(STORY.text);
});

test("who sends or deletes a message sees that at once, and everybody else within two minutes", async () => {
  await using writer = await startWithWriter();
  const { edge, uid, cookie } = writer;
  const id = createDocumentId();
  await edge.visit("/home");
  await edge.visit("/home", { cookie });

  const form = { messageId: id, message: "The tide is out" };
  // The browser keeps only the latest cookie of a name, and the library takes the first.
  const readOwn = ({ headers }: Response) =>
    edge.read("/home", { cookie: `${toCookieHeader(headers)}; ${cookie}` });
  expect(await readOwn(await edge.visit("/home", { cookie, form }))).toContain(form.message);
  edge.pass(2 * 60_000);
  expect(await edge.read("/home")).toContain(form.message);
  await edge.finish();

  const path = `/rooms/general/messages/${id}`;
  const deleted = await edge.visit(path, { cookie, form: { intent: "delete", uid } });
  expect(deleted.status).toBe(200);
  expect(await readOwn(deleted)).not.toContain(form.message);
  edge.pass(2 * 60_000);
  expect(await edge.read("/home")).not.toContain(form.message);
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

test("a browser that has the page gets a 304, even when the page is rendered again", async () => {
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

/** Starts the app with a signed-in user. */
async function startWithWriter() {
  const app = await startApp();
  const edge = await startCachedApp(app);
  const writer = await app.firebase.addAccount({ displayName: "Robin Vale" });
  return {
    edge,
    uid: writer.localId,
    cookie: await edge.signIn(writer),
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  };
}

test.each(["match", "body"] as const)(
  "a page is rendered when the cache fails to read it (%s)",
  async (failure) => {
    await using app = await startApp();
    const edge = await startCachedApp(app);
    await edge.visit("/home");
    await edge.finish();
    edge.memory.setFailure(failure);

    const page = await edge.visit("/home");

    expect(page.status).toBe(200);
    expect(isCached(page)).toBe(false);
  },
);
