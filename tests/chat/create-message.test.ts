import { expect, test } from "vitest";

import type { Message } from "#app/chat/message.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { action, loader } from "#app/routes/create.tsx";
import type { DeskReply } from "#app/writing/editor-data.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { newStoryForm, openEditorPage } from "#tests/support/editor-page.ts";
import { signIn, startApp } from "#tests/support/routes.ts";

// Without scripts a message is sent with the form of the story that is written beside it.

type Desk = Awaited<ReturnType<typeof openEditorPage>>;

const NOTHING = { title: "", description: "", tags: "", cover: "", text: "" };

function say(message: string, form: Record<string, string> = {}) {
  return { ...newStoryForm({ intent: "send", ...form }), messageId: createDocumentId(), message };
}

async function readRoom({ app, cookie }: Desk): Promise<string[]> {
  const { data } = await app.send(loader, "/create", { cookie });
  // The loader's own type, which `send` does not know.
  const { messages } = (data as { room: { messages: Message[] } }).room;
  return messages.map(({ text }) => text);
}

test("a message is said in the room once the story beside it is in the account", async () => {
  await using desk = await openEditorPage();
  const form = say("Is the tide right?");

  const { status, headers } = await desk.send(form);

  expect([status, headers.get("Location")]).toEqual([303, `/create?draft=${form.id}#newest`]);
  expect(await readRoom(desk)).toEqual(["Is the tide right?"]);
  expect((await desk.desk(`/create?draft=${form.id}`)).draft).toMatchObject({
    title: "Salt and Sand",
    text: "The tide\ncame in.",
    revision: 1,
  });
});

test("beside an empty page a message makes no draft", async () => {
  await using desk = await openEditorPage();

  const { status, headers } = await desk.send(say("Hello", NOTHING));

  expect([status, headers.get("Location")]).toEqual([303, "/create#newest"]);
  expect(await desk.list()).toEqual([]);
  expect(await readRoom(desk)).toEqual(["Hello"]);
});

test("beside an unchanged story a message makes no save: what is published stays called published", async () => {
  await using desk = await openEditorPage();
  const form = newStoryForm({ intent: "publish" });
  await desk.send(form);

  const sent = await desk.send({ ...say("Read it"), id: form.id, revision: "1" });

  expect(sent.headers.get("Location")).toBe(`/create?draft=${form.id}#newest`);
  const { draft } = await desk.desk(`/create?draft=${form.id}`);
  expect(draft).toMatchObject({ revision: 1, publishedRevision: 1 });
  expect(await readRoom(desk)).toEqual(["Read it"]);
});

test("pressed twice, or once more after going back, the same form says it once and saves once", async () => {
  await using desk = await openEditorPage();
  const form = say("Only once");

  for (const time of ["once", "twice"]) {
    expect((await desk.send(form)).status, time).toBe(303);
  }

  expect(await readRoom(desk)).toEqual(["Only once"]);
  expect(await desk.list()).toMatchObject([{ id: form.id, revision: 1 }]);
});

test("a story that another device has changed holds the message back, and both come back as typed", async () => {
  await using desk = await openEditorPage();
  const form = say("Not yet");
  await desk.send({ ...form, intent: "save", message: "" });
  await desk.send({ ...form, intent: "save", message: "", revision: "1", text: "Written there" });

  const held = await desk.send({ ...form, revision: "1", text: "Written here" });

  expect(held.status).toBe(409);
  expect(held.data).toMatchObject({
    reply: { status: "conflict", theirs: { text: "Written there", revision: 2 } },
    typed: { id: form.id, revision: 1, text: "Written here" },
    message: {
      status: "refused",
      reason: "held",
      id: form.messageId,
      text: "Not yet",
      message: "Not sent.",
    },
  });
  expect(await readRoom(desk)).toEqual([]);

  // Whoever presses Send again has seen both texts and chosen.
  await desk.send({ ...form, revision: "2", text: "Written here" });
  expect(await readRoom(desk)).toEqual(["Not yet"]);
  expect((await desk.desk(`/create?draft=${form.id}`)).draft.text).toBe("Written here");
});

