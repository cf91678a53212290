import { convertFromFirestoreDocument } from "firebase-rest-firestore";
import { expect, test } from "vitest";

import type { MessagePage, RoomData } from "#app/chat/message.ts";
import { toMessageForm } from "#app/chat/post-message.ts";
import { getTopicPath } from "#app/chat/quotes/topics.server.ts";
import {
  getLastReached,
  isAboutLaterPart,
  isUnread,
  listStories,
} from "#app/chat/quotes/quoted-story.ts";
import { WHOLE_STORY, type ReadingPosition } from "#app/stories/positions/position.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { action as createMessage, loader as homeLoader } from "#app/routes/home.tsx";
import { action as savePosition } from "#app/routes/reading-positions.ts";
import { action as sendFromStory, loader as readLoader } from "#app/routes/read.$id.tsx";
import { loader as messagesLoader } from "#app/routes/room-messages.ts";
import { loader as storiesLoader } from "#app/routes/room-stories.ts";
import { action as changeMessage } from "#app/routes/room-message.ts";
import { addPosition, serializePositions } from "#app/stories/positions/position-cookie.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { changeDocument, deleteDocument, readDocument } from "#tests/support/documents.ts";
import { renderMarkdown } from "#tests/support/markdown.ts";
import { startRequestCounter } from "#tests/support/request-counter.ts";
import { readJson, signIn, startApp, type TestApp } from "#tests/support/routes.ts";
import { createPosition } from "#tests/reading/reading.ts";
import { publishStory } from "#tests/support/stories.ts";

const STORY = "the-salt-road-0123456789";
const TEXT = "The road began.\n\nIt went on.\n\nIt ended.";
const [FIRST = "", SECOND = ""] = renderMarkdown(TEXT).paragraphs.map(({ id }) => id);

async function startStory() {
  const app = await startApp();
  await publishStory(app.firebase.hosts, { id: STORY, title: "The Salt Road", text: TEXT });
  return app;
}

function createQuote(paragraph: string, comment = "Why?", story = STORY): string {
  return `“It went on.”\n/read/${story}#${paragraph}\n${comment}`;
}

/** Signs a user in, and returns what they do with messages. */
async function join(app: TestApp) {
  const account = await app.firebase.addAccount();
  const cookie = await signIn(app, account);
  return {
    uid: account.localId,
    cookie,
    send: async (text: string, id = createDocumentId(), replyTo?: string) => {
      const { status } = await app.send(createMessage, "/home", {
        form: toMessageForm({ id, text, replyTo }),
        cookie,
      });
      expect(status).toBe(303);
      return id;
    },
    change: async (id: string, form: Record<string, string>) => {
      const path = `/rooms/general/messages/${id}`;
      const outcome = await app.send(changeMessage, path, { form, cookie, params: { id } });
      return readJson(outcome);
    },
  };
}

/** Saves a user's position at a paragraph of the story. */
async function savePositionOf(
  { cookie }: { cookie: string },
  app: TestApp,
  number: number,
  changes: Partial<ReadingPosition> = {},
) {
  const at = { story: STORY, number, percent: 40, time: Date.now() };
  const position = createPosition({ ...at, ...changes });
  const form = { position: JSON.stringify(position) };
  await app.send(savePosition, "/reading-positions", { form, cookie });
}

/** Loads the room of a page. */
async function loadRoom(app: TestApp, path: string, cookie?: string): Promise<RoomData> {
  const isStory = path.startsWith("/read/");
  const loader = isStory ? readLoader : homeLoader;
  const params: Record<string, string> = isStory ? { id: STORY } : {};
  const { data } = await app.send(loader, path, { cookie, params });
  // `send` returns untyped data.
  return (data as { room: RoomData }).room;
}

function listTexts({ feed }: RoomData): string[] {
  return feed.status === "loaded" ? feed.messages.map(({ text }) => text) : [];
}

/** Returns the fields of what is stored about a message. */
async function readTopic(app: TestApp, id: string): Promise<unknown> {
  const name = `projects/p/databases/d/documents/${getTopicPath(id)}`;
  const fields = Object(await readDocument(app.firebase.hosts, getTopicPath(id)));
  return convertFromFirestoreDocument({ name, fields, createTime: "", updateTime: "" });
}

