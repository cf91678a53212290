import { expect, test } from "vitest";

import { toMessageForm } from "#app/chat/post-message.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { action as createAction, loader as createLoader } from "#app/routes/create.tsx";
import { action } from "#app/routes/home.tsx";
import { action as messagesAction } from "#app/routes/room-messages.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { readDocument } from "#tests/support/documents.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { openBrowser, visit } from "#tests/support/profile-browser.ts";
import { startRequestCounter } from "#tests/support/request-counter.ts";
import { readMessages } from "#tests/support/room-feed.ts";
import { readJson, signIn, startApp } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";

test("stores a message as the user who sent it, with exactly the five fields", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount({
    displayName: "Ana Reyes",
    photoUrl: "https://example.com/ana.png",
  });
  const cookie = await signIn(app, person);
  const id = createDocumentId();

  const input = { id, text: "  Hello there \n" };
  const response = await app.send(action, "/home?q=rain", { form: toMessageForm(input), cookie });

  expect(response.status).toBe(303);
  expect(response.headers.get("Location")).toBe("/home?q=rain#newest");
  expect(await readDocument(app.firebase.hosts, `rooms/general/messages/${id}`)).toEqual({
    text: { stringValue: "Hello there" },
    uid: { stringValue: person.localId },
    displayName: { stringValue: "Ana Reyes" },
    photoURL: { stringValue: "https://example.com/ana.png" },
    createdAt: { timestampValue: expect.any(String) },
  });
});

test("stores Anonymous for a user without a name", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());

  await app.send(action, "/home", {
    form: toMessageForm({ id: createDocumentId(), text: "Hello" }),
    cookie,
  });

  expect(await readMessages(app)).toMatchObject([
    { text: "Hello", displayName: "Anonymous", photoURL: null, createdAt: expect.any(Number) },
  ]);
});

test("stores a different text with a used id as a new message, once", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const id = createDocumentId();

  for (const text of ["First", "Second", "Second"]) {
    await app.send(action, "/home", { form: toMessageForm({ id, text }), cookie });
  }

  expect((await readMessages(app)).map(({ text }) => text)).toEqual(["First", "Second"]);
});

test("stores each text with the same id as its own message, once", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const id = createDocumentId();

  for (const text of ["First", "Second", "Third", "Second", "Third", "First"]) {
    const { status } = await app.send(action, "/home", {
      form: toMessageForm({ id, text }),
      cookie,
    });
    expect(status, text).toBe(303);
  }

  expect((await readMessages(app)).map(({ text }) => text)).toEqual(["First", "Second", "Third"]);
});

test.each([
  ["a form", action, "/home"],
  ["a script", messagesAction, "/rooms/general/messages"],
])(
  "does not send another user's message from %s, and returns the text",
  async (_what, send, path) => {
    await using app = await startApp();
    const ana = await app.firebase.addAccount();
    const cookie = await signIn(app, await app.firebase.addAccount());
    const input = { id: createDocumentId(), text: "Mine alone", uid: ana.localId };

    const response = await app.send(send, path, { form: toMessageForm(input), cookie });

    expect(response.status).toBe(401);
    const result = response.data ?? (await readJson(response));
    expect(result).toMatchObject({ ...input, status: "error", reason: "other-user" });
    expect(await readMessages(app)).toEqual([]);
    await app.send(send, path, { form: toMessageForm(input), cookie: await signIn(app, ana) });
    expect(await readMessages(app)).toMatchObject([{ text: "Mine alone", uid: ana.localId }]);
  },
);

test("treats the same id from two users as two messages", async () => {
  await using app = await startApp();
  const input = { id: createDocumentId(), text: "Mine" };
  const ana = await signIn(app, await app.firebase.addAccount());
  const tomas = await signIn(app, await app.firebase.addAccount());

  await app.send(action, "/home", { form: toMessageForm(input), cookie: ana });
  await app.send(action, "/home", { form: toMessageForm(input), cookie: tomas });

  expect(new Set((await readMessages(app)).map(({ uid }) => uid)).size).toBe(2);
});

