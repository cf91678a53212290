import { text } from "node:stream/consumers";

import { expect, test } from "vitest";

import { createDocumentId } from "#app/firebase/document-id.ts";
import { action, loader } from "#app/routes/create.tsx";
import { action as saveByScript, loader as askForDraft } from "#app/routes/drafts.ts";
import type { DeskReply } from "#app/writing/editor-data.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { newStoryForm, openEditorPage } from "#tests/support/editor-page.ts";
import { changeDocument, readDocument } from "#tests/support/documents.ts";
import { readJson, signIn, startApp } from "#tests/support/routes.ts";
import { startServer } from "#tests/support/server.ts";

const HOUR_MS = 60 * 60_000;

test("a saved draft stands at its address and in the list, as it was typed", async () => {
  await using desk = await openEditorPage();
  const form = newStoryForm();

  const response = await desk.send(form);

  expect(response.status).toBe(303);
  expect(response.headers.get("Location")).toBe(`/create?draft=${form.id}`);
  const path = `/create?draft=${form.id}`;
  expect((await desk.desk(path)).draft).toMatchObject({
    id: form.id,
    revision: 1,
    title: "Salt and Sand",
    text: "The tide\ncame in.",
    tags: ["sea", "slow"],
  });
  expect(await desk.list(path)).toMatchObject([{ id: form.id, words: 4 }]);
});

test("whoever is signed out meanwhile is told, and what they typed comes back", async () => {
  await using app = await startApp();
  const form = newStoryForm();

  const { status, data } = await app.send(action, "/create", { form });

  expect(status).toBe(401);
  expect(data).toMatchObject({
    reply: { status: "refused", reason: "unauthenticated", message: "Not saved." },
    typed: { id: form.id, title: "Salt and Sand", text: "The tide\ncame in." },
  });
});

test.each([
  ["without a title", { title: " " }, "Give your story a title first."],
  ["without a line", { text: "\n" }, "Write a first line before you publish."],
  ["with a cover that is no address", { cover: "x" }, "A cover link must begin with https://"],
  [
    "with an intent of no meaning",
    { intent: "x" },
    "The form is incomplete. Reload the page and try again.",
  ],
  [
    "with an id of no meaning",
    { id: "x" },
    "The form is incomplete. Reload the page and try again.",
  ],
])("a story %s is not published, and nothing of it is lost", async (_, change, hint) => {
  await using desk = await openEditorPage();
  const form = { ...newStoryForm({ intent: "publish" }), ...change };

  const { status, data } = await desk.send(form);

  expect(status).toBe(400);
  const { reply, typed } = data as DeskReply;
  const message = form.intent === "publish" ? "Not published." : "Not saved.";
  expect(reply).toMatchObject({ status: "refused", message, hint });
  expect(typed).toMatchObject({ title: form.title, text: form.text.replaceAll("\r\n", "\n") });
  expect(await desk.list()).toEqual([]);
});

test("whatever is in the editor, a preview brings it back as it was typed", async () => {
  await using desk = await openEditorPage();
  const form = newStoryForm({ intent: "preview", text: `${">".repeat(3000)} deep` });

  const { status, data } = await desk.send(form);

  expect(status).toBe(200);
  expect(data).toMatchObject({ typed: { text: form.text } });
});

test("a save that started from an older one brings both texts back", async () => {
  await using desk = await openEditorPage();
  const form = newStoryForm();
  await desk.send(form);
  await desk.send({ ...form, revision: "1", text: "Written there" });

  const { status, data } = await desk.send({ ...form, revision: "1", text: "Written here" });

  expect(status).toBe(409);
  expect(data).toMatchObject({
    reply: { status: "conflict", theirs: { text: "Written there", revision: 2 } },
    typed: { text: "Written here" },
  });
});