test("a story that is refused holds the message back, and both come back as typed", async () => {
  await using desk = await openEditorPage();
  const form = say("Not yet", { cover: "x" });

  const { status, data } = await desk.send(form);

  expect(status).toBe(400);
  expect(data).toMatchObject({
    reply: { reason: "invalid", hint: "A cover link must begin with https://" },
    typed: { id: form.id, title: "Salt and Sand", tags: ["sea", "slow"], cover: "x" },
    message: { reason: "held", id: form.messageId, text: "Not yet" },
  });
  expect(await readRoom(desk)).toEqual([]);
  expect(await desk.list()).toEqual([]);
});

test.each([
  ["a story", {}, { reply: { reason: "unauthenticated" }, typed: { title: "Salt and Sand" } }],
  ["an empty page", NOTHING, { reply: null, typed: { title: "" } }],
])("whoever is signed out beside %s is told, and all comes back", async (_, written, answer) => {
  await using app = await startApp();
  const form = say("Do not lose me", written);

  const { status, data } = await app.send(action, "/create", { form });

  expect(status).toBe(401);
  expect(data).toMatchObject({
    ...answer,
    message: {
      reason: "unauthenticated",
      id: form.messageId,
      text: "Do not lose me",
      message: "Not authenticated",
    },
  });
});

test("what one person typed is neither saved nor said by another who has signed in meanwhile", async () => {
  await using desk = await openEditorPage();

  const { status, data } = await desk.send(say("Mine", { uid: "somebody-else" }));

  expect(status).toBe(401);
  expect(data).toMatchObject({
    typed: { text: "The tide\ncame in." },
    message: { reason: "unauthenticated", text: "Mine" },
  });
  expect(await readRoom(desk)).toEqual([]);
  expect(await desk.list()).toEqual([]);
});

test("beside an empty page, too, a message is said by nobody but the person who wrote it", async () => {
  await using desk = await openEditorPage();
  const form = { ...say("Mine", NOTHING), messageUid: "somebody-else" };

  const { status, data } = await desk.send(form);

  expect(status).toBe(401);
  expect(data).toMatchObject({
    message: { reason: "other-user", id: form.messageId, text: "Mine", uid: "somebody-else" },
  });
  expect(await readRoom(desk)).toEqual([]);
});

test("a database that is out of reach loses neither", async () => {
  expectConsoleError();
  await using app = await startApp({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });
  const cookie = await signIn(app, await app.firebase.addAccount());
  const form = say("Do not lose me");

  const { status, data } = await app.send(action, "/create", { form, cookie });

  expect(status).toBe(503);
  expect(data).toMatchObject({
    reply: { reason: "unreachable" },
    typed: { id: form.id, title: "Salt and Sand" },
    message: { reason: "held", id: form.messageId, text: "Do not lose me" },
  });
});

test.each([
  ["with nothing in it", "  ", "Type a message first."],
  ["that is too long", "x".repeat(4001), "A message can have up to 4,000 characters."],
])("a message %s comes back beside the story, which is saved", async (_, message, hint) => {
  await using desk = await openEditorPage();
  const form = say(message);

  const { status, data } = await desk.send(form);

  expect(status).toBe(400);
  expect(data).toMatchObject({
    reply: { status: "saved", draft: { id: form.id, revision: 1 } },
    typed: { id: form.id, title: "Salt and Sand" },
    message: { reason: "invalid", id: form.messageId, text: message, hint },
  });

  // The page goes on from that save, and so the next is no conflict with it.
  const next = { ...form, revision: "1", text: "The tide went out.", message: "Shorter" };
  expect((await desk.send(next)).status).toBe(303);
  expect(await desk.list()).toMatchObject([{ id: form.id, revision: 2 }]);
});

test.each(["save", "publish", "preview"])(
  "a message that is half written is still there after %s",
  async (intent) => {
    await using desk = await openEditorPage();
    const form = { ...say("And then I"), intent };

    const { status, data } = await desk.send(form);

    expect(status).toBe(200);
    const { message } = data as DeskReply;
    expect(message).toEqual({ status: "typed", id: form.messageId, text: "And then I" });
    expect(await readRoom(desk)).toEqual([]);
  },
);
