import { expect, test } from "vitest";

import * as create from "#app/routes/create.tsx";
import type { EditorData } from "#app/writing/editor-data.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { createDraftForm, startCreatePage } from "#tests/support/create-page.ts";
import { startServer } from "#tests/support/server.ts";

const UNREACHABLE = { FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" };

/** Returns the editor's part of the loader data. */
function toEditorData(data: unknown): EditorData {
  // `send` does not infer the loader's type.
  return (data as { editor: EditorData }).editor;
}

test.each(["", "&panel=versions", "&version=1"])(
  "shows the typed text again when a save does not reach the database: /create?draft=…%s",
  async (view) => {
    expectConsoleError();
    await using createPage = await startCreatePage();
    const form = createDraftForm();
    await createPage.send(form);

    const page = await createPage.app
      .withVariables(UNREACHABLE)
      .sendForPage(create, `/create?draft=${form.id}${view}`, {
        form: { ...form, revision: "1", text: "New words" },
        cookie: createPage.cookie,
      });

    expect(page.action).toMatchObject({
      status: 503,
      data: {
        result: { reason: "unavailable" },
        typed: { id: form.id, revision: 1, text: "New words" },
      },
    });
    expect(page.loader.status).toBe(200);
    expect(toEditorData(page.loader.data).draft.id).toBe(form.id);
  },
);

test("does not mistake a draft that can't be read for a missing one, and overwrites nothing", async () => {
  expectConsoleError();
  await using createPage = await startCreatePage();
  const form = createDraftForm();
  await createPage.send(form);
  const path = `/create?draft=${form.id}`;
  expect((await createPage.load(path)).isUnavailable).toBe(false);

  const cut = createPage.app.withVariables(UNREACHABLE);
  const { data } = await cut.send(create.loader, path, { cookie: createPage.cookie });

  const { draft, isUnavailable, sidePanel } = toEditorData(data);
  expect({ isUnavailable, sidePanel }).toEqual({
    isUnavailable: true,
    sidePanel: { kind: "drafts", drafts: null, older: null },
  });
  const revision = String(draft.revision);
  const typed = await createPage.send({ ...form, id: draft.id, revision, text: "Typed meanwhile" });
  expect(typed).toMatchObject({
    status: 409,
    data: {
      result: { remote: { text: "The tide\ncame in." } },
      typed: { text: "Typed meanwhile" },
    },
  });
});

test("does not call a new draft unavailable", async () => {
  await using createPage = await startCreatePage();

  expect((await createPage.load()).isUnavailable).toBe(false);
  expect((await createPage.load(`/create?draft=${"1".repeat(20)}`)).isUnavailable).toBe(false);
});

test("does not wait for a database that never responds", async () => {
  expectConsoleError();
  await using createPage = await startCreatePage();
  await using silent = await startServer(() => {});
  const form = createDraftForm();
  await createPage.send(form);
  const hung = createPage.app.withVariables({ FIRESTORE_EMULATOR_HOST: silent.host });

  const pages = await Promise.all(
    ["", "&panel=versions"].map((view) =>
      hung.send(create.loader, `/create?draft=${form.id}${view}`, { cookie: createPage.cookie }),
    ),
  );

  for (const { data } of pages) expect(toEditorData(data).isUnavailable).toBe(true);
});