test("a story is published, updated and withdrawn by its form", async () => {
  await using desk = await openEditorPage();
  const form = newStoryForm({ intent: "publish" });
  const published = await desk.send(form);
  const path = `/create?draft=${form.id}`;
  expect(published.headers.get("Location")).toBe(`${path}&published#published`);
  expect((await desk.desk(`${path}&published`)).isJustPublished).toBe(true);
  expect((await desk.desk(path)).isJustPublished).toBe(false);
  const { draft } = await desk.desk(path);
  expect(draft).toMatchObject({ revision: 1, publishedRevision: 1 });
  expect(draft.storyId).toMatch(/^salt-and-sand-\d{10}$/);

  await desk.send({ ...form, intent: "save", revision: "1", text: "More" });
  expect((await desk.desk(path)).draft).toMatchObject({ revision: 2, publishedRevision: 1 });
  await desk.send({ ...form, intent: "publish", revision: "2", text: "More" });
  expect((await desk.desk(path)).draft).toMatchObject({ revision: 3, publishedRevision: 3 });

  await desk.send({ ...form, intent: "unpublish", revision: "3", text: "Even more" });
  expect((await desk.desk(path)).draft).toMatchObject({
    text: "Even more",
    publishedRevision: null,
  });

  await desk.send({ ...form, intent: "publish", revision: "4" });
  const again = { revision: 5, publishedRevision: 5, storyId: draft.storyId };
  expect((await desk.desk(path)).draft).toMatchObject(again);
});

test("a deleted draft leaves the list, and one key brings it back", async () => {
  await using desk = await openEditorPage();
  const form = newStoryForm();
  await desk.send(form);

  const gone = await desk.send({ intent: "remove", id: form.id, revision: "1" });
  const address = gone.headers.get("Location") ?? "";
  expect(await desk.list(address)).toEqual([]);
  expect((await desk.desk(address)).removed).toEqual({ id: form.id, revision: 2 });

  const back = await desk.send({ intent: "bring-back", id: form.id, revision: "2" });
  expect(back.headers.get("Location")).toBe(`/create?draft=${form.id}`);
  expect((await desk.desk(`/create?draft=${form.id}`)).draft.text).toBe("The tide\ncame in.");
});

test("a deleted draft is still at its address, where saving it brings it back", async () => {
  await using desk = await openEditorPage();
  const form = newStoryForm();
  await desk.send(form);
  await desk.send({ intent: "remove", id: form.id, revision: "1" });
  const path = `/create?draft=${form.id}`;
  const deleted = { text: "The tide\ncame in.", revision: 2, deletedAt: expect.any(Number) };
  expect((await desk.desk(path)).draft).toMatchObject(deleted);

  const { status, data } = await desk.send({ ...form, revision: "1", text: "Written here" });
  expect(status).toBe(409);
  expect(data).toMatchObject({
    reply: { status: "conflict", theirs: deleted },
    typed: { text: "Written here" },
  });

  await desk.send({ ...form, revision: "2", text: "Written here" });
  const { draft } = await desk.desk(path);
  expect(draft).toMatchObject({ text: "Written here", deletedAt: null });
  expect(await desk.list(path)).toMatchObject([{ id: form.id }]);
});

test("what was deleted more than a day ago is gone after the next visit, with all its versions", async () => {
  await using desk = await openEditorPage();
  const { app, person } = desk;
  const form = newStoryForm({ intent: "publish" });
  const fresh = newStoryForm();
  await desk.send(form);
  await desk.send({ ...form, intent: "unpublish", revision: "1" });
  await desk.send({ intent: "remove", id: form.id, revision: "2" });
  await desk.send(fresh);
  await desk.send({ intent: "remove", id: fresh.id, revision: "1" });
  const { hosts } = app.firebase;
  const path = `users/${person.localId}/drafts`;
  const deletedAt = { timestampValue: new Date(Date.now() - 25 * HOUR_MS).toISOString() };
  await changeDocument(hosts, `${path}/${form.id}`, { deletedAt });

  expect(await desk.list()).toEqual([]);
  await app.finish();

  for (const rest of ["", "/parts/0", "/versions/1", "/versions/1/parts/0"]) {
    const left = await readDocument(hosts, `${path}/${form.id}${rest}`);
    expect(left, rest).toMatchObject({ error: { code: 404 } });
  }
  const { status, data } = await desk.send({ intent: "bring-back", id: form.id, revision: "3" });
  expect(status).toBe(400);
  expect(data).toMatchObject({ reply: { hint: expect.stringContaining("can't be restored") } });
  await desk.send({ intent: "bring-back", id: fresh.id, revision: "2" });
  expect(await desk.list()).toMatchObject([{ id: fresh.id }]);
});

