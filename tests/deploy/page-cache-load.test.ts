import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { startFaultProxy } from "#tests/support/fault-proxy.ts";
import { startPageHandler } from "#tests/support/page-handler.ts";
import { startApp } from "#tests/support/routes.ts";
import { startCachedApp } from "#tests/support/visitors.ts";
import { startWaitedTime } from "#tests/support/waited-time.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-22T14:05:00Z") });
});

afterEach(() => {
  vi.useRealTimers();
});

const VISITORS = 50;

/** The list of stories, and the room. */
const CALLS_OF_A_PAGE = 2;

test("fifty visitors at once cost one rendering, of a new page and of an old one", async () => {
  await using app = await startApp();
  await using proxy = await startFaultProxy(app.env.FIRESTORE_EMULATOR_HOST);
  const edge = await startCachedApp(app, { FIRESTORE_EMULATOR_HOST: proxy.host });
  const expectOneRendering = async () => {
    proxy.log.length = 0;
    edge.renderings.length = 0;
    const visits = Array.from({ length: VISITORS }, () => edge.read("/home"));
    for (const html of await Promise.all(visits)) expect(html).toContain("Trending Stories");
    await edge.finish();
    expect(edge.renderings).toEqual(["/home"]);
    expect(proxy.log.length).toBeLessThanOrEqual(CALLS_OF_A_PAGE);
  };

  await expectOneRendering();
  edge.pass(90_000);
  await expectOneRendering();
  edge.pass(10 * 60_000);
  await expectOneRendering();
});

test("visitors who wait for the same page get responses of their own", async () => {
  const pages = startPageHandler();
  pages.setHandler((values) => pages.createPage(`nonce-${values?.nonce}`));

  const responses = await visitAtOnce(pages);
  const texts = await Promise.all(responses.map((response) => response.text()));

  expect(pages.renderings).toHaveLength(1);
  expect(new Set(texts).size).toBe(VISITORS);
});

test("a response with a cookie is for one visitor only", async () => {
  const pages = startPageHandler();
  pages.setHandler(() => {
    const headers = { "Set-Cookie": `seat=${pages.renderings.length}` };
    return new Response(null, { status: 302, headers });
  });

  const responses = await visitAtOnce(pages);

  const cookies = responses.flatMap(({ headers }) => headers.getSetCookie());
  expect(new Set(cookies).size).toBe(VISITORS);
});

test("nobody waits for a page whose first visitor has left", async () => {
  vi.useRealTimers();
  const pages = startPageHandler();
  pages.setHandler(() => new Promise(() => undefined));
  void pages.visit("/home");
  await vi.waitFor(() => expect(pages.renderings).toHaveLength(1));
  pages.setHandler(() => pages.createPage("The tide is out"));

  const getWaitedMs = startWaitedTime();
  const responses = await visitAtOnce(pages);

  expect(getWaitedMs()).toBeLessThan(2500);
  for (const response of responses) expect(await response.text()).toContain("The tide is out");
});

test("fifty visitors of an old page wait 1.5 s for a new one, then get the old one with a note", async () => {
  vi.useRealTimers();
  const now = Date.now.bind(Date);
  const pages = startPageHandler();
  pages.setHandler(() => pages.createPage("The tide is out"));
  await pages.visit("/home");
  await pages.finish();
  using _clock = vi.spyOn(Date, "now").mockImplementation(() => now() + 10 * 60_000);
  pages.setHandler(() => new Promise(() => undefined));

  const getWaitedMs = startWaitedTime();
  const responses = await visitAtOnce(pages);

  expect(getWaitedMs()).toBeLessThan(2000);
  expect(pages.renderings).toHaveLength(2);
  for (const response of responses) {
    const html = await response.text();
    expect(html).toContain("The tide is out");
    expect(html).toContain("We can&#x27;t show the newest version of this page right now.");
  }
});

function visitAtOnce(pages: ReturnType<typeof startPageHandler>): Promise<Response[]> {
  return Promise.all(Array.from({ length: VISITORS }, () => pages.visit("/home")));
}