test("stores the quoted passage and its paragraph's number beside a message's five fields", async () => {
  await using app = await startStory();
  const ana = await join(app);

  const id = await ana.send(createQuote(SECOND));
  // The same message again, after a lost response.
  await ana.send(createQuote(SECOND), id);
  const plain = await ana.send("It went on.");

  const topic = { uid: ana.uid, story: STORY, paragraph: SECOND, number: 1, replyTo: null };
  expect(await readTopic(app, id)).toMatchObject(topic);
  expect(await readDocument(app.firebase.hosts, getTopicPath(plain))).toHaveProperty("error");
  const path = `rooms/general/messages/${id}`;
  expect(Object.keys(Object(await readDocument(app.firebase.hosts, path)))).toHaveLength(5);
});

test("a message about a story is about the paragraph that its sender has reached", async () => {
  await using app = await startStory();
  const [ana, tomas] = [await join(app), await join(app)];
  await savePositionOf(tomas, app, 2);

  const first = await ana.send(`/read/${STORY}\nWhere does it go?`);
  const second = await tomas.send(`/read/${STORY}\nI know.`);

  const topic = { story: STORY, paragraph: null };
  expect(await readTopic(app, first)).toMatchObject({ ...topic, number: 0 });
  expect(await readTopic(app, second)).toMatchObject({ ...topic, number: 2 });
});

test("a message about a story is about the furthest paragraph that its sender has reached", async () => {
  await using app = await startStory();
  const ana = await join(app);
  const at = (number: number) => createPosition({ story: STORY, number });
  const places = serializePositions(addPosition([at(2)], at(0)));
  const cookie = `${ana.cookie}; places=${encodeURIComponent(places)}`;
  const id = createDocumentId();
  const form = toMessageForm({ id, text: `/read/${STORY}\nIt ends.` });

  await app.send(createMessage, "/home", { form, cookie });

  expect(await readTopic(app, id)).toMatchObject({ number: 2 });
});

test("a reply names the message that it answers, and is about no earlier part", async () => {
  await using app = await startStory();
  const [ana, tomas] = [await join(app), await join(app)];
  await savePositionOf(tomas, app, 2);
  const first = await tomas.send(`/read/${STORY}\nIt ends.`);

  const second = await ana.send(`/read/${STORY}\n> Tomas: It ends.\nHow?`, undefined, first);
  const third = await ana.send("> Tomas: It ends.\nHow?", undefined, "nothing-like-that-000");

  expect(await readTopic(app, second)).toMatchObject({ replyTo: first, number: 2 });
  expect(await readDocument(app.firebase.hosts, getTopicPath(third))).toHaveProperty("error");
});

test("stores a quote of an unknown story or paragraph without a number", async () => {
  await using app = await startStory();
  const ana = await join(app);

  const first = await ana.send(createQuote("p-zzz"));
  const second = await ana.send(createQuote(SECOND, "", "nothing-here"));

  expect(await readTopic(app, first)).toMatchObject({ paragraph: "p-zzz", number: null });
  expect(await readTopic(app, second)).toMatchObject({ story: "nothing-here", number: null });
});

test("deletes what a message is about with it", async () => {
  await using app = await startStory();
  const ana = await join(app);
  const id = await ana.send(createQuote(SECOND));

  expect(await ana.change(id, { intent: "delete" })).toEqual({ status: "done" });

  for (const path of [getTopicPath(id), `rooms/general/messages/${id}`]) {
    expect(await readDocument(app.firebase.hosts, path)).toHaveProperty("error.code", 404);
  }
  // The same deletion again, after a lost response.
  expect(await ana.change(id, { intent: "delete" })).toEqual({ status: "done" });
});

test("edits what is below a quote, and rejects a change of the quote", async () => {
  await using app = await startStory();
  const ana = await join(app);
  const id = await ana.send(createQuote(SECOND));
  const edit = (text: string) => ana.change(id, { intent: "edit", text });

  expect(await edit(createQuote(SECOND, "Where?"))).toEqual({ status: "done" });
  const hint = "You can't change the quote. Edit the text below it, or send a new message.";
  for (const text of [
    "Where?",
    createQuote(FIRST),
    createQuote(SECOND).replace("went", "walked"),
  ]) {
    expect(await edit(text)).toMatchObject({ reason: "invalid", hint });
  }
});

test("edits what is between two quotes", async () => {
  await using app = await startStory();
  const ana = await join(app);
  const second = createQuote(FIRST);
  const id = await ana.send(createQuote(SECOND, `Why?\n${second}`));

  const text = createQuote(SECOND, `Because:\n${second}`);
  expect(await ana.change(id, { intent: "edit", text })).toEqual({ status: "done" });
});

