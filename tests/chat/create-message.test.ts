import { expect, test } from "vitest";

import type { RoomData } from "#app/chat/message.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { action, loader } from "#app/routes/create.tsx";
import type { EditorActionData } from "#app/writing/editor-data.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { createDraftForm, startCreatePage } from "#tests/support/create-page.ts";
import { signIn, startApp } from "#tests/support/routes.ts";

// Without JavaScript, the chat message is submitted with the story's form.

type CreatePage = Awaited<ReturnType<typeof startCreatePage>>;

const EMPTY = { title: "", description: "", tags: "", cover: "", text: "" };

function messageForm(message: string, form: Record<string, string> = {}) {
  return {
    ...createDraftForm({ intent: "send", ...form }),
    messageId: createDocumentId(),
    message,
  };
}

async function readRoom({ app, cookie }: CreatePage): Promise<string[]> {
  const { data } = await app.send(loader, "/create", { cookie });
  // `send` returns untyped data.
  const { feed } = (data as { room: RoomData }).room;
  if (feed.status !== "loaded") throw new Error("The feed is unavailable");
  return feed.messages.map(({ text }) => text);
}

test("saves the story, and then sends the message", async () => {
  await using page = await startCreatePage();
  const form = messageForm("Is the tide right?");

  const { status, headers } = await page.send(form);

  expect([status, headers.get("Location")]).toEqual([303, `/create?draft=${form.id}#newest`]);
  expect(await readRoom(page)).toEqual(["Is the tide right?"]);
  expect((await page.load(`/create?draft=${form.id}`)).draft).toMatchObject({
    title: "Salt and Sand",
    text: "The tide\ncame in.",
    revision: 1,
  });
});

test("creates no draft when a message is sent with an empty editor", async () => {
  await using page = await startCreatePage();

  const { status, headers } = await page.send(messageForm("Hello", EMPTY));

  expect([status, headers.get("Location")]).toEqual([303, "/create#newest"]);
  expect(await page.list()).toEqual([]);
  expect(await readRoom(page)).toEqual(["Hello"]);
});

test("does not save an unchanged story when a message is sent, and keeps it published", async () => {
  await using page = await startCreatePage();
  const form = createDraftForm({ intent: "publish" });
  await page.send(form);

  const sent = await page.send({ ...messageForm("Read it"), id: form.id, revision: "1" });

  expect(sent.headers.get("Location")).toBe(`/create?draft=${form.id}#newest`);
  const { draft } = await page.load(`/create?draft=${form.id}`);
  expect(draft).toMatchObject({ revision: 1, publishedRevision: 1 });
  expect(await readRoom(page)).toEqual(["Read it"]);
});

test("sends and saves once when the same form is sent twice", async () => {
  await using page = await startCreatePage();
  const form = messageForm("Only once");

  for (const attempt of ["first", "second"]) {
    expect((await page.send(form)).status, attempt).toBe(303);
  }

  expect(await readRoom(page)).toEqual(["Only once"]);
  expect(await page.list()).toMatchObject([{ id: form.id, revision: 1 }]);
});

test("does not send the message while the story is in conflict, and keeps both texts", async () => {
  await using page = await startCreatePage();
  const form = messageForm("Not yet");
  await page.send({ ...form, intent: "save", message: "" });
  await page.send({ ...form, intent: "save", message: "", revision: "1", text: "Written there" });

  const conflict = await page.send({ ...form, revision: "1", text: "Written here" });

  expect(conflict.status).toBe(409);
  expect(conflict.data).toMatchObject({
    result: { status: "conflict", remote: { text: "Written there", revision: 2 } },
    typed: { id: form.id, revision: 1, text: "Written here" },
    message: {
      status: "error",
      reason: "draft-not-saved",
      id: form.messageId,
      text: "Not yet",
      message: "Not sent.",
      hint: "We couldn't save your story, so we didn't send your message. Both are still here.",
    },
  });
  expect(await readRoom(page)).toEqual([]);

  // The page has shown both versions, so Send now overwrites the other one.
  await page.send({ ...form, revision: "2", text: "Written here" });
  expect(await readRoom(page)).toEqual(["Not yet"]);
  expect((await page.load(`/create?draft=${form.id}`)).draft.text).toBe("Written here");
});