test("a visit deletes only so much for good, and the next goes on with it", async () => {
  await using desk = await openEditorPage();
  const { hosts } = desk.app.firebase;
  const path = `users/${desk.person.localId}/drafts`;
  const forms = Array.from({ length: 6 }, () => newStoryForm());
  for (const form of forms) {
    await desk.send(form);
    const deletedAt = { timestampValue: "2026-01-01T00:00:00Z" };
    await changeDocument(hosts, `${path}/${form.id}`, { deletedAt });
  }
  const countLeft = async () => {
    const left = await Promise.all(forms.map(({ id }) => readDocument(hosts, `${path}/${id}`)));
    return left.filter((fields) => Object.hasOwn(Object(fields), "revision")).length;
  };

  await desk.desk();
  await desk.app.finish();
  expect(await countLeft()).toBe(2);
  await desk.desk();
  await desk.app.finish();
  expect(await countLeft()).toBe(0);
});

test("no page waits for a draft to be deleted for good, which goes on after the answer", async () => {
  await using desk = await openEditorPage();
  const { app, cookie, person } = desk;
  const form = newStoryForm();
  await desk.send(form);
  const path = `users/${person.localId}/drafts/${form.id}`;
  const deletedAt = { timestampValue: "2026-01-01T00:00:00Z" };
  await changeDocument(app.firebase.hosts, path, { deletedAt });
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await using held = await startHeldFirestore(app.env.FIRESTORE_EMULATOR_HOST, released);
  const slow = app.withVariables({ FIRESTORE_EMULATOR_HOST: held.host });

  const { data } = await slow.send(loader, "/create", { cookie });

  expect(data).toMatchObject({ desk: { papers: { drafts: [] } } });
  expect(await readDocument(app.firebase.hosts, path)).toHaveProperty("revision");
  release();
  await slow.finish();
  expect(await readDocument(app.firebase.hosts, path)).toMatchObject({ error: { code: 404 } });
});

test("saving once more without a change leaves a published story published", async () => {
  await using desk = await openEditorPage();
  const form = newStoryForm({ intent: "publish" });
  await desk.send(form);

  await desk.send({ ...form, intent: "save", revision: "1" });

  const { draft } = await desk.desk(`/create?draft=${form.id}`);
  expect(draft).toMatchObject({ revision: 1, publishedRevision: 1 });
});

test("saving changes only the text alone can tell is saving all the same", async () => {
  await using desk = await openEditorPage();
  const form = newStoryForm();
  await desk.send(form);

  await desk.send({ ...form, revision: "1", text: "The wave\ncame in." });

  const { draft } = await desk.desk(`/create?draft=${form.id}`);
  expect(draft).toMatchObject({ revision: 2, text: "The wave\ncame in." });
});

test("what one person left in the editor never goes into another's account", async () => {
  await using desk = await openEditorPage();
  const form = newStoryForm({ uid: "somebody-else" });

  const { status, data } = await desk.send(form);

  expect(status).toBe(401);
  expect(data).toMatchObject({ typed: { text: "The tide\ncame in." } });
  expect(await desk.list()).toEqual([]);
});

test.each(["save", "publish", "unpublish", "set-aside", "remove", "restore"])(
  "scripts that still write for one person change nothing for another who has signed in meanwhile: %s",
  async (intent) => {
    await using desk = await openEditorPage();
    const { app, cookie } = desk;
    const form = newStoryForm();
    await desk.send(form);
    const left = { ...form, intent, uid: "somebody-else", revision: "1", text: "Not theirs" };

    const saved = await app.send(saveByScript, "/drafts", { form: left, cookie });

    expect(saved.status).toBe(401);
    expect(await readJson(saved)).toMatchObject({ reason: "unauthenticated" });
    const { draft } = await desk.desk(`/create?draft=${form.id}`);
    expect(draft).toMatchObject({ revision: 1, text: "The tide\ncame in.", deletedAt: null });
  },
);