test("a message about a passage that was corrected since has the number of an earlier one", async () => {
  await using app = await startStory();
  const [ana, tomas] = [await join(app), await join(app)];
  const first = await ana.send(createQuote(SECOND));
  const text = TEXT.replace("went", "ran");
  await publishStory(app.firebase.hosts, { id: STORY, title: "The Salt Road", text });

  const reply = await tomas.send(createQuote(SECOND, "> Ana: Why?\n\nSo."), undefined, first);
  const other = await tomas.send(createQuote("p-zzz", "Why?"), undefined, first);
  await loadRoom(app, `/read/${STORY}?passage=${SECOND}`);
  const next = await tomas.send(createQuote(SECOND, "Because."));

  expect(await readTopic(app, reply)).toMatchObject({ replyTo: first, number: 1 });
  expect(await readTopic(app, other)).toMatchObject({ replyTo: first, number: null });
  expect(await readTopic(app, next)).toMatchObject({ paragraph: SECOND, number: 1 });
});

test("shows the messages about a passage, without those that were deleted", async () => {
  await using app = await startStory();
  const ana = await join(app);
  const first = await ana.send(createQuote(SECOND, "First"));
  await ana.send(createQuote(FIRST, "Elsewhere"));
  await ana.send("Hello");
  await ana.send(createQuote(SECOND, "Second"));

  const path = `/read/${STORY}?passage=${SECOND}`;
  const room = await loadRoom(app, path);

  const quote = `“It went on.”\n/read/${STORY}#${SECOND}\n`;
  expect(room).toMatchObject({
    isEarlier: false,
    subject: { story: STORY, paragraph: SECOND, quote },
  });
  expect(listTexts(room)).toEqual([createQuote(SECOND, "First"), createQuote(SECOND, "Second")]);
  // An operator deletes only the message.
  await deleteDocument(app.firebase.hosts, `rooms/general/messages/${first}`);
  expect(listTexts(await loadRoom(app, path))).toEqual([createQuote(SECOND, "Second")]);
});

test("a message from the view of a passage carries its quote and stays in view", async () => {
  await using app = await startStory();
  const [ana, tomas] = [await join(app), await join(app)];
  await ana.send(createQuote(SECOND, "Why?"));
  const path = `/read/${STORY}?passage=${SECOND}`;
  const { subject, nextId } = await loadRoom(app, path, tomas.cookie);
  // Browsers submit line breaks as CRLF.
  const messageQuote = subject?.quote.replaceAll("\n", "\r\n") ?? "";
  const form = { messageId: nextId, message: "Because.", messageQuote };

  const { headers } = await app.send(sendFromStory, path, { form, cookie: tomas.cookie });

  expect(headers.get("Location")).toBe(`${path}#newest`);
  expect(listTexts(await loadRoom(app, path))).toEqual([
    createQuote(SECOND, "Why?"),
    createQuote(SECOND, "Because."),
  ]);
});

test("quotes the first words of a long paragraph, and not what a message claims", async () => {
  await using app = await startApp();
  const text = "It went on and on and on, over the white hills and down to the sea.";
  await publishStory(app.firebase.hosts, { id: STORY, title: "The Salt Road", text });
  const [paragraph = ""] = renderMarkdown(text).paragraphs.map(({ id }) => id);
  const ana = await join(app);
  await ana.send(`“Something rude.”\n/read/${STORY}#${paragraph}\nHa`);

  const { subject } = await loadRoom(app, `/read/${STORY}?passage=${paragraph}`);

  expect(subject?.quote).toBe(
    `“It went on and on and on, over the…”\n/read/${STORY}#${paragraph}\n`,
  );
});

test.each([
  ["other text than a quote", "Hello\n", "Because.", "The form is incomplete."],
  [
    "a text that is too long with it",
    createQuote("p-1", ""),
    "x".repeat(3990),
    "up to 4,000 characters",
  ],
  ["no text", createQuote("p-1", ""), " ", "Type a message first."],
])(
  "rejects a quote of the passage with %s, and returns the text",
  async (_, messageQuote, message, hint) => {
    await using app = await startStory();
    const { cookie } = await join(app);
    const form = { messageId: createDocumentId(), message, messageQuote };

    const { status, data } = await app.send(sendFromStory, `/read/${STORY}`, { form, cookie });

    expect(status).toBe(400);
    expect(data).toMatchObject({ text: message, hint: expect.stringContaining(hint) });
  },
);

