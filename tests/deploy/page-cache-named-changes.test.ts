import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { createDocumentId } from "#app/firebase/document-id.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { startFaultProxy, type Fault } from "#tests/support/fault-proxy.ts";
import { startApp } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";
import { isCached, startCachedApp, STORY, STORY_PATH } from "#tests/support/visitors.ts";

const BRINE = { id: createDocumentId(), title: "Brine", text: "All of it is salt." };
const ABOUT = "Ghosts with good manners.";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-22T14:05:00Z") });
});

afterEach(() => {
  vi.useRealTimers();
});

test("after a new story, visitors wait for lists, and not for the pages of other stories", async () => {
  await using writer = await startWithWriter();
  const { edge } = writer;
  const paths = ["/home", "/home?tag=sea", STORY_PATH];
  await writer.store(paths);

  await writer.publish({ ...BRINE, revision: "0" });

  const pages = await Promise.all(paths.map((path) => edge.visit(path)));
  expect(pages.map(isCached)).toEqual([false, false, true]);
  expect(await pages[1]?.text()).toContain(BRINE.title);
});

test("after a change of a story, visitors wait for the pages that name it", async () => {
  await using writer = await startWithWriter();
  const { edge } = writer;
  await writer.publish({ ...BRINE, revision: "0" });
  const path = /\/read\/brine-\d+/.exec(await edge.read("/home"))?.[0] ?? "";
  expect(path).not.toBe("");
  const paths = ["/home", path];
  await writer.store(paths);

  const text = "All of it is sand.";
  await writer.publish({ ...BRINE, text, revision: "1" });

  expect(isCached(await edge.visit("/home"))).toBe(false);
  expect(await edge.read(path)).toContain(text);
});

test("after a name is saved, visitors wait for no page, because none shows it", async () => {
  await using writer = await startWithWriter();
  const { edge, uid } = writer;
  await writer.send("Hello from Robin");
  edge.pass(2000);
  const paths = ["/home", `/home?writer=${uid}`, STORY_PATH];
  await writer.store(paths);
  const before = edge.memory.list();

  await writer.save({ intent: "save-profile", displayName: "Robin Marsh" });
  edge.pass(2000);

  expect(edge.memory.list()).toEqual(before);
  for (const path of paths) expect(isCached(await edge.visit(path)), path).toBe(true);
  expect(await writer.readUncached(`/home?writer=${uid}`)).not.toContain("Robin Marsh");
});

test("after an About line is saved, visitors wait only for pages that name its writer, and for none if the line is the same", async () => {
  await using writer = await startWithWriter();
  const { edge, uid } = writer;
  const path = `/home?writer=${uid}`;
  await writer.store([path, STORY_PATH]);

  await writer.save({ intent: "save-about", about: ABOUT });
  edge.pass(2000);
  const [own, other] = [await edge.visit(path), await edge.visit(STORY_PATH)];

  expect([own, other].map(isCached)).toEqual([false, true]);
  expect(await own.text()).toContain(ABOUT);

  await edge.finish();
  const before = edge.memory.list();
  await writer.save({ intent: "save-about", about: ABOUT });
  expect(edge.memory.list()).toEqual(before);
});

test("a line about a writer is on their page although the response was lost", async () => {
  let fault: Fault = "none";
  await using writer = await startWithWriter(({ url }) =>
    url.endsWith(":commit") ? fault : "none",
  );
  const { edge, uid } = writer;
  const path = `/home?writer=${uid}`;
  await writer.store([path]);

  expectConsoleError();
  fault = "lost";
  await writer.save({ intent: "save-about", about: ABOUT }, 503);
  edge.pass(2000);

  expect(await edge.read(path)).toContain(ABOUT);
});

test("a story's page stops counting a deleted quote, even one that the room no longer shows", async () => {
  await using writer = await startWithWriter();
  const { edge, uid, cookie } = writer;
  const paragraph = / id="(p-\w+)"/.exec(await edge.read(STORY_PATH))?.[1] ?? "";
  const id = await writer.send(`“${STORY.text}”\n${STORY_PATH}#${paragraph}\nLovely.`);
  await writer.fillRoom();
  edge.pass(10_000);
  const before = await edge.read(STORY_PATH);
  expect(before).toContain("1 message quotes this story.");
  expect(before).not.toContain(id);
  await writer.store([STORY_PATH]);

  const form = { intent: "delete", uid };
  const path = `/rooms/general/messages/${id}`;
  expect((await edge.visit(path, { cookie, form })).status).toBe(200);
  edge.pass(2000);

  expect(await edge.read(STORY_PATH)).not.toContain("1 message quotes this story.");
});

/** Starts the app with a published story, a signed-in writer, and a Firestore that can fail. */
async function startWithWriter(choose: Parameters<typeof startFaultProxy>[1] = () => "none") {
  const app = await startApp();
  const proxy = await startFaultProxy(app.env.FIRESTORE_EMULATOR_HOST, choose);
  await publishStory(app.firebase.hosts, STORY);
  const edge = await startCachedApp(app, { FIRESTORE_EMULATOR_HOST: proxy.host });
  const account = await app.firebase.addAccount({ displayName: "Robin Vale" });
  const { localId: uid } = account;
  const cookie = await edge.signIn(account);
  return {
    ...{ edge, uid, cookie },
    /** Opens pages, so that they are stored, and lets some time pass. */
    async store(paths: readonly string[]): Promise<void> {
      for (const path of paths) await edge.visit(path);
      await edge.finish();
      edge.pass(10_000);
    },
    async publish(story: Record<"id" | "title" | "text" | "revision", string>): Promise<void> {
      const form = { ...story, uid, tags: "sea", intent: "publish" };
      expect((await edge.visit("/create", { cookie, form })).status).toBe(303);
      edge.pass(2000);
    },
    /** Sends a message, and returns its id. */
    async send(message: string): Promise<string> {
      const messageId = createDocumentId();
      const form = { messageId, message };
      expect((await edge.visit("/home", { cookie, form })).status).toBe(303);
      return messageId;
    },
    /** Adds as many later messages as a page shows. Firestore dates the others by its own clock, so these are from 2100. */
    fillRoom: () =>
      fillRoom(app.firebase, account, 50, [], (index) => Date.UTC(2100, 0, index + 1)),
    async save(form: Record<string, string>, status = 303): Promise<void> {
      expect((await edge.visit("/profile", { cookie, form: { ...form, uid } })).status).toBe(
        status,
      );
    },
    readUncached: async (path: string) => (await edge.visitUncached(path, {})).text(),
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
    },
  };
}
