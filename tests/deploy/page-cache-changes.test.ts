import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { createDocumentId } from "#app/firebase/document-id.ts";
import { recordPageChange, recordRemovedId } from "#app/http/request-record.server.ts";
import type { NewAccount } from "#tests/support/firebase.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { startFaultProxy, type Fault, type FaultRequest } from "#tests/support/fault-proxy.ts";
import { startPageHandler } from "#tests/support/page-handler.ts";
import { startApp } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";
import { isCached, startCachedApp, STORY, STORY_PATH } from "#tests/support/visitors.ts";

const NOTE = "This page is from";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-22T14:05:00Z") });
});

afterEach(() => {
  vi.useRealTimers();
});

test("a story that another isolate unpublishes leaves the lists, although this one read them just before", async () => {
  await using writer = await startWithWriter();
  const { edge } = writer;
  const story = await writer.publish("Brine");
  const other = await edge.addIsolate();
  edge.pass(2000);
  expect(await other.read("/home")).toContain(story.title);
  expect(await other.read(STORY_PATH)).toContain(story.path);
  edge.pass(1500);

  await story.unpublish();
  edge.pass(2500);

  expect(await other.read("/home")).not.toContain(story.title);
  expect(await other.read(STORY_PATH)).not.toContain(story.path);
  await edge.finish();
  edge.pass(50_000);
  expect(await other.read("/home")).not.toContain(story.title);
});

test("a story that another isolate publishes is in the lists, although this one read them just before", async () => {
  await using writer = await startWithWriter();
  const { edge } = writer;
  const other = await edge.addIsolate();
  expect(await other.read("/home")).not.toContain("Brine");
  edge.pass(1500);

  await writer.publish("Brine");
  edge.pass(2500);

  expect(await other.read("/home")).toContain("Brine");
  await edge.finish();
  edge.pass(50_000);
  expect(await other.read("/home")).toContain("Brine");
});

test("the stories of a deleted account leave the lists of its own isolate, including those that other users see", async () => {
  await using writer = await startWithWriter();
  const { edge } = writer;
  await writer.publish("Brine");
  const reader = await edge.signIn(await writer.firebase.addAccount());
  edge.pass(2000);
  expect(await edge.read("/home")).toContain("Brine");

  await writer.deleteAccount();
  expect(await edge.read("/home", { cookie: reader })).not.toContain("Brine");
  edge.pass(2500);

  expect(await edge.read("/home")).not.toContain("Brine");
});

test("while Firestore fails, all pages are served but those that show an edited message", async () => {
  await using writer = await startWithWriter();
  const { edge, uid, cookie } = writer;
  await edge.visit(STORY_PATH);
  await edge.finish();
  edge.pass(10_000);
  const id = createDocumentId();
  await edge.visit("/home", { cookie, form: { messageId: id, message: "The tide is out" } });
  edge.pass(10);
  expect(await edge.read("/home")).toContain("The tide is out");
  expect(await edge.read("/home.data", { headers: { Accept: "*/*" } })).toContain(
    "The tide is out",
  );
  await edge.finish();
  edge.pass(10_000);

  const form = { intent: "edit", text: "The tide is in", uid };
  const edited = await edge.visit(`/rooms/general/messages/${id}`, { cookie, form });
  expect(edited.status).toBe(200);
  edge.pass(2000);
  expectConsoleError();
  writer.setFault("cut");

  const story = await edge.read(STORY_PATH);
  expect(story).toContain(STORY.text);
  expect(story).toContain(NOTE);
  for (const path of ["/home", "/home.data"]) {
    expect(await edge.read(path), path).not.toContain("The tide is out");
  }
});