test.each(["p-zzz", "p-1#x", "p-zzz\nFree coins", "../users", ""])(
  "shows no message about the passage %j, which does not exist or was never quoted",
  async (paragraph) => {
    await using app = await startStory();
    const ana = await join(app);
    await ana.send("Hello");

    const path = `/read/${STORY}?passage=${encodeURIComponent(paragraph)}`;
    const room = await loadRoom(app, path);

    const isPassage = paragraph === "p-zzz";
    expect(room.subject === null).toBe(!isPassage);
    expect(listTexts(room)).toEqual(isPassage ? [] : ["Hello"]);
  },
);

test("an address adds no words of its own to a message about a story", async () => {
  await using app = await startStory();
  const query = new URLSearchParams({ story: `${STORY}\nFree coins`, talk: "story" });

  expect(await loadRoom(app, `/home?${query}`)).toMatchObject({ subject: null });
});

test("names the quoted stories and how far the user has read", async () => {
  await using app = await startStory();
  const [ana, tomas] = [await join(app), await join(app)];
  await ana.send(createQuote(SECOND));
  await ana.send(createQuote(FIRST));
  await ana.send(createQuote("p-1", "", "the-lamplighters-orchard"));
  await savePositionOf(tomas, app, 1);

  const { stories } = await loadRoom(app, "/home", tomas.cookie);

  expect(stories).toEqual({
    [STORY]: {
      title: "The Salt Road",
      cover: "",
      lastReached: 1,
    },
    "the-lamplighters-orchard": {
      title: "The Lamplighter's Orchard",
      cover: "/assets/covers/the-lamplighters-orchard.svg",
      lastReached: -1,
    },
  });
  using counter = startRequestCounter();
  const counted = app.withVariables({
    FIRESTORE_EMULATOR_HOST: await counter.proxy(app.firebase.hosts.FIRESTORE_EMULATOR_HOST),
  });
  const { stories: own } = await loadRoom(counted, `/read/${STORY}`);
  expect(own).toMatchObject({ [STORY]: { title: "The Salt Road", lastReached: -1 } });
  expect(counter.count()).toBe(3);
});

test("who has finished a story has not read the chapter that is added later", async () => {
  await using app = await startStory();
  const [ana, tomas] = [await join(app), await join(app)];
  const paragraph = renderMarkdown(TEXT).paragraphs[2]?.id ?? "";
  const finished = { story: STORY, paragraph, number: 2, percent: 100, time: Date.now() };
  await savePositionOf(tomas, app, 2, finished);
  const device = `places=${encodeURIComponent(serializePositions([createPosition(finished)]))}`;
  const text = `${TEXT}\n\n## Two\n\nNobody came.`;
  const updatedAt = new Date(Date.now() + 1).toISOString();
  await publishStory(app.firebase.hosts, { id: STORY, title: "The Salt Road", text, updatedAt });
  await ana.send(createQuote(renderMarkdown(text).paragraphs[4]?.id ?? ""));

  for (const cookie of [tomas.cookie, device]) {
    const home = await loadRoom(app, "/home", cookie);
    const { lastReached = -1 } = home.stories[STORY] ?? {};
    expect(lastReached).toBe(2);
    expect(isUnread({ lastReached }, 4, -1)).toBe(true);
    const room = await loadRoom(app, `/read/${STORY}`, cookie);
    expect(room).toMatchObject({ talk: { count: 0 }, stories: { [STORY]: { lastReached: 2 } } });
  }
});

test("responds to scripts with the stories of quotes, and skips invalid ones", async () => {
  await using app = await startStory();
  const ana = await join(app);
  await ana.send(createQuote(SECOND));
  const ids = [STORY, "nothing-0123456789", "../users", "x", "x\ny"];
  const query = new URLSearchParams(ids.map((id) => ["story", id]));
  const path = `/rooms/general/stories?${query}`;

  const forVisitor = await app.send(storiesLoader, path);
  const forReader = await app.send(storiesLoader, path, { cookie: (await join(app)).cookie });

  const quoted = { title: "The Salt Road", cover: "", lastReached: -1 };
  expect(await readJson(forVisitor)).toEqual({ [STORY]: quoted });
  expect(await readJson(forReader)).toEqual({ [STORY]: quoted });
});

