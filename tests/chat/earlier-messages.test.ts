import { expect, test } from "vitest";

import type { Message, MessagePage, RoomData } from "#app/chat/message.ts";
import { toMessageForm } from "#app/chat/post-message.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { loader as createLoader } from "#app/routes/create.tsx";
import { mergeEarlier, readPage } from "#app/chat/use-feed.ts";
import { action, loader } from "#app/routes/home.tsx";
import { loader as readLoader } from "#app/routes/read.$id.tsx";
import { loader as messagesLoader } from "#app/routes/room-messages.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { changeDocument } from "#tests/support/documents.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { readJson, signIn, startApp, type Handler, type TestApp } from "#tests/support/routes.ts";

const PATH = "/rooms/general/messages";

async function loadRoomData(
  app: TestApp,
  path: string,
  { pageLoader = loader, cookie = "", params = {} }: LoadOptions = {},
): Promise<RoomData> {
  const { data } = await app.send(pageLoader, path, { cookie, params });
  // `send` returns untyped data.
  return (data as { room: RoomData }).room;
}

interface LoadOptions {
  pageLoader?: Handler;
  cookie?: string;
  params?: Record<string, string>;
}

async function loadPage(app: TestApp, before: string): Promise<MessagePage> {
  const response = await app.send(messagesLoader, `${PATH}?before=${before}`);
  expect(response.status).toBe(200);
  return (await readJson(response)) as MessagePage;
}

function readFeed({ feed }: RoomData): MessagePage {
  if (feed.status !== "loaded") throw new Error("The room is not loaded");
  return feed;
}

function getBefore(room: RoomData): string {
  const { before } = readFeed(room);
  if (before === null) throw new Error("There is no page before");
  return before;
}

function getTexts(messages: Message[]): string[] {
  return messages.map(({ text }) => text);
}

test("loads 50 earlier messages at a time, each once, until the first", async () => {
  await using app = await startApp();
  await fillRoom(app.firebase, await app.firebase.addAccount(), 120);

  const newest = await loadRoomData(app, "/home");
  const second = await loadPage(app, getBefore(newest));
  const third = await loadPage(app, second.before ?? "");

  expect([second.messages.length, third.messages.length, third.before]).toEqual([50, 20, null]);
  const newestMessages = newest.feed.status === "loaded" ? newest.feed.messages : [];
  expect(getTexts([...third.messages, ...second.messages, ...newestMessages])).toEqual(
    Array.from({ length: 120 }, (_, index) => `Message ${index + 1}`),
  );
});

test("an earlier page still says which messages were edited", async () => {
  await using app = await startApp();
  await fillRoom(app.firebase, await app.firebase.addAccount({ displayName: "Ana" }), 52);
  const path = "rooms/general/messages/filled-0001";
  await changeDocument(app.firebase.hosts, path, { text: { stringValue: "Edited" } });

  const page = readPage(await loadPage(app, getBefore(await loadRoomData(app, "/home"))));

  expect(page?.messages.map(({ text, isEdited }) => [text, isEdited])).toEqual([
    ["Message 1", undefined],
    ["Edited", true],
  ]);
});

test.each([
  ["at the same time", () => 0.389],
  ["within a millisecond", (index: number) => (74 - index) / 1000],
])(
  "loads each of several messages that were sent %s exactly once, in order",
  async (_when, toOffset) => {
    await using app = await startApp();
    const time = Date.UTC(2026, 10, 22);
    const person = await app.firebase.addAccount();
    await fillRoom(app.firebase, person, 75, [], (index) => time + toOffset(index));

    const newest = readFeed(await loadRoomData(app, "/home"));
    const earlier = readPage(await loadPage(app, newest.before ?? ""));

    const { messages } = mergeEarlier(newest, earlier ?? { messages: [], before: null });
    const numbers = Array.from({ length: 75 }, (_, index) => index);
    expect(messages.map(({ id }) => Number(id.replace("filled-", "")))).toEqual(
      numbers.toSorted((a, b) => toOffset(a) - toOffset(b) || a - b),
    );
  },
);

