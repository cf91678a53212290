import { expect, test } from "vitest";

import type { Message } from "#app/chat/message.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { action as createAction, loader as createLoader } from "#app/routes/create.tsx";
import { action, loader } from "#app/routes/home.tsx";
import { action as fromScript } from "#app/routes/room-messages.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { readDocument } from "#tests/support/documents.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { openBrowser, visit } from "#tests/support/profile-browser.ts";
import { setRateRecord } from "#tests/support/rate-records.ts";
import { readJson, signIn, startApp, type TestApp } from "#tests/support/routes.ts";

async function readMessages(app: TestApp): Promise<Message[]> {
  const { data } = await app.send(loader, "/home");
  // The loader's own type, which `send` does not know.
  return (data as { room: { messages: Message[] } }).room.messages;
}

test("a message is stored as the person who sent it, with exactly the five fields", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount({
    displayName: "Ana Reyes",
    photoUrl: "https://example.com/ana.png",
  });
  const cookie = await signIn(app, person);
  const id = createDocumentId();

  const form = { id, text: "  Hello there \n" };
  const response = await app.send(action, "/home?q=rain", { form, cookie });

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

test("whoever has no name is Anonymous", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());

  await app.send(action, "/home", { form: { id: createDocumentId(), text: "Hello" }, cookie });

  expect(await readMessages(app)).toMatchObject([
    { text: "Hello", displayName: "Anonymous", photoURL: null, createdAt: expect.any(Number) },
  ]);
});

test("sending the same form twice makes one message", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const form = { id: createDocumentId(), text: "Once" };

  await app.send(action, "/home", { form, cookie });
  const again = await app.send(action, "/home", { form, cookie });

  expect(again.status).toBe(303);
  expect(await readMessages(app)).toHaveLength(1);
});

test("another text under a used id is another message, once", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const id = createDocumentId();

  for (const text of ["First", "Second", "Second"]) {
    await app.send(action, "/home", { form: { id, text }, cookie });
  }

  expect((await readMessages(app)).map(({ text }) => text)).toEqual(["First", "Second"]);
});

test("any number of texts under one id are as many messages, each once", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const id = createDocumentId();

  for (const text of ["First", "Second", "Third", "Second", "Third", "First"]) {
    const { status } = await app.send(action, "/home", { form: { id, text }, cookie });
    expect(status, text).toBe(303);
  }

  expect((await readMessages(app)).map(({ text }) => text)).toEqual(["First", "Second", "Third"]);
});

test.each([
  ["a page", action, "/home"],
  ["a script", fromScript, "/rooms/general/messages"],
])("what one person wrote is not said by another: %s gets the text back", async (_, send, path) => {
  await using app = await startApp();
  const ana = await app.firebase.addAccount();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const form = { id: createDocumentId(), text: "Mine alone", uid: ana.localId };

  const response = await app.send(send, path, { form, cookie });

  expect(response.status).toBe(401);
  const reply = response.data ?? (await readJson(response));
  expect(reply).toMatchObject({ ...form, status: "refused", reason: "other-user" });
  expect(await readMessages(app)).toEqual([]);
  await app.send(send, path, { form, cookie: await signIn(app, ana) });
  expect(await readMessages(app)).toMatchObject([{ text: "Mine alone", uid: ana.localId }]);
});

test("somebody else's message is not taken for one's own", async () => {
  await using app = await startApp();
  const form = { id: createDocumentId(), text: "Mine" };
  const ana = await signIn(app, await app.firebase.addAccount());
  const tomas = await signIn(app, await app.firebase.addAccount());

  await app.send(action, "/home", { form, cookie: ana });
  await app.send(action, "/home", { form, cookie: tomas });

  expect(new Set((await readMessages(app)).map(({ uid }) => uid)).size).toBe(2);
});

