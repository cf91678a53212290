import { setTimeout as delay } from "node:timers/promises";

import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { maintainRecord } from "#app/stories/readers/reader-record.client.ts";
import { ROOM_RECORD } from "#app/stories/readers/readers.ts";
import type { DatabaseServer } from "#emulator/database/server.ts";
import { connectPage, startAppDatabase } from "#tests/support/database-rules.ts";
import { NAMESPACE, sendRest, type TestClient } from "#tests/support/database.ts";

beforeEach(() => {
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  vi.stubGlobal("document", page);
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
});
afterEach(() => vi.unstubAllGlobals());

const startServer = () => startAppDatabase(["ana", "tomas"]);

/** Opens a story in a new tab of a user. Closing it breaks the connection. */
function openStory(server: DatabaseServer, uid: string, story: string) {
  const client = connectPage(server, uid);
  const leave = count(client, uid, story);
  return {
    async close() {
      leave();
      await client[Symbol.asyncDispose]();
    },
  };
}

/** Counts the user of a connection, until the returned function is called. */
function count(client: TestClient, uid: string, story: string) {
  const controller = new AbortController();
  const settings = [`unseen/${uid}`, `uncounted/${uid}`];
  const connection = { getDatabase: () => client.db, discard: () => {} };
  maintainRecord(connection, { uid, story, settings }, controller.signal);
  return () => controller.abort();
}

/** Returns the stories that are open, one for each reader. */
function readStories(server: DatabaseServer): string[] {
  const { readers = {} } = Object(server.export()[NAMESPACE]) as { readers?: object };
  const text = JSON.stringify(readers);
  return Array.from(text.matchAll(/"story":"(\w+)"/g), ([, story = ""]) => story).toSorted();
}

async function expectStories(server: DatabaseServer, stories: string[]) {
  await expect.poll(() => readStories(server)).toEqual(stories);
}

test("counts users once, for the story that they opened last, until they leave", async () => {
  await using server = await startServer();
  const ana = openStory(server, "ana", "salt");
  const tomas = openStory(server, "tomas", "salt");
  await expectStories(server, ["salt", "salt"]);
  const other = openStory(server, "tomas", "tide");
  await expectStories(server, ["salt", "tide"]);

  await other.close();
  await expectStories(server, ["salt", "salt"]);
  await ana.close();
  await tomas.close();
  await expectStories(server, []);
});

test("counts a user with a story and the room open in both", async () => {
  await using server = await startServer();
  const room = openStory(server, "ana", ROOM_RECORD);
  const story = openStory(server, "ana", "salt");
  await expectStories(server, ["room", "salt"]);
  await room.close();
  await story.close();
});

test("counts who leaves a story no longer, while their connection continues", async () => {
  await using server = await startServer();
  await using client = connectPage(server, "ana");
  const leaveRoom = count(client, "ana", ROOM_RECORD);
  const leaveStory = count(client, "ana", "salt");
  await expectStories(server, ["room", "salt"]);

  leaveStory();
  await expectStories(server, ["room"]);
  const leaveOther = count(client, "ana", "tide");
  leaveRoom();
  await expectStories(server, ["tide"]);
  leaveOther();
});

test("counts a user with two tabs once, until both are closed", async () => {
  await using server = await startServer();
  const first = openStory(server, "ana", "salt");
  const second = openStory(server, "ana", "salt");
  await expectStories(server, ["salt"]);
  await first.close();
  await expectStories(server, ["salt"]);
  await second.close();
  await expectStories(server, []);
});

test("writes the record again if it is removed while the story is open", async () => {
  await using server = await startServer();
  const tab = openStory(server, "ana", "salt");
  await expectStories(server, ["salt"]);

  await sendRest(server, "/readers.json", { method: "DELETE" });
  await expectStories(server, ["salt"]);
  await tab.close();
});

test("writes nothing more once the account and its reader key are deleted", async () => {
  await using server = await startServer();
  const tab = openStory(server, "ana", "salt");
  await expectStories(server, ["salt"]);

  await sendRest(server, "/readers.json", { method: "DELETE" });
  await sendRest(server, "/readerKeys/ana.json", { method: "DELETE" });
  const { revision } = server;
  await sendRest(server, "/uncounted/ana.json", { method: "PUT", body: "false" });
  await delay(1000);

  expect(server.revision).toBe(revision + 1);
  await tab.close();
});

test.each(["unseen", "uncounted"])("does not count a user who is %s", async (setting) => {
  await using server = await startServer();
  const tab = openStory(server, "ana", "salt");
  await expectStories(server, ["salt"]);

  await sendRest(server, `/${setting}/ana.json`, { method: "PUT", body: "true" });
  await expectStories(server, []);
  await sendRest(server, `/${setting}/ana.json`, { method: "PUT", body: "false" });
  await expectStories(server, ["salt"]);
  await tab.close();
});