test("loads the newest 50 messages, oldest first", async () => {
  await using app = await startApp();
  await fillRoom(app.firebase, await app.firebase.addAccount(), 52);

  const texts = (await readMessages(app)).map(({ text }) => text);

  expect(texts).toHaveLength(50);
  expect([texts.at(0), texts.at(-1)]).toEqual(["Message 3", "Message 52"]);
});

test("stores nothing without a session, and returns the text", async () => {
  await using app = await startApp();
  const id = createDocumentId();

  const response = await app.send(action, "/home", {
    form: toMessageForm({ id, text: "Do not lose me" }),
  });

  expect(response.status).toBe(401);
  expect(response.data).toMatchObject({
    status: "error",
    id,
    text: "Do not lose me",
    message: "Not authenticated",
  });
  expect(await readMessages(app)).toEqual([]);
});

test("returns the text on a page that requires sign-in, too, instead of redirecting", async () => {
  await using app = await startApp();
  const message = { messageId: createDocumentId(), message: "Do not lose me" };
  const form = { intent: "send", ...message };
  const response = await app.send(createAction, "/create", { form });
  expect(response.status).toBe(401);

  // After the action, the page's loader gets the context of the same POST.
  const request = new Request("http://localhost/create");
  const context = app.contextFor(new Request(request, { method: "POST" }));
  const { data } = await createLoader({ request, params: {}, context });
  expect(data).toHaveProperty("room");
});

test.each([
  ["only spaces", "   \n ", "Type a message first."],
  ["only invisible characters", "\u200B\u2060\u3164\u2800\uFE0F", "Type a message first."],
  ["one character too long", "x".repeat(4001), "A message can have up to 4,000 characters."],
])("rejects a text that is %s, and returns it", async (_what, text, hint) => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());

  const input = { id: createDocumentId(), text };
  const response = await app.send(action, "/home", { form: toMessageForm(input), cookie });

  expect(response.status).toBe(400);
  expect(response.data).toMatchObject({ text, hint });
});

test("stores 4,000 characters as typed, with emoji and markup", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const text = "<b>🌿</b>".padEnd(4000, "é");

  await app.send(action, "/home", {
    form: toMessageForm({ id: createDocumentId(), text }),
    cookie,
  });

  expect(await readMessages(app)).toMatchObject([{ text }]);
});

test("rejects an invalid id, and returns a new one", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());

  const input = { id: "../../status/x", text: "Hello" };
  const response = await app.send(action, "/home", { form: toMessageForm(input), cookie });

  expect(response.status).toBe(400);
  expect(response.data).toMatchObject({ text: "Hello", id: expect.stringMatching(/^\w{20}$/) });
});

test("responds with 503, the text and its id while the database is unavailable", async () => {
  expectConsoleError();
  await using app = await startApp({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });
  const cookie = await signIn(app, await app.firebase.addAccount());
  const id = createDocumentId();

  const response = await app.send(action, "/home", {
    form: toMessageForm({ id, text: "Hello" }),
    cookie,
  });

  expect(response.status).toBe(503);
  expect(response.data).toMatchObject({ id, text: "Hello" });
});

test("responds to scripts with the id of the stored message instead of a redirect", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const id = createDocumentId();
  const send = async (text: string) => {
    const form = toMessageForm({ id, text });
    return readJson(await app.send(messagesAction, "/rooms/general/messages", { form, cookie }));
  };

  const first = await send("Hello");
  // A used id: this text is stored under another one.
  const second = await send("Hello again");

  const messages = await readMessages(app);
  expect(messages.map(({ text }) => text)).toEqual(["Hello", "Hello again"]);
  expect([first, second]).toEqual(messages.map((message) => ({ status: "sent", id: message.id })));
  expect(await send("Hello again")).toEqual(second);
});