test("while Firestore fails, nothing of a deleted account is served, and pages without it are", async () => {
  await using writer = await startWithWriter();
  const { edge, cookie, uid } = writer;
  await edge.visit("/home?type=quest");
  await edge.finish();
  const story = await writer.publish("Brine");
  await publishStory(writer.firebase.hosts, {
    ...{ id: "estuary-0123456789", title: "Estuary", text: "Mud.", tags: ["sea"] },
  });
  const other = await edge.signIn(await writer.firebase.addAccount({ displayName: "Ada Marsh" }));
  for (const [sender, message] of [
    [cookie, "The tide is out"],
    [other, `“All of it is salt.”\n${story.path}#p-1\nLovely.`],
  ] as const) {
    edge.pass(10_000);
    const form = { messageId: createDocumentId(), message };
    expect((await edge.visit("/home", { cookie: sender, form })).status).toBe(303);
  }
  edge.pass(10_000);
  const paths = [
    "/home",
    "/home.data",
    "/home?tag=sea",
    "/home?sort=new",
    `/home?writer=${uid}`,
    story.path,
    `${story.path}.data`,
    STORY_PATH,
    "/read/estuary-0123456789",
    "/read/estuary-0123456789.data",
  ];
  for (const path of paths) {
    expect(await edge.read(path), path).toMatch(/Robin Vale|Brine/);
    await edge.finish();
  }
  edge.pass(10_000);

  await writer.deleteAccount();
  edge.pass(2000);
  expectConsoleError();
  writer.setFault("cut");

  for (const path of paths) expect(await edge.read(path), path).not.toMatch(/Robin Vale|Brine/);
  expect(await edge.read("/home?type=quest")).toContain(NOTE);
});

test("after more removals than the list holds, no page from before the first of them is served", async () => {
  const pages = startPageHandler();
  const remove = async (from: number, count: number) => {
    for (let index = from; index < from + count; index += 1) {
      pages.setHandler(() => {
        recordRemovedId(`story-${index}`);
        return new Response(null, { status: 303 });
      });
      await pages.visit("/create", { method: "POST" });
    }
  };
  pages.setHandler(() => pages.createPage("The tide is out"));
  await pages.visit("/home");
  await pages.finish();
  vi.setSystemTime(Date.now() + 10_000);
  const readDuringFailure = async () => {
    pages.setHandler(() => pages.createPage("Something went wrong", 500));
    vi.setSystemTime(Date.now() + 10 * 60_000);
    return (await pages.visit("/home")).text();
  };

  await remove(0, 200);
  expect(await readDuringFailure()).toContain("The tide is out");
  await remove(200, 1);
  expect(await readDuringFailure()).not.toContain("The tide is out");
});

test("what two isolates remove at the same time is removed for both", async () => {
  const one = startPageHandler();
  const other = startPageHandler(one.memory);
  const [path, otherPath] = ["/read/salt", "/read/brine"];
  one.setHandler(() => one.createPage("salt-0123456789"));
  await one.visit(path);
  one.setHandler(() => one.createPage("brine-0123456789"));
  await one.visit(otherPath);
  await one.finish();
  vi.setSystemTime(Date.now() + 10_000);
  for (const [isolate, id] of [
    [one, "salt-0123456789"],
    [other, "brine-0123456789"],
  ] as const) {
    isolate.setHandler(() => {
      recordRemovedId(id);
      return new Response(null, { status: 303 });
    });
  }

  const init = { method: "POST" };
  await Promise.all([one.visit("/create", init), other.visit("/create", init)]);
  for (const isolate of [one, other]) {
    isolate.setHandler(() => isolate.createPage("Something went wrong", 500));
    vi.setSystemTime(Date.now() + 2000);
    await isolate.visit("/home");
  }

  const third = startPageHandler(one.memory);
  third.setHandler(() => third.createPage("Something went wrong", 500));
  for (const removed of [path, otherPath]) {
    expect(await (await third.visit(removed)).text()).toContain("Something went wrong");
  }
});

test("what is removed through one host of the site is on no page of another", async () => {
  const one = startPageHandler();
  const other = "https://www.inkglade.example/read/salt";
  one.setHandler(() => one.createPage("salt-0123456789"));
  for (const address of ["/read/salt", other]) await one.visit(address);
  await one.finish();
  vi.setSystemTime(Date.now() + 10_000);
  one.setHandler(() => {
    recordRemovedId("salt-0123456789");
    return new Response(null, { status: 303 });
  });
  await one.visit("/create", { method: "POST" });

  for (const isolate of [one, startPageHandler(one.memory)]) {
    isolate.setHandler(() => isolate.createPage("Something went wrong", 500));
    expect(await (await isolate.visit(other)).text()).toContain("Something went wrong");
  }
});

