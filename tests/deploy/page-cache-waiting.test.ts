import { setImmediate as nextTurn } from "node:timers/promises";

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { recordPageChange } from "#app/http/request-record.server.ts";
import { startPageHandler } from "#tests/support/page-handler.ts";

const VISITORS = 50;
const MAX_WAIT_MS = 2500;
const NOTE = "This page is from";

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["Date", "setTimeout", "clearTimeout"],
    now: new Date("2026-11-22T14:05:00Z"),
  });
});

afterEach(() => {
  vi.useRealTimers();
});

type Pages = ReturnType<typeof startPageHandler>;

test("fifty visitors of a page that takes 2.1 s to render cost two renderings, and wait no longer than for the first", async () => {
  const pages = startPageHandler();
  pages.setHandler(() => after(2100, () => pages.createPage("The tide is out")));

  const visits = await visitAtOnce(pages, "/home");

  expect(pages.renderings).toHaveLength(2);
  expect(getSlowest(visits)).toBeLessThan(2200);
  for (const { response } of visits) expect(await response.text()).toContain("The tide is out");
});

test("fifty visitors of a page that cannot be rendered are told so within 2.5 s, after two attempts", async () => {
  const pages = startPageHandler();
  pages.setHandler(() => after(5000, () => pages.createPage("The tide is out")));
  void pages.visit("/home");
  await pass(10);

  const visits = await visitAtOnce(pages, "/home");

  expect(pages.renderings).toHaveLength(2);
  expect(getSlowest(visits)).toBeLessThanOrEqual(MAX_WAIT_MS);
  for (const { response } of visits) {
    expect(response.status).toBe(503);
    expect(response.headers.get("Retry-After")).toBe("2");
    expect(await response.text()).toContain("Try again in a moment.");
  }
});

test("a script that waits too long for data is told to load the document", async () => {
  const pages = startPageHandler();
  pages.setHandler((_, isDocumentCached) =>
    isDocumentCached
      ? new Response("redirect", { status: 202 })
      : after(5000, () => pages.createPage("The tide is out")),
  );
  void pages.visit("/home.data");
  await pass(10);

  const visits = await visitAtOnce(pages, "/home.data");

  for (const { response } of visits) {
    expect([response.status, await response.text()]).toEqual([202, "redirect"]);
  }
});

test("visitors who wait too long get the page that another isolate has stored meanwhile, with a note", async () => {
  const pages = startPageHandler();
  pages.setHandler(() => new Promise(() => undefined));
  void pages.visit("/home");
  await pass(10);
  const visited = visitAtOnce(pages, "/home");
  const other = startPageHandler(pages.memory);
  other.setHandler(() => other.createPage("The tide is out"));
  await other.visit("/home");
  await other.finish();

  for (const { response } of await visited) {
    const html = await response.text();
    expect(html).toContain("The tide is out");
    expect(html).toContain(NOTE);
  }
});

test.each([
  ["an error", 500, "Something went wrong"],
  ["a page that does not exist", 404, "Not here"],
])("fifty visitors of %s cost one rendering", async (_, status, text) => {
  const pages = startPageHandler();
  pages.setHandler((values) => {
    return after(1500, () => pages.createPage(`${text}, nonce-${values?.nonce}`, status));
  });

  const visits = await visitAtOnce(pages, "/home");
  const texts = await Promise.all(visits.map(({ response }) => response.text()));

  expect(pages.renderings).toHaveLength(1);
  expect(getSlowest(visits)).toBeLessThan(1600);
  expect(new Set(visits.map(({ response }) => response.status))).toEqual(new Set([status]));
  for (const html of texts) expect(html).toContain(text);
  expect(new Set(texts).size).toBe(VISITORS);
  await pages.finish();
  expect(pages.memory.list()).toEqual([]);
});

test("fifty visitors of a redirect cost one rendering", async () => {
  const pages = startPageHandler();
  const headers = { Location: "/read/salt" };
  pages.setHandler(() => after(100, () => new Response(null, { status: 302, headers })));

  const visits = await visitAtOnce(pages, "/home");

  expect(pages.renderings).toHaveLength(1);
  for (const { response } of visits) {
    expect(response.status).toBe(302);
    expect(response.headers.get("Location")).toBe("/read/salt");
  }
});

test("a response with a cookie is for one visitor only", async () => {
  const pages = startPageHandler();
  let count = 0;
  pages.setHandler(() => {
    count += 1;
    const headers = { "Set-Cookie": `seat=${count}` };
    return after(100, () => new Response(null, { status: 302, headers }));
  });

  const visits = await visitAtOnce(pages, "/home");

  const cookies = visits.flatMap(({ response }) => response.headers.getSetCookie());
  expect(cookies).toHaveLength(VISITORS);
  expect(new Set(cookies).size).toBe(VISITORS);
});