test("without scripts, whoever signs out beside the editor has saved what is in it", async () => {
  await using desk = await openEditorPage();
  const form = newStoryForm({ intent: "sign-out" });

  const { status, headers } = await desk.send(form);

  expect([status, headers.get("Location")]).toEqual([303, "/create"]);
  expect(headers.get("Set-Cookie")).toMatch(/^__session=; Max-Age=0/);
  const cookie = await signIn(desk.app, desk.person);
  const { data } = await desk.app.send(loader, "/create", { cookie });
  expect(data).toMatchObject({ desk: { papers: { drafts: [{ title: "Salt and Sand" }] } } });
});

test("an unknown draft is a new one, of that id where it can be one", async () => {
  await using desk = await openEditorPage();
  const id = "1".repeat(20);

  const unknown = await desk.desk(`/create?draft=${id}`);
  expect(unknown.draft).toMatchObject({ id, revision: 0, text: "" });
  const impossible = await desk.desk("/create?draft=../x");
  expect(impossible.draft).toMatchObject({ revision: 0, text: "" });
  expect(impossible.draft.id).not.toBe("../x");
});

test("scripts save by the same rules, and are answered in JSON", async () => {
  await using desk = await openEditorPage();
  const form = newStoryForm();
  const { app, cookie } = desk;

  const saved = await app.send(saveByScript, "/drafts", { form, cookie });
  expect(await readJson(saved)).toMatchObject({
    status: "saved",
    draft: { id: form.id, revision: 1 },
  });

  const stranger = await app.send(saveByScript, "/drafts", { form });
  expect(stranger.status).toBe(401);
  expect(await readJson(stranger)).toMatchObject({ status: "refused", reason: "unauthenticated" });
});

test("scripts ask for a draft that another device has saved, and are told of their own alone", async () => {
  await using desk = await openEditorPage();
  const { app, cookie, send } = desk;
  const form = newStoryForm();
  await send(form);
  const path = `/drafts?id=${form.id}`;

  const mine = await app.send(askForDraft, path, { cookie });
  expect(await readJson(mine)).toMatchObject({
    draft: { id: form.id, revision: 1, title: "Salt and Sand", text: "The tide\ncame in." },
  });
  expect(mine.headers.get("Cache-Control")).toBe("no-store");

  const stranger = await signIn(app, await app.firebase.addAccount());
  expect(await readJson(await app.send(askForDraft, path, { cookie: stranger }))).toEqual({
    draft: null,
  });
  expect(await app.send(askForDraft, path)).toMatchObject({ status: 401 });
  for (const nonsense of ["/drafts", "/drafts?id=../x"]) {
    expect(await app.send(askForDraft, nonsense, { cookie })).toMatchObject({ status: 302 });
  }
});

test("a draft that cannot be read right now is not called gone", async () => {
  expectConsoleError();
  await using app = await startApp({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });
  const cookie = await signIn(app, await app.firebase.addAccount());

  const asked = await app.send(askForDraft, `/drafts?id=${createDocumentId()}`, { cookie });

  expect(asked.status).toBe(503);
});

test("a database that is out of reach loses nothing", async () => {
  expectConsoleError();
  await using app = await startApp({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });
  const cookie = await signIn(app, await app.firebase.addAccount());
  const form = newStoryForm();

  const { status, data } = await app.send(action, "/create", { form, cookie });

  expect(status).toBe(503);
  expect(data).toMatchObject({
    reply: { reason: "unreachable" },
    typed: { title: "Salt and Sand" },
  });
});

/** A Firestore that makes no change before `released` resolves. */
function startHeldFirestore(host: string, released: Promise<void>) {
  return startServer(async (response, request) => {
    const { url = "", method, headers } = request;
    const body = await text(request);
    if (url.endsWith(":commit")) await released;
    const { authorization } = headers;
    const answer = await fetch(`http://${host}${url}`, {
      method,
      headers: {
        "Content-Type": "application/json",
        ...(authorization && { Authorization: authorization }),
      },
      ...(body && { body }),
    });
    response.writeHead(answer.status, { "Content-Type": "application/json" });
    response.end(await answer.text());
  });
}
