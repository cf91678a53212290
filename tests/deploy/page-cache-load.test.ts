import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { createDocumentId } from "#app/firebase/document-id.ts";
import { recordRemovedId } from "#app/http/request-record.server.ts";
import { startFaultProxy } from "#tests/support/fault-proxy.ts";
import { startPageHandler } from "#tests/support/page-handler.ts";
import { startApp } from "#tests/support/routes.ts";
import { startCachedApp } from "#tests/support/visitors.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-22T14:05:00Z") });
});

afterEach(() => {
  vi.useRealTimers();
});

const VISITORS = 50;

/** The list of stories, and the room. */
const CALLS_OF_A_PAGE = 2;

test("fifty visitors at once cost one rendering: of a new page, of an old page, after a message and after a publication", async () => {
  await using app = await startApp();
  await using proxy = await startFaultProxy(app.env.FIRESTORE_EMULATOR_HOST);
  const edge = await startCachedApp(app, { FIRESTORE_EMULATOR_HOST: proxy.host });
  const user = await app.firebase.addAccount();
  const { localId: uid } = user;
  const cookie = await edge.signIn(user);
  await edge.finish();
  const expectOneRendering = async (text: string) => {
    proxy.log.length = 0;
    edge.renderings.length = 0;
    const visits = Array.from({ length: VISITORS }, () => edge.read("/home"));
    for (const html of await Promise.all(visits)) expect(html).toContain(text);
    await edge.finish();
    expect(edge.renderings).toEqual(["/home"]);
    expect(proxy.log.length).toBeLessThanOrEqual(CALLS_OF_A_PAGE);
  };
  const send = async (message: string) => {
    const form = { messageId: createDocumentId(), message };
    expect((await edge.visit("/home", { cookie, form })).status).toBe(303);
  };

  await expectOneRendering("Explore Trending Stories");

  await send("The tide is out");
  edge.pass(5 * 60_000);
  await expectOneRendering("The tide is out");

  edge.pass(6000);
  await send("The tide is in");
  await expectOneRendering("The tide is out");
  expect(await edge.read("/home")).toContain("The tide is in");

  edge.pass(10_000);
  const draft = { id: createDocumentId(), uid, title: "Brine", text: "All of it is salt." };
  const form = { ...draft, intent: "publish", revision: "0" };
  expect((await edge.visit("/create", { cookie, form })).status).toBe(303);
  edge.pass(10);
  await expectOneRendering("Brine");
});

test("visitors who wait for the same page get responses of their own", async () => {
  const pages = startPageHandler();
  pages.setHandler((values) => pages.createPage(`nonce-${values?.nonce}`));

  const responses = await Promise.all(Array.from({ length: 3 }, () => pages.visit("/home")));
  const texts = await Promise.all(responses.map((response) => response.text()));

  expect(pages.renderings).toHaveLength(1);
  expect(new Set(texts).size).toBe(3);
});

test("visitors do not wait long for a page whose first visitor has left", async () => {
  const pages = startPageHandler();
  pages.setHandler(() => new Promise(() => undefined));
  void pages.visit("/home");
  await vi.waitFor(() => expect(pages.renderings).toHaveLength(1));
  pages.setHandler(() => pages.createPage("The tide is out"));

  const startedAt = performance.now();
  const responses = await Promise.all([pages.visit("/home"), pages.visit("/home")]);

  expect(performance.now() - startedAt).toBeLessThan(2500);
  for (const response of responses) expect(await response.text()).toContain("The tide is out");
});

test("a visitor who comes after a removal does not get a page whose rendering began before it", async () => {
  const pages = startPageHandler();
  let finish: () => void = () => undefined;
  const rendered = new Promise<void>((resolve) => (finish = resolve));
  pages.setHandler(async () => {
    await rendered;
    return pages.createPage("All of it is salt");
  });
  const early = pages.visit("/home");
  await vi.waitFor(() => expect(pages.renderings).toHaveLength(1));
  pages.setHandler(() => {
    recordRemovedId("brine-0123456789");
    return new Response(null, { status: 303 });
  });
  await pages.visit("/create", { method: "POST" });
  pages.setHandler(() => pages.createPage("Nothing is left"));

  const late = pages.visit("/home");
  await vi.waitFor(() => expect(pages.renderings).toEqual(["/home", "/create", "/home"]));
  finish();

  expect(await (await late).text()).toContain("Nothing is left");
  expect(await (await early).text()).toContain("All of it is salt");
});