test("shows a visitor no passages that a user of the same browser has read", async () => {
  await using app = await startStory();
  const position = createPosition({ story: STORY, number: 1 });
  const query = new URLSearchParams({ story: STORY });
  const openAfter = async (owner?: string) => {
    const cookie = `places=${encodeURIComponent(serializePositions([{ ...position, owner }]))}`;
    return readJson(await app.send(storiesLoader, `/rooms/general/stories?${query}`, { cookie }));
  };

  expect(await openAfter()).toMatchObject({ [STORY]: { lastReached: 1 } });
  expect(await openAfter("ana")).toMatchObject({ [STORY]: { lastReached: -1 } });
});

test("shows the messages when the stories that they quote can't be read", async () => {
  expectConsoleError();
  await using app = await startApp({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });
  const query = new URLSearchParams({ story: STORY });

  const response = await app.send(storiesLoader, `/rooms/general/stories?${query}`);

  expect(response.status).toBe(200);
  expect(await readJson(response)).toEqual({});
});

test("a message about a later part of the story than the user has read is folded", () => {
  const read = (number: number) => ({ lastReached: getLastReached([{ number }]) });

  expect(isUnread(undefined, 12, -1)).toBe(true);
  expect(isUnread(read(11), 12, -1)).toBe(true);
  expect(isUnread(read(12), 12, -1)).toBe(false);
  // The position that this browser has saved since.
  expect(isUnread(read(5), 12, 12)).toBe(false);
  // The beginning is open to everyone.
  expect(isUnread(undefined, 2, -1)).toBe(false);
  // Its position in the story is unknown.
  expect(isUnread(read(12), null, -1)).toBe(true);
  expect(isUnread({ lastReached: WHOLE_STORY }, null, -1)).toBe(false);
});

test("the page of a story shows what is said about it, and everyone's messages on request", async () => {
  await using app = await startStory();
  const [ana, tomas] = [await join(app), await join(app)];
  await ana.send("Hello");
  const path = `/read/${STORY}`;
  expect(listTexts(await loadRoom(app, path))).toEqual(["Hello"]);
  await ana.send(`/read/${STORY}\nWhere does it go?`);
  await ana.send(createQuote(FIRST, "Begun"));
  await savePositionOf(tomas, app, 2);
  await tomas.send(`/read/${STORY}\nIt ends.`);
  const about = [
    `/read/${STORY}\nWhere does it go?`,
    createQuote(FIRST, "Begun"),
    `/read/${STORY}\nIt ends.`,
  ];

  const room = await loadRoom(app, path);

  expect(room.talk).toEqual({ story: STORY, count: 3 });
  const quote = `/read/${STORY}\n`;
  expect(room.subject).toEqual({ story: STORY, paragraph: null, quote, passage: null });
  expect(listTexts(room)).toEqual(about);
  expect(listTexts(await loadRoom(app, `${path}?talk=everyone`))).toEqual(["Hello", ...about]);
  expect(listTexts(await loadRoom(app, "/home"))).toEqual(["Hello", ...about]);
});

test("the page of a story opens with the talk that its writer, or a reader elsewhere, may read", async () => {
  await using app = await startApp();
  const [writer, ana, tomas] = [await join(app), await join(app), await join(app)];
  const text = `${TEXT}\n\nNobody came.\n\nIt rained.`;
  const story = { id: STORY, title: "The Salt Road", text, uid: writer.uid };
  await publishStory(app.firebase.hosts, story);
  const fourth = renderMarkdown(text).paragraphs[3]?.id ?? "";
  await ana.send(createQuote(fourth));
  const path = `/read/${STORY}`;
  const unread = { subject: null, talk: { count: 0 } };
  expect(await loadRoom(app, path, tomas.cookie)).toMatchObject(unread);
  expect(await loadRoom(app, path)).toMatchObject(unread);

  await savePositionOf(tomas, app, 3);

  for (const { cookie } of [writer, tomas]) {
    const room = await loadRoom(app, path, cookie);
    expect(room).toMatchObject({ subject: { paragraph: null }, talk: { count: 1 } });
  }
});

test("pages through what is said about a story", async () => {
  await using app = await startStory();
  const texts = Array.from({ length: 60 }, (_, index) => `/read/${STORY}\nMessage ${index}`);
  await storeMessagesAbout(app, texts);

  const room = await loadRoom(app, `/read/${STORY}?talk=story`);
  const before = room.feed.status === "loaded" ? room.feed.before : null;
  const query = new URLSearchParams({ before: before ?? "", story: STORY, talk: "story" });
  const earlier = await app.send(messagesLoader, `/rooms/general/messages?${query}`);

  expect(listTexts(room)).toEqual(texts.slice(10));
  const page = (await readJson(earlier)) as MessagePage;
  expect(page.messages.map(({ text }) => text)).toEqual(texts.slice(0, 10));
  expect(page.messages[0]?.topic).toEqual({ number: 0, replyTo: null });
});