test("the page holds the newest 50 messages, oldest first", async () => {
  await using app = await startApp();
  await fillRoom(app.firebase, await app.firebase.addAccount(), 52);

  const texts = (await readMessages(app)).map(({ text }) => text);

  expect(texts).toHaveLength(50);
  expect([texts.at(0), texts.at(-1)]).toEqual(["Message 3", "Message 52"]);
});

test("without a session nothing is sent, and the text comes back", async () => {
  await using app = await startApp();
  const id = createDocumentId();

  const response = await app.send(action, "/home", { form: { id, text: "Do not lose me" } });

  expect(response.status).toBe(401);
  expect(response.data).toMatchObject({
    status: "refused",
    id,
    text: "Do not lose me",
    message: "Not authenticated",
  });
  expect(await readMessages(app)).toEqual([]);
});

test("on the guarded page, too, the refused text comes back instead of Sign In", async () => {
  await using app = await startApp();
  const message = { messageId: createDocumentId(), message: "Do not lose me" };
  const form = { intent: "send", ...message };
  const response = await app.send(createAction, "/create", { form });
  expect(response.status).toBe(401);

  // The page that answers the post: its loader sees the same request as the action did.
  const request = new Request("http://localhost/create");
  const context = app.contextFor(new Request(request, { method: "POST" }));
  const answer = await createLoader({ request, params: {}, context });
  expect(answer).toHaveProperty("room");
});

test.each([
  ["only spaces", "   \n ", "Type a message first."],
  ["only characters that show nothing", "\u200B\u2060\u3164\u2800\uFE0F", "Type a message first."],
  ["one character too many", "x".repeat(4001), "A message can have up to 4,000 characters."],
])("%s is refused with the text kept", async (_fault, text, hint) => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());

  const form = { id: createDocumentId(), text };
  const response = await app.send(action, "/home", { form, cookie });

  expect(response.status).toBe(400);
  expect(response.data).toMatchObject({ text, hint });
});

test("4,000 characters are sent whole, emoji and markup as typed", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const text = "<b>🌿</b>".padEnd(4000, "é");

  await app.send(action, "/home", { form: { id: createDocumentId(), text }, cookie });

  expect(await readMessages(app)).toMatchObject([{ text }]);
});

test("an id that is no id is refused, and the form gets a new one", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());

  const form = { id: "../../status/x", text: "Hello" };
  const response = await app.send(action, "/home", { form, cookie });

  expect(response.status).toBe(400);
  expect(response.data).toMatchObject({ text: "Hello", id: expect.stringMatching(/^\w{20}$/) });
});

test("a database that cannot be reached is said so, and the text and its id are kept", async () => {
  expectConsoleError();
  await using app = await startApp({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });
  const cookie = await signIn(app, await app.firebase.addAccount());
  const id = createDocumentId();

  const response = await app.send(action, "/home", { form: { id, text: "Hello" }, cookie });

  expect(response.status).toBe(503);
  expect(response.data).toMatchObject({ id, text: "Hello" });
});

test("a script is answered with the stored message's id instead of a redirect", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const id = createDocumentId();

  const response = await app.send(fromScript, "/rooms/general/messages", {
    form: { id, text: "Hello" },
    cookie,
  });

  expect(await readJson(response)).toEqual({ status: "sent", id });
});

test("a script, too, is told when nobody is signed in", async () => {
  await using app = await startApp();
  const id = createDocumentId();

  const form = { id, text: "Hello" };
  const response = await app.send(fromScript, "/rooms/general/messages", { form });

  expect(response.status).toBe(401);
  expect(await readJson(response)).toMatchObject({ id, text: "Hello", reason: "unauthenticated" });
});

test("lines are the same whoever sends them", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const id = createDocumentId();

  for (const text of ["One\nTwo", "One\r\nTwo"]) {
    await app.send(action, "/home", { form: { id, text }, cookie });
  }

  expect(await readMessages(app)).toMatchObject([{ text: "One\nTwo" }]);
});

