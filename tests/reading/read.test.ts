import { expect, onTestFinished, test, vi } from "vitest";

import { getPageHtml } from "#app/reading/page-html.server.ts";
import { action as savePosition } from "#app/routes/reading-position.ts";
import { action as saveInAccount } from "#app/routes/reading-positions.ts";
import { loader } from "#app/routes/read.$id.tsx";
import { loader as bookLoader } from "#app/routes/read.$id[.]epub.ts";
import { loader as markdownLoader } from "#app/routes/read.$id[.]md.ts";
import { loader as textLoader } from "#app/routes/read.$id[.]txt.ts";
import { action as saveSettings } from "#app/routes/reading-settings.ts";
import { action as saveStory } from "#app/routes/saved.ts";
import { builtInStories } from "#app/stories/built-in.server.ts";
import { MAX_STORY_LENGTH } from "#app/writing/draft.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { createMemoryCache } from "#tests/support/memory-cache.ts";
import { startRequestCounter } from "#tests/support/request-counter.ts";
import { signIn, startApp, toCookieHeader, type TestApp } from "#tests/support/routes.ts";
import { makeLongText, publishStory } from "#tests/support/stories.ts";
import { open, ORCHARD, createPosition } from "./reading.ts";

/** Returns the target of the link to the previous or next story. */
async function findAdjacentPath(
  app: TestApp,
  id: string,
  direction: string,
): Promise<string | null> {
  const { headers } = await app.send(loader, `/read/${id}?go=${direction}`, { params: { id } });
  return headers.get("Location");
}