test("continues before messages as the app has stored them", async () => {
  await using app = await startApp();
  const texts = Array.from({ length: 55 }, (_, index) => `Posted ${index + 1}`);
  for (let start = 0; start < texts.length; start += 5) {
    const cookie = await signIn(app, await app.firebase.addAccount());
    for (const text of texts.slice(start, start + 5)) {
      const form = toMessageForm({ id: createDocumentId(), text });
      expect((await app.send(action, "/home", { form, cookie })).status).toBe(303);
    }
  }

  const newest = readFeed(await loadRoomData(app, "/home"));
  const earlier = await loadPage(app, newest.before ?? "");

  expect(getTexts([...earlier.messages, ...newest.messages])).toEqual(texts);
});

test("has no earlier page in a room of fewer than 50 messages", async () => {
  await using app = await startApp();
  await fillRoom(app.firebase, await app.firebase.addAccount(), 49);

  expect(await loadRoomData(app, "/home")).toMatchObject({
    feed: { status: "loaded", before: null },
    isEarlier: false,
  });
});

test("shows an earlier page on every page with the room", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  await fillRoom(app.firebase, person, 60);
  const cookie = await signIn(app, person);
  const before = getBefore(await loadRoomData(app, "/home"));

  const pages = [
    await loadRoomData(app, `/home?q=rain&before=${before}`),
    await loadRoomData(app, `/read/anything?before=${before}`, {
      pageLoader: readLoader,
      params: { id: "anything" },
    }),
    await loadRoomData(app, `/create?before=${before}`, { pageLoader: createLoader, cookie }),
  ];

  for (const { feed, isEarlier } of pages) {
    expect(isEarlier).toBe(true);
    expect(feed).toMatchObject({ status: "loaded", before: null });
    const texts = feed.status === "loaded" ? getTexts(feed.messages) : [];
    expect([texts.length, texts.at(0), texts.at(-1)]).toEqual([10, "Message 1", "Message 10"]);
  }
});

test.each([
  "x",
  "-",
  "1-",
  "1-..",
  "1-a/b",
  "1e3-abc",
  "1.-abc",
  "1.2345-abc",
  "999999999999999999-abc",
  "",
])("ignores the cursor %j", async (before) => {
  await using app = await startApp();
  await fillRoom(app.firebase, await app.firebase.addAccount(), 1);

  const room = await loadRoomData(app, `/home?before=${encodeURIComponent(before)}`);
  expect(room).toMatchObject({ isEarlier: false, feed: { messages: [{ text: "Message 1" }] } });
  const path = `${PATH}?before=${encodeURIComponent(before)}`;
  const response = await app.send(messagesLoader, path);
  expect([response.status, response.headers.get("Location")]).toEqual([302, "/home"]);
});

test("redirects a browser that navigates there to the home page", async () => {
  await using app = await startApp();
  const headers = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

  for (const path of [PATH, `${PATH}?before=1-abc`]) {
    const response = await app.send(messagesLoader, path, { headers });
    expect([response.status, response.headers.get("Location")]).toEqual([302, "/home"]);
  }
  expect((await app.send(messagesLoader, PATH)).headers.get("Location")).toBe("/home");
});

test("responds to scripts with 503 while the database is unavailable", async () => {
  expectConsoleError();
  await using app = await startApp({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });

  const response = await app.send(messagesLoader, `${PATH}?before=1-abc`);

  expect(response.status).toBe(503);
  expect(await loadRoomData(app, "/home?before=1-abc")).toMatchObject({
    feed: { status: "unavailable" },
  });
});

test("a message that is sent from an earlier page leads to the newest messages", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());

  const send = async (path: string) => {
    const form = toMessageForm({ id: createDocumentId(), text: "Hello" });
    return (await app.send(action, path, { form, cookie })).headers.get("Location");
  };

  expect(await send("/home?before=1-abc")).toBe("/home#newest");
  expect(await send("/home?q=rain+%20x&before=1-abc")).toBe("/home?q=rain++x#newest");
});