test("responds to scripts with an error when no user is signed in", async () => {
  await using app = await startApp();
  const id = createDocumentId();

  const input = { id, text: "Hello" };
  const response = await app.send(messagesAction, "/rooms/general/messages", {
    form: toMessageForm(input),
  });

  expect(response.status).toBe(401);
  expect(await readJson(response)).toMatchObject({ id, text: "Hello", reason: "unauthenticated" });
});

test("stores the same line breaks from forms and scripts", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const id = createDocumentId();

  for (const text of ["One\nTwo", "One\r\nTwo"]) {
    await app.send(action, "/home", { form: toMessageForm({ id, text }), cookie });
  }

  expect(await readMessages(app)).toMatchObject([{ text: "One\nTwo" }]);
});

test("truncates a name to 80 units, but not inside an emoji", async () => {
  await using app = await startApp();
  const displayName = "x".repeat(79) + "🌿";
  const cookie = await signIn(app, await app.firebase.addAccount({ displayName }));

  await app.send(action, "/home", {
    form: toMessageForm({ id: createDocumentId(), text: "Hello" }),
    cookie,
  });

  expect(await readMessages(app)).toMatchObject([{ displayName: "x".repeat(79) }]);
});

test("stores the name and photo of the ID token, even if they have changed since", async () => {
  await using app = await startApp();
  const { person, browser } = await visit(app, {
    displayName: "Ana Reyes",
    photoUrl: "https://example.com/ana.png",
  });
  // On another device the ID token has the old name until it is refreshed.
  const otherBrowser = openBrowser(app, await signIn(app, person));
  const profile = { uid: person.localId, displayName: "Ana R.", photoURL: "" };

  expect((await browser.submit("save-profile", profile)).status).toBe(303);
  expect((await browser.sendMessage("Renamed")).status).toBe(303);
  expect((await otherBrowser.sendMessage("As before")).status).toBe(303);

  expect(await readMessages(app)).toMatchObject([
    { text: "Renamed", displayName: "Ana R.", photoURL: null },
    {
      text: "As before",
      displayName: "Ana Reyes",
      photoURL: "https://example.com/ana.png",
    },
  ]);
});

test.each([
  ["of invisible characters", " \u200B\u3164", "Anonymous"],
  ["with spaces around it", "\u3000 Ana ", "Ana"],
  ["of 41 emoji", "🌿".repeat(41), "🌿".repeat(40)],
])("stores the right display name for a name %s", async (_what, displayName, storedName) => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount({ displayName }));

  const input = { id: createDocumentId(), text: "Hello" };
  expect((await app.send(action, "/home", { form: toMessageForm(input), cookie })).status).toBe(
    303,
  );

  expect(await readMessages(app)).toMatchObject([{ text: "Hello", displayName: storedName }]);
});

test.each([
  // The two checks of the session, and the read of the documents.
  ["a message", "Hello", 3],
  // One more, for the story, to number its paragraph.
  ["the first quote of a paragraph", "“Salt.”\n/read/the-salt-road-0123456789#p-1\nWhy?", 4],
])("stores %s in two round trips, one of them the commit", async (_what, text, together) => {
  await using app = await startApp();
  const { hosts } = app.firebase;
  await publishStory(hosts, { id: "the-salt-road-0123456789", title: "Salt", text: "Salt." });
  const cookie = await signIn(app, await app.firebase.addAccount());
  using counter = startRequestCounter({ together });
  const counted = app.withVariables({
    FIRESTORE_EMULATOR_HOST: await counter.proxy(hosts.FIRESTORE_EMULATOR_HOST),
    FIREBASE_AUTH_EMULATOR_HOST: await counter.proxy(hosts.FIREBASE_AUTH_EMULATOR_HOST),
  });
  const form = toMessageForm({ id: createDocumentId(), text });

  const { status } = await counted.send(messagesAction, "/rooms/general/messages", {
    form,
    cookie,
  });

  expect(status).toBe(200);
  expect([counter.peak(), counter.count()]).toEqual([together, together + 1]);
});