test("does not send the message when the story is invalid, and keeps both texts", async () => {
  await using page = await startCreatePage();
  const form = messageForm("Not yet", { cover: "x" });

  const { status, data } = await page.send(form);

  expect(status).toBe(400);
  expect(data).toMatchObject({
    result: { reason: "invalid", hint: "A cover link must begin with https://" },
    typed: { id: form.id, title: "Salt and Sand", tags: ["sea", "slow"], cover: "x" },
    message: { reason: "draft-not-saved", id: form.messageId, text: "Not yet" },
  });
  expect(await readRoom(page)).toEqual([]);
  expect(await page.list()).toEqual([]);
});

test.each([
  ["a story", {}, { result: { reason: "unauthenticated" }, typed: { title: "Salt and Sand" } }],
  ["an empty editor", EMPTY, { result: null, typed: { title: "" } }],
])(
  "keeps the message and %s when the user has been signed out",
  async (_what, fields, expected) => {
    await using app = await startApp();
    const form = messageForm("Do not lose me", fields);

    const { status, data } = await app.send(action, "/create", { form });

    expect(status).toBe(401);
    expect(data).toMatchObject({
      ...expected,
      message: {
        reason: "unauthenticated",
        id: form.messageId,
        text: "Do not lose me",
        message: "Not authenticated",
      },
    });
  },
);

test("saves and sends nothing when another user has signed in meanwhile", async () => {
  await using page = await startCreatePage();

  const { status, data } = await page.send(messageForm("Mine", { uid: "somebody-else" }));

  expect(status).toBe(401);
  expect(data).toMatchObject({
    typed: { text: "The tide\ncame in." },
    result: { reason: "other-user" },
    message: { reason: "other-user", text: "Mine" },
  });
  expect(await readRoom(page)).toEqual([]);
  expect(await page.list()).toEqual([]);
});

test("sends a message only as the user who wrote it, even with an empty editor", async () => {
  await using page = await startCreatePage();
  const form = { ...messageForm("Mine", EMPTY), messageUid: "somebody-else" };

  const { status, data } = await page.send(form);

  expect(status).toBe(401);
  expect(data).toMatchObject({
    message: { reason: "other-user", id: form.messageId, text: "Mine", uid: "somebody-else" },
  });
  expect(await readRoom(page)).toEqual([]);
});

test("keeps the story and the message when the database is unavailable", async () => {
  expectConsoleError();
  await using app = await startApp({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });
  const cookie = await signIn(app, await app.firebase.addAccount());
  const form = messageForm("Do not lose me");

  const { status, data } = await app.send(action, "/create", { form, cookie });

  expect(status).toBe(503);
  expect(data).toMatchObject({
    result: { reason: "unavailable" },
    typed: { id: form.id, title: "Salt and Sand" },
    message: { reason: "draft-not-saved", id: form.messageId, text: "Do not lose me" },
  });
});

test.each([
  ["empty", "  ", "Type a message first."],
  ["too long", "x".repeat(4001), "A message can have up to 4,000 characters."],
])("saves the story and keeps a message that is %s", async (_what, message, hint) => {
  await using page = await startCreatePage();
  const form = messageForm(message);

  const { status, data } = await page.send(form);

  expect(status).toBe(400);
  expect(data).toMatchObject({
    result: { status: "saved", draft: { id: form.id, revision: 1 } },
    typed: { id: form.id, title: "Salt and Sand" },
    message: { reason: "invalid", id: form.messageId, text: message, hint },
  });

  // The page continues from the saved revision, so the next save has no conflict.
  const next = { ...form, revision: "1", text: "The tide went out.", message: "Shorter" };
  expect((await page.send(next)).status).toBe(303);
  expect(await page.list()).toMatchObject([{ id: form.id, revision: 2 }]);
});

test.each(["save", "publish", "preview"])("keeps an unsent message after %s", async (intent) => {
  await using page = await startCreatePage();
  const form = { ...messageForm("And then I"), intent };

  const { status, data } = await page.send(form);

  expect(status).toBe(200);
  const { message } = data as EditorActionData;
  expect(message).toEqual({ status: "unsent", id: form.messageId, text: "And then I" });
  expect(await readRoom(page)).toEqual([]);
});
