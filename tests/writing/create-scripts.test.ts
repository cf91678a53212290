import { expect, test } from "vitest";

import { createDocumentId } from "#app/firebase/document-id.ts";
import { action } from "#app/routes/create.tsx";
import { action as saveByScript, loader as askForDraft } from "#app/routes/drafts.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { createDraftForm, startCreatePage } from "#tests/support/create-page.ts";
import { readJson, signIn, startApp } from "#tests/support/routes.ts";

test("saves for scripts by the same rules, and responds with JSON", async () => {
  await using page = await startCreatePage();
  const form = createDraftForm();
  const { app, cookie } = page;

  const saved = await app.send(saveByScript, "/drafts", { form, cookie });
  expect(await readJson(saved)).toMatchObject({
    status: "saved",
    draft: { id: form.id, revision: 1 },
  });

  const stranger = await app.send(saveByScript, "/drafts", { form });
  expect(stranger.status).toBe(401);
  expect(await readJson(stranger)).toMatchObject({ status: "error", reason: "unauthenticated" });
});

test("returns only the user's own drafts to scripts", async () => {
  await using page = await startCreatePage();
  const { app, cookie, send } = page;
  const form = createDraftForm();
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

test("does not report an unreadable draft as missing", async () => {
  expectConsoleError();
  await using app = await startApp({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });
  const cookie = await signIn(app, await app.firebase.addAccount());

  const asked = await app.send(askForDraft, `/drafts?id=${createDocumentId()}`, { cookie });

  expect(asked.status).toBe(503);
});

test("loses nothing when the database does not respond", async () => {
  expectConsoleError();
  await using app = await startApp({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });
  const cookie = await signIn(app, await app.firebase.addAccount());
  const form = createDraftForm();

  const { status, data } = await app.send(action, "/create", { form, cookie });

  expect(status).toBe(503);
  expect(data).toMatchObject({
    result: { reason: "unavailable" },
    typed: { title: "Salt and Sand" },
  });
});