test.each(builtInStories)("opens the story of $title", async ({ id, title, words }) => {
  await using app = await startApp();

  const story = await open(app, id);

  expect(story).toMatchObject({ id, title, words, author: "Inkglade Editors", uid: "inkglade" });
  expect(story?.html).toMatch(/^<section><(p|h2) id="p-/);
});

test.each(["1", "anything", "📖", "the-salt-road", ""])(
  "shows only the placeholder line for %j, which is not published",
  async (id) => {
    await using app = await startApp();

    const response = await app.send(loader, "/read/x", { params: { id } });

    expect(response.status).toBe(200);
    expect(response.data).toMatchObject({ story: null, isUnavailable: false });
  },
);

test("shows a story whose text is missing, and keeps it saved", async () => {
  await using app = await startApp();
  const id = "the-salt-road-0123456789";
  await publishStory(app.firebase.hosts, { id, title: "Salt", text: "One.", isWithoutText: true });
  const cookie = await signIn(app, await app.firebase.addAccount());
  await app.send(saveStory, "/saved", { form: { intent: "save", story: id }, cookie });

  expect(await open(app, id, cookie)).toMatchObject({ title: "Salt", isSaved: true });
  await app.finish();
  expect(await open(app, id, cookie)).toMatchObject({ isSaved: true });
});

test("renders a published story", async () => {
  await using app = await startApp();
  const id = "the-salt-road-0123456789";
  const title = "The Salt Road";
  await publishStory(app.firebase.hosts, {
    id,
    title,
    text: "# One\n\nThe *road* began.\n\n<script>alert(1)</script>",
  });

  const story = await open(app, id);

  expect(story).toMatchObject({ title: "The Salt Road", author: "Ana", isOngoing: false });
  expect(story?.html).toMatch(/>One<\/h2>\s*<p id="p-[^"]+">The <em>road<\/em> began.<\/p>/);
  expect(story?.html).not.toContain("<script");
});

test("says a story's language, and the direction of what has no letters", async () => {
  await using app = await startApp();
  const { hosts } = app.firebase;
  const text = "שלום.\n\n1948\n\nThe road began.";
  const hebrew = { id: "shalom-0123456789", title: "שלום", text };
  const unknown = { ...hebrew, id: "shalom-9876543210" };
  await publishStory(hosts, { ...hebrew, language: "he" });
  await publishStory(hosts, unknown);
  await publishStory(hosts, { ...hebrew, id: "odd-0123456789", language: "klingon" });
  const getDirections = (html: unknown) => [
    ...String(html).matchAll(/<p id="[^"]+"(?: dir="(\w+)")?>/g),
  ];

  const story = await open(app, hebrew.id);
  expect(story).toMatchObject({ language: "he" });
  expect(getDirections(story?.html).map(([, dir]) => dir)).toEqual([undefined, undefined, "ltr"]);
  const other = await open(app, unknown.id);
  expect(other?.language).toBeUndefined();
  expect(getDirections(other?.html).map(([, dir]) => dir)).toEqual(["rtl", undefined, undefined]);
  expect((await open(app, "odd-0123456789"))?.language).toBeUndefined();
  expect(await open(app, ORCHARD)).toMatchObject({ language: "en" });
});

test("shows and downloads every published story, however odd its Markdown", async () => {
  await using app = await startApp();
  const id = "the-salt-road-0123456789";
  const text = `The road began.\n\n${">".repeat(3000)} deep`;
  await publishStory(app.firebase.hosts, { id, title: "The Salt Road", text });
  const params = { id };

  expect((await open(app, id))?.html).toMatch(/began\.\n\n(&gt;|>)+<\/p>/);
  const markdown = await app.send(markdownLoader, `/read/${id}.md`, { params });
  expect(await (markdown as Response).text()).toContain(text);
  const words = await app.send(textLoader, `/read/${id}.txt`, { params });
  expect(await (words as Response).text()).toContain(text);
});

test("makes three requests for a story of any length, and one for the session", async () => {
  await using app = await startApp();
  using counter = startRequestCounter();
  const id = "the-salt-road-0123456789";
  const text = makeLongText(MAX_STORY_LENGTH - 1000);
  await publishStory(app.firebase.hosts, { id, title: "The Salt Road", text });
  const cookie = await signIn(app, await app.firebase.addAccount());
  const form = {
    position: JSON.stringify(createPosition({ story: id, percent: 60, time: Date.now() })),
  };
  await app.send(saveInAccount, "/reading-positions", { form, cookie });
  const { FIREBASE_AUTH_EMULATOR_HOST, FIRESTORE_EMULATOR_HOST } = app.firebase.hosts;
  const counted = app.withVariables({
    FIREBASE_AUTH_EMULATOR_HOST: await counter.proxy(FIREBASE_AUTH_EMULATOR_HOST),
    FIRESTORE_EMULATOR_HOST: await counter.proxy(FIRESTORE_EMULATOR_HOST),
  });

  const story = await open(counted, id, cookie);

  expect(story).toMatchObject({ title: "The Salt Road", position: { percent: 60 } });
  expect(counter.count()).toBe(3 + 1);
  await open(counted, id);
  expect(counter.count()).toBe(3 + 1 + 3);
});

test("reports a story that cannot be loaded, and shows the rest of the page", async () => {
  expectConsoleError();
  await using app = await startApp({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });
  const params = { id: "the-salt-road-0123456789" };

  const page = await app.send(loader, `/read/${params.id}`, { params });
  expect(page).toMatchObject({ status: 200, data: { story: null, isUnavailable: true } });
  const builtIn = await app.send(loader, `/read/${ORCHARD}`, { params: { id: ORCHARD } });
  expect(builtIn).toMatchObject({ data: { story: { id: ORCHARD }, isUnavailable: false } });

  const file = await app.send(textLoader, `/read/${params.id}.txt`, { params });
  expect(file.status).toBe(503);
  const form = { story: params.id, paragraph: "p-1" };
  expect(await app.send(savePosition, "/reading-position", { form })).toMatchObject({
    status: 503,
  });
});

test("reports a next story that cannot be loaded", async () => {
  expectConsoleError();
  await using app = await startApp({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });

  for (const id of ["the-winter-interpreter", "the-salt-road-0123456789"]) {
    const response = await app.send(loader, `/read/${id}?go=next`, { params: { id } });
    expect(response).toMatchObject({
      status: 503,
      data: { message: expect.stringContaining("We can't find the next story right now.") },
    });
  }
});

test("shows only the placeholder line with READER=placeholder", async () => {
  await using app = await startApp({ READER: "placeholder" });

  expect(await open(app, ORCHARD)).toBeNull();
  const params = { id: ORCHARD };
  const file = await app.send(textLoader, `/read/${ORCHARD}.txt`, { params });
  expect(await (file as Response).text()).toBe("reading-page works!\n");
});

test("sends the text once: in the page, not in its data", async () => {
  await using app = await startApp();
  const request = new Request(`http://localhost/read/${ORCHARD}`);
  const context = app.contextFor(request);

  const result = await loader({ request, params: { id: ORCHARD }, context });

  expect(JSON.stringify(result)).not.toContain("There were four hundred lamps");
  expect(getPageHtml(context)?.text).toContain("four hundred lamps");
});

test("links to the previous and next story", async () => {
  await using app = await startApp();

  const getEnd = async (id: string) => {
    const request = new Request(`http://localhost/read/${id}`);
    const context = app.contextFor(request);
    await loader({ request, params: { id }, context });
    return getPageHtml(context)?.end;
  };

  const first = await getEnd(ORCHARD);
  expect(first).toContain('href="/read/salt-for-the-clockmaker"');
  expect(first).not.toContain('rel="prev"');
  const last = await getEnd("the-winter-interpreter");
  expect(last).toContain('href="/read/the-ministry-of-quiet-machines"');
  expect(last).toContain('href="/read/the-winter-interpreter?go=next"');
});

test("goes from the built-in to published stories, newest first, and then to the dashboard", async () => {
  await using app = await startApp();
  // More precise than JavaScript's times.
  const times = {
    "old-0000000001": "2026-03-01T00:00:00.123456Z",
    "two-0000000002": "2026-03-02T00:00:00.123455Z",
    "mid-0000000003": "2026-03-02T00:00:00.123456Z",
    "new-0000000004": "2026-03-02T00:00:00.123456Z",
  };
  for (const [id, publishedAt] of Object.entries(times)) {
    await publishStory(app.firebase.hosts, { id, title: id, text: "One.", publishedAt });
  }
  const order = ["the-winter-interpreter", ...Object.keys(times).toReversed()];

  for (const [index, id] of order.entries()) {
    const next = order[index + 1];
    expect(await findAdjacentPath(app, id, "next")).toBe(next ? `/read/${next}` : "/home");
    if (next) expect(await findAdjacentPath(app, next, "previous")).toBe(`/read/${id}`);
  }
});

test("goes to the dashboard if there are no published stories", async () => {
  await using app = await startApp();

  expect(await findAdjacentPath(app, "the-winter-interpreter", "next")).toBe("/home");
  expect(await findAdjacentPath(app, "gone-0000000001", "next")).toBe("/home");
  expect(await findAdjacentPath(app, "nothing", "previous")).toBeNull();
  expect(await findAdjacentPath(app, ORCHARD, "next")).toBe("/read/salt-for-the-clockmaker");
});

test("downloads a story as Markdown and as plain text", async () => {
  await using app = await startApp();
  const params = { id: ORCHARD };

  const markdown = await app.send(markdownLoader, `/read/${ORCHARD}.md`, { params });
  const text = await app.send(textLoader, `/read/${ORCHARD}.txt`, { params });

  expect(markdown.headers.get("Content-Type")).toBe("text/markdown; charset=utf-8");
  expect(markdown.headers.get("Content-Disposition")).toBe(
    'attachment; filename="the-lamplighters-orchard.md"',
  );
  const words = await (markdown as Response).text();
  expect(words).toMatch(/^# The Lamplighter's Orchard\n\n\*Inkglade Editors\*\n\nThere were/);
  expect(words).toContain("*Light them before they ask.*");
  expect(await (text as Response).text()).toContain("shed door: Light them before they ask.");
});

test.each([
  ["md", markdownLoader],
  ["txt", textLoader],
  ["epub", bookLoader],
])("HEAD of a story's %s file has its headers, and makes no file", async (type, fileLoader) => {
  await using app = await startApp();
  const url = `http://localhost/read/${ORCHARD}.${type}`;
  const request = new Request(url, { method: "HEAD" });
  const context = app.contextFor(request);

  const { headers, body } = await fileLoader({ request, context, params: { id: ORCHARD } });

  expect(headers.get("Content-Disposition")).toContain(`${ORCHARD}.${type}`);
  expect(body).toBeNull();
});

test.each([
  ["md", markdownLoader],
  ["txt", textLoader],
])("a data centre makes the %s file of a text once", async (type, fileLoader) => {
  await using app = await startApp();
  const memory = stubEdgeCache();
  const params = { id: "the-salt-road-0123456789" };
  const story = { id: params.id, title: "The Salt Road" };
  const download = async () => {
    const response = await app.send(fileLoader, `/read/${params.id}.${type}`, { params });
    return (response as Response).text();
  };
  await publishStory(app.firebase.hosts, { ...story, text: "The road began." });
  expect(await download()).toContain("The road began.");
  for (const { key } of memory.list()) {
    await memory.cache.put(key, new Response("From the cache."));
  }

  expect(await download()).toContain("From the cache.");
  await publishStory(app.firebase.hosts, { ...story, text: "It went on." });
  expect(await download()).toContain("It went on.");
  expect(memory.list()).toHaveLength(2);
});

/** Replaces Cloudflare's cache by one in memory until the end of the test. */
function stubEdgeCache() {
  const memory = createMemoryCache();
  class EdgeCache {
    match = memory.cache.match;
    put = memory.cache.put;
  }
  vi.stubGlobal("Cache", EdgeCache);
  vi.stubGlobal("caches", { default: new EdgeCache() });
  onTestFinished(() => void vi.unstubAllGlobals());
  return memory;
}

test("saves the settings and redirects to the story", async () => {
  await using app = await startApp();
  const form = { paper: "sepia", size: "22", line: "3", returnTo: `/read/${ORCHARD}` };

  const response = await app.send(saveSettings, "/reading-settings", { form });

  expect(response.status).toBe(303);
  expect(response.headers.get("Location")).toBe(`/read/${ORCHARD}`);
  const story = await open(app, ORCHARD, toCookieHeader(response.headers));
  expect(story?.settings).toMatchObject({
    paper: "sepia",
    size: "22",
    line: "1.72",
    font: "literata",
  });
});

test.each(["reading=nonsense", "reading=paper%3Dplaid%26size%3D400", "reading=%E0%A4%A", ""])(
  "uses the initial settings for the cookie %j",
  async (cookie) => {
    await using app = await startApp();

    expect((await open(app, ORCHARD, cookie))?.settings).toMatchObject({
      paper: "same",
      size: "19",
    });
  },
);
