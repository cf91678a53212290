import { expect, test } from "vitest";

import type { RoomData } from "#app/chat/message.ts";
import { getQuoteRecordPath, MAX_BEGUN } from "#app/chat/quotes/quote-record.server.ts";
import { WHOLE_STORY, getLastReached, isUnreadPassage } from "#app/chat/quotes/quoted-story.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { action as createMessage, loader as homeLoader } from "#app/routes/home.tsx";
import { action as savePosition } from "#app/routes/reading-positions.ts";
import { action as sendFromStory, loader as readLoader } from "#app/routes/read.$id.tsx";
import { loader as storiesLoader } from "#app/routes/room-stories.ts";
import { action as changeMessage } from "#app/routes/room-message.ts";
import { serializePositions } from "#app/stories/positions/position-cookie.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { changeDocument, deleteDocument, readDocument } from "#tests/support/documents.ts";
import { renderMarkdown } from "#tests/support/markdown.ts";
import { toMessageForm } from "#tests/support/message-form.ts";
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
    send: async (text: string, id = createDocumentId()) => {
      const { status } = await app.send(createMessage, "/home", {
        form: toMessageForm({ id, text }),
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

/** Returns the count, the ids and the number of each quoted paragraph. */
async function readPassages(app: TestApp, story = STORY): Promise<unknown> {
  const fields = await readDocument(app.firebase.hosts, getQuoteRecordPath(story));
  return (fields as { passages?: object }).passages;
}

function getPassages(passages: Record<string, [count: number, ids: string[], number?: number]>) {
  const fields = Object.entries(passages).map(([paragraph, [count, ids, number]]) => {
    const values = ids.map((id) => ({ stringValue: id }));
    const passage = {
      count: { integerValue: String(count) },
      ids: { arrayValue: values.length > 0 ? { values } : expect.anything() },
      ...(number !== undefined && { number: { integerValue: String(number) } }),
      by: { stringValue: expect.any(String) },
    };
    return [paragraph, { mapValue: { fields: passage } }];
  });
  return { mapValue: fields.length > 0 ? { fields: Object.fromEntries(fields) } : {} };
}

test("counts a message for the passage that it quotes, with the paragraph's number", async () => {
  await using app = await startStory();
  const [ana, tomas] = [await join(app), await join(app)];

  const first = await ana.send(createQuote(SECOND));
  const second = await tomas.send(createQuote(SECOND));
  const third = await ana.send(createQuote(FIRST));
  await ana.send("It went on.");
  // The same message again, after a lost response.
  await ana.send(createQuote(SECOND), first);

  expect(await readPassages(app)).toEqual(
    getPassages({ [SECOND]: [2, [second, first], 1], [FIRST]: [1, [third], 0] }),
  );
  const path = `rooms/general/messages/${first}`;
  expect(Object.keys(Object(await readDocument(app.firebase.hosts, path)))).toHaveLength(5);
});

test("counts messages that are sent at the same time", async () => {
  await using app = await startStory();
  const people = await Promise.all([join(app), join(app), join(app)]);

  const ids = await Promise.all(people.map((person) => person.send(createQuote(SECOND))));

  const passages = await readPassages(app);
  expect(passages).toMatchObject({
    mapValue: { fields: { [SECOND]: { mapValue: { fields: { count: { integerValue: "3" } } } } } },
  });
  for (const id of ids) expect(JSON.stringify(passages)).toContain(id);
});

test("counts a quote of an unknown story or paragraph without a number", async () => {
  await using app = await startStory();
  const ana = await join(app);

  const first = await ana.send(createQuote("p-zzz"));
  const second = await ana.send(createQuote(SECOND, "", "nothing-here"));

  expect(await readPassages(app)).toEqual(getPassages({ "p-zzz": [1, [first]] }));
  expect(await readPassages(app, "nothing-here")).toEqual(getPassages({ [SECOND]: [1, [second]] }));
});

test("uncounts a message that its sender deletes", async () => {
  await using app = await startStory();
  const [ana, tomas] = [await join(app), await join(app)];
  const first = await ana.send(createQuote(SECOND));
  const second = await tomas.send(createQuote(SECOND));

  expect(await ana.change(first, { intent: "delete" })).toEqual({ status: "done" });

  expect(await readPassages(app)).toEqual(getPassages({ [SECOND]: [1, [second], 1] }));
  const message = await readDocument(app.firebase.hosts, `rooms/general/messages/${first}`);
  expect(message).toHaveProperty("error.code", 404);
  // The same deletion again, after a lost response.
  expect(await ana.change(first, { intent: "delete" })).toEqual({ status: "done" });
  expect(await tomas.change(second, { intent: "delete" })).toEqual({ status: "done" });
  expect(await readPassages(app)).toEqual(getPassages({}));
});

test("deletes a message that was sent without a count, and leaves the marks of others", async () => {
  await using app = await startStory();
  const [ana, tomas] = [await join(app), await join(app)];
  const begun = { [ana.uid]: { integerValue: String(MAX_BEGUN) } };
  await changeDocument(app.firebase.hosts, getQuoteRecordPath(STORY), {
    passages: { mapValue: { fields: {} } },
    begun: { mapValue: { fields: begun } },
  });
  const uncounted = await ana.send(createQuote(SECOND));
  const counted = await tomas.send(createQuote(SECOND));

  expect(await ana.change(uncounted, { intent: "delete" })).toEqual({ status: "done" });

  expect(await readPassages(app)).toEqual(getPassages({ [SECOND]: [1, [counted], 1] }));
  const message = await readDocument(app.firebase.hosts, `rooms/general/messages/${uncounted}`);
  expect(message).toHaveProperty("error.code", 404);
});

test("counts quotations in a record that does not say who quoted a passage first", async () => {
  await using app = await startStory();
  const [ana, tomas] = [await join(app), await join(app)];
  const ids = { arrayValue: { values: [{ stringValue: "earlier" }] } };
  const passage = { count: { integerValue: "1" }, ids };
  await changeDocument(app.firebase.hosts, getQuoteRecordPath(STORY), {
    passages: { mapValue: { fields: { [SECOND]: { mapValue: { fields: passage } } } } },
  });

  await tomas.send(createQuote(SECOND));
  await ana.send(createQuote(SECOND));

  expect(await readPassages(app)).toMatchObject({
    mapValue: { fields: { [SECOND]: { mapValue: { fields: { count: { integerValue: "3" } } } } } },
  });
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
  expect(await readPassages(app)).toEqual(getPassages({ [SECOND]: [1, [id], 1] }));
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
    passage: { story: STORY, paragraph: SECOND, quote },
  });
  expect(listTexts(room)).toEqual([createQuote(SECOND, "First"), createQuote(SECOND, "Second")]);
  // An operator deletes only the message.
  await deleteDocument(app.firebase.hosts, `rooms/general/messages/${first}`);
  expect(listTexts(await loadRoom(app, path))).toEqual([createQuote(SECOND, "Second")]);
});

test("a message from the view of a passage carries its quote, is counted, and stays in view", async () => {
  await using app = await startStory();
  const [ana, tomas] = [await join(app), await join(app)];
  await ana.send(createQuote(SECOND, "Why?"));
  const path = `/read/${STORY}?passage=${SECOND}`;
  const { passage, nextId } = await loadRoom(app, path, tomas.cookie);
  // Browsers submit line breaks as CRLF.
  const messageQuote = passage?.quote.replaceAll("\n", "\r\n") ?? "";
  const form = { messageId: nextId, message: "Because.", messageQuote };

  const { headers } = await app.send(sendFromStory, path, { form, cookie: tomas.cookie });

  expect(headers.get("Location")).toBe(`${path}#newest`);
  expect(listTexts(await loadRoom(app, path))).toEqual([
    createQuote(SECOND, "Why?"),
    createQuote(SECOND, "Because."),
  ]);
  expect(await readPassages(app)).toMatchObject({
    mapValue: { fields: { [SECOND]: { mapValue: { fields: { count: { integerValue: "2" } } } } } },
  });
});

test("quotes the first words of a long paragraph, and not what a message claims", async () => {
  await using app = await startApp();
  const text = "It went on and on and on, over the white hills and down to the sea.";
  await publishStory(app.firebase.hosts, { id: STORY, title: "The Salt Road", text });
  const [paragraph = ""] = renderMarkdown(text).paragraphs.map(({ id }) => id);
  const ana = await join(app);
  await ana.send(`“Something rude.”\n/read/${STORY}#${paragraph}\nHa`);

  const { passage } = await loadRoom(app, `/read/${STORY}?passage=${paragraph}`);

  expect(passage?.quote).toBe(
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

test("uncounts a message that an operator has deleted when a user opens its passage", async () => {
  await using app = await startStory();
  const ana = await join(app);
  const first = await ana.send(createQuote(SECOND));
  const second = await ana.send(createQuote(SECOND));
  await deleteDocument(app.firebase.hosts, `rooms/general/messages/${first}`);
  const path = `/read/${STORY}?passage=${SECOND}`;

  await loadRoom(app, path);
  await app.finish();
  expect(await readPassages(app)).toEqual(getPassages({ [SECOND]: [2, [second, first], 1] }));
  await loadRoom(app, path, ana.cookie);
  await app.finish();

  expect(await readPassages(app)).toEqual(getPassages({ [SECOND]: [1, [second], 1] }));
});

test.each(["p-zzz", "p-1#x", "../users", ""])(
  "shows no message about the passage %j, which does not exist or was never quoted",
  async (paragraph) => {
    await using app = await startStory();
    const ana = await join(app);
    await ana.send("Hello");

    const path = `/read/${STORY}?passage=${encodeURIComponent(paragraph)}`;
    const room = await loadRoom(app, path);

    const isPassage = paragraph === "p-zzz";
    expect(room.passage === null).toBe(!isPassage);
    expect(listTexts(room)).toEqual(isPassage ? [] : ["Hello"]);
  },
);

test("names the quoted stories and how far the user has read, with one more request", async () => {
  await using app = await startStory();
  const [ana, tomas] = [await join(app), await join(app)];
  await ana.send(createQuote(SECOND));
  await ana.send(createQuote(FIRST));
  await ana.send(createQuote("p-1", "", "the-lamplighters-orchard"));
  const position = {
    ...createPosition({ story: STORY, number: 1, percent: 40, time: Date.now() }),
  };
  const form = { position: JSON.stringify(position) };
  await app.send(savePosition, "/reading-positions", { form, cookie: tomas.cookie });

  const { stories } = await loadRoom(app, "/home", tomas.cookie);

  expect(stories).toEqual({
    [STORY]: {
      title: "The Salt Road",
      cover: "",
      numbers: { [FIRST]: 0, [SECOND]: 1 },
      lastReached: 1,
    },
    "the-lamplighters-orchard": {
      title: "The Lamplighter's Orchard",
      cover: "/assets/covers/the-lamplighters-orchard.svg",
      numbers: {},
      lastReached: -1,
    },
  });
  using counter = startRequestCounter();
  const counted = app.withVariables({
    FIRESTORE_EMULATOR_HOST: await counter.proxy(app.firebase.hosts.FIRESTORE_EMULATOR_HOST),
  });
  await loadRoom(counted, `/read/${STORY}`);
  expect(counter.count()).toBe(3);
});

test("responds to scripts with the stories of quotes, and skips invalid ones", async () => {
  await using app = await startStory();
  const ana = await join(app);
  await ana.send(createQuote(SECOND));
  const quoted = [`${STORY}#${SECOND}`, "nothing-0123456789#p-1", "../users#p-1", "x"];
  const query = new URLSearchParams(quoted.map((passage) => ["quoted", passage]));

  const response = await app.send(storiesLoader, `/rooms/general/stories?${query}`);

  expect(await readJson(response)).toEqual({
    [STORY]: { title: "The Salt Road", cover: "", numbers: { [SECOND]: 1 }, lastReached: -1 },
  });
});

test("shows a visitor no passages that a user of the same browser has read", async () => {
  await using app = await startStory();
  const position = createPosition({ story: STORY, number: 1 });
  const query = new URLSearchParams({ quoted: `${STORY}#${SECOND}` });
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
  const query = new URLSearchParams({ quoted: `${STORY}#${SECOND}` });

  const response = await app.send(storiesLoader, `/rooms/general/stories?${query}`);

  expect(response.status).toBe(200);
  expect(await readJson(response)).toEqual({});
});

test("a quote from later in the story than the user has read is folded", () => {
  const story = { numbers: { "p-12": 12, "p-2": 2 }, lastReached: -1 };
  const read = (number: number, percent = 50) => ({
    ...story,
    lastReached: getLastReached([{ number, percent }]),
  });

  expect(isUnreadPassage(story, "p-12", -1)).toBe(true);
  expect(isUnreadPassage(read(11), "p-12", -1)).toBe(true);
  expect(isUnreadPassage(read(12), "p-12", -1)).toBe(false);
  // The position that this browser has saved since.
  expect(isUnreadPassage(read(5), "p-12", 12)).toBe(false);
  expect(isUnreadPassage(read(0, 100), "p-12", -1)).toBe(false);
  // The beginning is open to everyone.
  expect(isUnreadPassage(story, "p-2", -1)).toBe(false);
  // Its position in the story is unknown.
  expect(isUnreadPassage(read(12), "p-other", -1)).toBe(true);
  expect(isUnreadPassage(undefined, "p-12", 12)).toBe(true);
  expect(isUnreadPassage({ ...story, lastReached: WHOLE_STORY }, "p-other", -1)).toBe(false);
});