test("a name is cut to 80 units, but not through an emoji", async () => {
  await using app = await startApp();
  const displayName = "x".repeat(79) + "🌿";
  const cookie = await signIn(app, await app.firebase.addAccount({ displayName }));

  await app.send(action, "/home", { form: { id: createDocumentId(), text: "Hello" }, cookie });

  expect(await readMessages(app)).toMatchObject([{ displayName: "x".repeat(79) }]);
});

test("a message bears the name and photo of the token it is sent with, also after they have changed", async () => {
  await using app = await startApp();
  const { person, browser } = await visit(app, {
    displayName: "Ana Reyes",
    photoUrl: "https://example.com/ana.png",
  });
  // The session of another device, which does not hear of the change until its token is renewed.
  const elsewhere = openBrowser(app, await signIn(app, person));
  const profile = { uid: person.localId, displayName: "Ana R.", photoURL: "" };

  expect((await browser.submit("save-profile", profile)).status).toBe(303);
  expect((await browser.say("Renamed")).status).toBe(303);
  expect((await elsewhere.say("As before")).status).toBe(303);

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
  ["of blanks and fillers", " \u200B\u3164", "Anonymous"],
  ["with blanks around it", "\u3000 Ana ", "Ana"],
  ["of 41 emoji", "🌿".repeat(41), "🌿".repeat(40)],
])("a name %s does not keep anybody from posting", async (_what, displayName, shown) => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount({ displayName }));

  const form = { id: createDocumentId(), text: "Hello" };
  expect((await app.send(action, "/home", { form, cookie })).status).toBe(303);

  expect(await readMessages(app)).toMatchObject([{ text: "Hello", displayName: shown }]);
});

test("a sixth message within ten seconds comes back, with the time when it can be sent", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  await setRateRecord(
    app.firebase.hosts,
    person.localId,
    "messages",
    [8500, 4000, 3000, 2000, 1000],
  );
  const form = { id: createDocumentId(), text: "Too fast" };
  const refusal = {
    status: "refused",
    reason: "too-fast",
    message: "Not sent.",
    hint: "You can send another message in 2 seconds.",
    ...form,
  };

  const page = await app.send(action, "/home", { form, cookie });
  expect(page).toMatchObject({ status: 429, data: refusal });
  expect(page.headers.get("Retry-After")).toBe("2");
  const script = await app.send(fromScript, "/rooms/general/messages", { form, cookie });
  expect(script.status).toBe(429);
  expect(script.headers.get("Retry-After")).toBe("2");
  expect(await readJson(script)).toEqual(refusal);
  expect(await readMessages(app)).toEqual([]);

  await setRateRecord(
    app.firebase.hosts,
    person.localId,
    "messages",
    [10_000, 4000, 3000, 2000, 1000],
  );
  expect((await app.send(action, "/home", { form, cookie })).status).toBe(303);
  expect(await readMessages(app)).toMatchObject([{ text: "Too fast" }]);
});

test("sending the same form again is no further message, and counts once", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const form = { id: createDocumentId(), text: "Once" };

  for (let count = 0; count < 8; count += 1) {
    expect((await app.send(action, "/home", { form, cookie })).status).toBe(303);
  }
  const others = Array.from({ length: 4 }, () => ({ id: createDocumentId(), text: "Another" }));
  for (const other of others) {
    expect((await app.send(action, "/home", { form: other, cookie })).status).toBe(303);
  }
  expect(await readMessages(app)).toHaveLength(5);
});

test("five messages from five tabs at the same time are all sent, and of ten not more than five", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const send = async () => {
    const form = { id: createDocumentId(), text: "At once" };
    return (await app.send(action, "/home", { form, cookie })).status;
  };

  expect(await Promise.all(Array.from({ length: 5 }, send))).toEqual([303, 303, 303, 303, 303]);
  expect(await Promise.all(Array.from({ length: 5 }, send))).toEqual([429, 429, 429, 429, 429]);
  expect(await readMessages(app)).toHaveLength(5);
});