test("shows every message about a passage that its mark counts", async () => {
  await using app = await startStory();
  const texts = Array.from({ length: 60 }, (_, index) => createQuote(FIRST, `Message ${index}`));
  await storeMessagesAbout(app, texts, FIRST);

  const room = await loadRoom(app, `/read/${STORY}?passage=${FIRST}`);

  expect(listTexts(room)).toEqual(texts);
  expect(room.feed).toMatchObject({ before: null });
});

/** Stores messages about the story, or a passage, that were sent one after the other. */
async function storeMessagesAbout(app: TestApp, texts: string[], paragraph?: string) {
  const start = Date.now() - 3_600_000;
  for (const [index, text] of texts.entries()) {
    const timestampValue = new Date(start + index * 1000).toISOString();
    const id = `message-about-story-${index}`;
    const uid = { stringValue: "ana" };
    await changeDocument(app.firebase.hosts, `rooms/general/messages/${id}`, {
      uid,
      text: { stringValue: text },
      displayName: { stringValue: "Ana" },
      photoURL: { nullValue: null },
      createdAt: { timestampValue },
    });
    await changeDocument(app.firebase.hosts, getTopicPath(id), {
      uid,
      story: { stringValue: STORY },
      paragraph: paragraph === undefined ? { nullValue: null } : { stringValue: paragraph },
      number: { integerValue: "0" },
      replyTo: { nullValue: null },
      at: { timestampValue },
    });
  }
}

test("a message that names a story is folded until it is known how far it is about", () => {
  const isLater = (lastReached: number) => (story: string, number: number | null) =>
    story === STORY && isUnread({ lastReached }, number, -1);
  const story = `/read/${STORY}\nIt ends.`;
  const reply = `> Tomas: “It went on.”\n> /read/${STORY}#${SECOND}\nYes`;

  for (const text of [story, createQuote(SECOND), reply]) {
    expect(isAboutLaterPart({ text }, isLater(100))).toBe(true);
    expect(isAboutLaterPart({ text }, isLater(WHOLE_STORY))).toBe(false);
  }
  const topic = { number: 12, replyTo: null };
  expect(isAboutLaterPart({ text: story, topic }, isLater(11))).toBe(true);
  expect(isAboutLaterPart({ text: story, topic }, isLater(12))).toBe(false);
  expect(isAboutLaterPart({ text: "It ends." }, isLater(-1))).toBe(false);
});

test("a message has up to three stories to read, and others that it quotes count as unread", () => {
  const text = Array.from({ length: 160 }, (_, index) => `/read/a-${index}#p-1`).join("\n");
  expect(listStories(text)).toEqual(["a-0", "a-1", "a-2"]);
  expect(listStories(`${createQuote(SECOND)}${createQuote(SECOND)}`)).toEqual([STORY]);

  const isRead = new Set(listStories(text));
  expect(isAboutLaterPart({ text }, (story) => !isRead.has(story))).toBe(true);
});

test.each(["nothing-0123456789", "x".repeat(3000), "🏮"])(
  "the page of a story that does not exist shows everyone's messages, and no switch: %#",
  async (id) => {
    await using app = await startApp();
    const ana = await join(app);
    await ana.send("Hello");

    const { data } = await app.send(readLoader, `/read/${encodeURIComponent(id)}`, {
      params: { id },
    });

    const { room } = data as { room: RoomData }; // `send` returns untyped data.
    expect(room.talk).toBeNull();
    expect(listTexts(room)).toEqual(["Hello"]);
  },
);

test.each(["", "?talk=story", `?talk=story&story=${STORY}`, `?passage=${SECOND}`])(
  "the page of a withdrawn story shows everyone's messages at its address with %j",
  async (query) => {
    await using app = await startStory();
    const ana = await join(app);
    await ana.send("Hello");
    await ana.send(createQuote(SECOND));
    await deleteDocument(app.firebase.hosts, `stories/${STORY}`);

    const room = await loadRoom(app, `/read/${STORY}${query}`);

    expect(room).toMatchObject({ subject: null, talk: null });
    expect(listTexts(room)).toEqual(["Hello", createQuote(SECOND)]);
  },
);
