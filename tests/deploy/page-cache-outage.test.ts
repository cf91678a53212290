import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { createDocumentId } from "#app/firebase/document-id.ts";
import { serializePositions } from "#app/stories/positions/position-cookie.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { deleteDocument } from "#tests/support/documents.ts";
import { startFaultProxy, type Fault } from "#tests/support/fault-proxy.ts";
import { startApp } from "#tests/support/routes.ts";
import { startServer } from "#tests/support/server.ts";
import { publishStory } from "#tests/support/stories.ts";
import { isCached, startCachedApp, STORY, STORY_PATH } from "#tests/support/visitors.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-22T14:05:00Z") });
});

afterEach(() => {
  vi.useRealTimers();
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

test("while Firestore fails, a page is still served after other stories have changed, but not once its story is unpublished", async () => {
  await using failing = await startFailing();
  const { edge } = failing;
  const writer = await failing.firebase.addAccount({ displayName: "Robin Vale" });
  const cookie = await edge.signIn(writer);
  const own = {
    id: createDocumentId(),
    uid: writer.localId,
    title: "Brine",
    text: "All of it is salt.",
  };
  const change = (intent: string, revision: string) =>
    edge.visit("/create", { cookie, form: { ...own, intent, revision } });
  await edge.visit(STORY_PATH);
  edge.pass(10_000);
  expect((await change("publish", "0")).status).toBe(303);
  const path = /\/read\/brine-[\w-]+/.exec(await edge.read("/home"))?.[0] ?? "";
  edge.pass(10_000);
  expect(await edge.read(path)).toContain(own.text);
  await edge.finish();
  edge.pass(10_000);

  expectConsoleError();
  failing.setFault("cut");
  await change("unpublish", "1");
  edge.pass(10 * 60_000);
  for (const [address, text] of [
    [STORY_PATH, STORY.text],
    [path, own.text],
  ] as const) {
    const html = await edge.read(address);
    expect(html).toContain(text);
    expect(html).toContain("This page is from");
  }

  failing.setFault("none");
  await change("unpublish", "1");
  edge.pass(10);
  failing.setFault("cut");
  expect(await edge.read(path)).not.toContain(own.text);
});

test("a story is served within 2.5 s while Firestore never responds", async () => {
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

test("while Firestore fails, users and visitors with other settings get a copy of the story", async () => {
  await using failing = await startFailing();
  const { edge } = failing;
  const cookie = await edge.signIn(await failing.firebase.addAccount({ displayName: "Ana Reyes" }));
  await edge.visit(STORY_PATH);
  await edge.finish();
  edge.pass(3 * 60 * 60_000);
  await edge.changeIsolate();
  expectConsoleError();
  failing.setFault("cut");

  const pages = [
    await edge.read(STORY_PATH, { cookie }),
    await edge.read(STORY_PATH, { cookie: "__Host-theme=dark" }),
  ];

  for (const html of pages) {
    expect(html).toContain(STORY.text);
    expect(html).toContain("so this may not be the newest version of the");
    expect(html).not.toContain("noindex");
  }
  expect(pages[0]).toContain("Ana Reyes");
  expect(pages[0]).toContain("We can&#x27;t load your reading position right now.");
  await edge.finish();
  failing.setFault("none");
  edge.pass(10_000);
  // This page makes only one of its calls, to find out whether Firestore responds again.
  await edge.visit(STORY_PATH, { cookie: "__Host-theme=dark" });
  const recovered = await edge.read(STORY_PATH, { cookie: "__Host-theme=dark" });
  expect(recovered).not.toContain("so this may not be the newest version of the");
});

test.each<Fault>(["none", "lost"])(
  "a copy of a story is not served once the story was unpublished, whatever happens to the response: %s",
  async (fault) => {
    await using failing = await startFailing();
    const { edge } = failing;
    const writer = await failing.firebase.addAccount({ displayName: "Robin Vale" });
    const cookie = await edge.signIn(writer);
    const id = createDocumentId();
    const text = "All of it is salt.";
    const change = (intent: string, revision: string) => {
      const form = { id, uid: writer.localId, title: "Brine", text, intent, revision };
      return edge.visit("/create", { cookie, form });
    };
    await change("publish", "0");
    edge.pass(10_000);
    const path = /\/read\/brine-[\w-]+/.exec(await edge.read("/home"))?.[0] ?? "";
    expect(await edge.read(path)).toContain(text);
    await edge.finish();
    edge.pass(10_000);
    expectConsoleError();
    failing.setFault(fault, ":commit");
    await change("unpublish", "1");

    edge.pass(10);
    failing.setFault("cut");
    expect(await edge.read(path, { cookie: "__Host-theme=dark" })).not.toContain(text);
    expect(await edge.read(path)).not.toContain(text);
  },
);

test("a copy of a story that is found to be deleted is not served again", async () => {
  await using failing = await startFailing();
  const { edge, firebase } = failing;
  await edge.visit(STORY_PATH);
  await edge.finish();
  edge.pass(10 * 60_000);
  await edge.changeIsolate();
  await deleteDocument(firebase.hosts, `stories/${STORY.id}`);
  expect(await edge.read(STORY_PATH, { cookie: "__Host-theme=dark" })).not.toContain(STORY.text);
  await edge.finish();

  expectConsoleError();
  failing.setFault("cut");
  expect(await edge.read(STORY_PATH, { language: "de" })).not.toContain(STORY.text);
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