test("visitors render a page on their own if two slow responses have cookies", async () => {
  const pages = startPageHandler();
  let count = 0;
  pages.setHandler(() => {
    count += 1;
    const headers = { "Set-Cookie": `seat=${count}` };
    return after(count === 1 ? 2100 : 100, () => new Response(null, { status: 302, headers }));
  });

  const visits = await visitAtOnce(pages, "/home");

  const cookies = visits.flatMap(({ response }) => response.headers.getSetCookie());
  expect(new Set(cookies).size).toBe(VISITORS);
});

test("fifty visitors with an old page wait 1.5 s at most, even after an error, and cost one rendering", async () => {
  const pages = startPageHandler();
  await store(pages, "/home");
  pages.setHandler(() => after(1400, () => pages.createPage("Something went wrong", 500)));
  pages.renderings.length = 0;

  const visits = await visitAtOnce(pages, "/home");

  expect(pages.renderings).toHaveLength(1);
  expect(getSlowest(visits)).toBeLessThan(1500);
  for (const { response } of visits) expect(await response.text()).toContain(NOTE);
});

test("the note does not blame the database for a slow rendering", async () => {
  const pages = startPageHandler();
  await store(pages, "/home");
  pages.setHandler(() => after(2000, () => pages.createPage("The tide is in")));

  for (const { response } of await visitAtOnce(pages, "/home")) {
    const html = await response.text();
    expect(html).toContain("We can&#x27;t show the newest version of this page right now.");
    expect(html).toContain(NOTE);
    expect(html).not.toContain("database");
  }
});

test("a slow rendering that fails does not count once a later one has succeeded", async () => {
  const pages = startPageHandler();
  await store(pages, "/home");
  pages.setHandler(() => after(4000, () => pages.createPage("Something went wrong", 500)));
  const slow = pages.visit("/home");
  await pass(2100);
  expect(await (await slow).text()).toContain(NOTE);

  pages.setHandler(() => pages.createPage("The tide is in"));
  expect(await readRenewed(pages, "The tide is in")).toContain("The tide is in");
  await pass(3000);
  await change(pages);
  pages.setHandler(() => pages.createPage("The tide turns"));

  const html = await (await pages.visit("/home")).text();

  expect(html).toContain("The tide turns");
  expect(html).not.toContain(NOTE);
});

test("a second rendering that fails does not count if the first one succeeds", async () => {
  const pages = startPageHandler();
  pages.setHandler(() => after(2100, () => pages.createPage("The tide is out")));
  const visited = visitAtOnce(pages, "/home");
  await pass(100);
  pages.setHandler(() => after(300, () => pages.createPage("Something went wrong", 500)));
  for (const { response } of await visited) {
    expect(await response.text()).toContain("The tide is out");
  }
  await pass(1000);
  await change(pages);
  pages.setHandler(() => pages.createPage("The tide is in"));

  const html = await (await pages.visit("/home")).text();

  expect(html).toContain("The tide is in");
  expect(html).not.toContain(NOTE);
});

/** Stores a page, and lets time pass until it is old. */
async function store(pages: Pages, path: string): Promise<void> {
  pages.setHandler(() => pages.createPage("The tide is out"));
  await pages.visit(path);
  await pages.finish();
  vi.setSystemTime(Date.now() + 10 * 60_000);
}

async function change(pages: Pages): Promise<void> {
  pages.setHandler(() => {
    recordPageChange("lists-changed");
    return new Response(null, { status: 303 });
  });
  await pages.visit("/create", { method: "POST" });
}

/** Resolves some time later, by the test's clock. */
function after<T>(ms: number, create: () => T): Promise<T> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(create()), ms);
  });
}

/** Lets time pass in small steps, so that pending work continues in between. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 10) {
    await vi.advanceTimersByTimeAsync(10);
    // Renderings compute hashes, which take real time.
    await crypto.subtle.digest("SHA-256", new Uint8Array());
    await nextTurn();
  }
}

/** Opens /home again and again, for a second at most, until it contains a text. */
async function readRenewed(pages: Pages, text: string): Promise<string> {
  let html = "";
  for (let visits = 0; visits < 100 && !html.includes(text); visits += 1) {
    html = await (await pages.visit("/home")).text();
    await pass(10);
  }
  return html;
}

/** Opens a page in fifty browsers, and returns the responses with the time that each took. */
async function visitAtOnce(pages: Pages, path: string) {
  const startedAt = Date.now();
  let waiting = VISITORS;
  const visits = Array.from({ length: VISITORS }, async () => {
    const response = await pages.visit(path);
    waiting -= 1;
    return { response, ms: Date.now() - startedAt };
  });
  while (waiting > 0 && Date.now() - startedAt < 10_000) await pass(10);
  return Promise.all(visits);
}

function getSlowest(visits: { ms: number }[]): number {
  return Math.max(...visits.map(({ ms }) => ms));
}