test("a removal in another Firebase project does not count", async () => {
  const one = startPageHandler();
  const preview = startPageHandler(one.memory, { FIREBASE_PROJECT_ID: "inkglade-preview" });
  one.setHandler(() => one.createPage("salt-0123456789"));
  await one.visit("/read/salt");
  await one.finish();
  vi.setSystemTime(Date.now() + 10_000);
  preview.setHandler(() => {
    recordRemovedId("salt-0123456789");
    return new Response(null, { status: 303 });
  });
  await preview.visit("/create", { method: "POST" });
  one.setHandler(() => one.createPage("Something went wrong", 500));

  expect(await (await one.visit("/read/salt")).text()).toContain("salt-0123456789");
});

test("while the changes cannot be read, only pages of the last minute are served", async () => {
  await using writer = await startWithWriter();
  const { edge } = writer;
  const story = await writer.publish("Brine");
  edge.pass(2000);
  await edge.visit(story.path);
  await edge.finish();
  await edge.changeIsolate();
  edge.memory.setFailing("page-changes.invalid");

  edge.pass(50_000);
  const fresh = await edge.visit(story.path);
  expect(isCached(fresh)).toBe(true);

  edge.pass(10_000);
  expectConsoleError();
  writer.setFault("cut");
  expect(await edge.read(story.path)).not.toContain(story.text);
});

test("a change is recorded although the browser leaves before the response", async () => {
  const pages = startPageHandler();
  let finish: () => void = () => undefined;
  const saved = new Promise<void>((resolve) => (finish = resolve));
  pages.setHandler(async () => {
    await saved;
    recordPageChange("lists-changed");
    throw new Error("The browser has left");
  });

  const response = pages.visit("/create", { method: "POST" }).catch(() => undefined);
  expect(pages.deferred).toHaveLength(1);
  finish();
  await pages.finish();

  expect(pages.memory.list().map(({ key }) => key)).toEqual([
    expect.stringContaining("lists-changed"),
  ]);
  await response;
});

test("a message whose response was lost appears on the pages of visitors", async () => {
  let isLosingResponses = false;
  await using writer = await startWithWriter(({ url }) =>
    isLosingResponses && url.endsWith(":commit") ? "lost" : "none",
  );
  const { edge, cookie } = writer;
  await edge.visit("/home");
  await edge.finish();
  edge.pass(10_000);

  expectConsoleError();
  isLosingResponses = true;
  const form = { messageId: createDocumentId(), message: "The tide is out" };
  expect((await edge.visit("/home", { cookie, form })).status).toBe(503);

  expect(await edge.read("/home")).toContain("The tide is out");
});

/** Starts the app with a published story, a signed-in writer, and a Firestore that can fail. */
async function startWithWriter(choose?: (request: FaultRequest) => Fault) {
  let fault: Fault = "none";
  const account: NewAccount = { displayName: "Robin Vale" };
  const app = await startApp();
  const proxy = await startFaultProxy(app.env.FIRESTORE_EMULATOR_HOST, choose ?? (() => fault));
  await publishStory(app.firebase.hosts, STORY);
  const edge = await startCachedApp(app, { FIRESTORE_EMULATOR_HOST: proxy.host });
  const writer = await app.firebase.addAccount(account);
  const cookie = await edge.signIn(writer);
  const { localId: uid, email, password: currentPassword } = writer;
  return {
    ...{ firebase: app.firebase, edge, uid, cookie },
    /** Sets what happens to all later requests to Firestore. */
    setFault(next: Fault): void {
      fault = next;
    },
    /** Publishes a story with the form. */
    async publish(title: string) {
      const text = "All of it is salt.";
      const draft = { id: createDocumentId(), uid, title, text, tags: "sea" };
      const send = async (intent: string, revision: string) => {
        const form = { ...draft, intent, revision };
        expect((await edge.visit("/create", { cookie, form })).status).toBe(303);
      };
      await send("publish", "0");
      const page = await edge.read("/home", { cookie });
      const path = new RegExp(`/read/${title.toLowerCase()}-\\d+`).exec(page)?.[0] ?? "";
      expect(path).not.toBe("");
      return { title, text, path, unpublish: () => send("unpublish", "1") };
    },
    async deleteAccount() {
      const form = { intent: "delete-account", email, currentPassword, messages: "delete" };
      expect((await edge.visit("/profile", { cookie, form })).status).toBe(303);
    },
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
    },
  };
}
