import { expect, test } from "vitest";

import * as create from "#app/routes/create.tsx";
import type { DeskView } from "#app/writing/editor-data.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { newStoryForm, openEditorPage } from "#tests/support/editor-page.ts";
import { startServer } from "#tests/support/server.ts";

const NOWHERE = { FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" };

/** What the page shows that a loader has answered with. */
function toDesk(data: unknown): DeskView {
  // The loader's own type, which the tests' app does not know.
  return (data as { desk: DeskView }).desk;
}

test.each(["", "&papers=versions", "&version=1"])(
  "a save of a stored draft that does not reach the database brings the typed words back to /create?draft=…%s",
  async (view) => {
    expectConsoleError();
    await using desk = await openEditorPage();
    const form = newStoryForm();
    await desk.send(form);

    const page = await desk.app
      .withVariables(NOWHERE)
      .sendForPage(create, `/create?draft=${form.id}${view}`, {
        form: { ...form, revision: "1", text: "New words" },
        cookie: desk.cookie,
      });

    expect(page.action).toMatchObject({
      status: 503,
      data: {
        reply: { reason: "unreachable" },
        typed: { id: form.id, revision: 1, text: "New words" },
      },
    });
    expect(page.loader.status).toBe(200);
    expect(toDesk(page.loader.data).draft.id).toBe(form.id);
  },
);

test("a draft that cannot be read is not taken for one that is not there, and nothing overwrites it", async () => {
  expectConsoleError();
  await using desk = await openEditorPage();
  const form = newStoryForm();
  await desk.send(form);
  const path = `/create?draft=${form.id}`;
  expect((await desk.desk(path)).isUnreachable).toBe(false);

  const cut = desk.app.withVariables(NOWHERE);
  const { data } = await cut.send(create.loader, path, { cookie: desk.cookie });

  const { draft, isUnreachable, papers } = toDesk(data);
  expect({ isUnreachable, papers }).toEqual({
    isUnreachable: true,
    papers: { kind: "drafts", drafts: null },
  });
  const revision = String(draft.revision);
  const typed = await desk.send({ ...form, id: draft.id, revision, text: "Typed meanwhile" });
  expect(typed).toMatchObject({
    status: 409,
    data: { reply: { theirs: { text: "The tide\ncame in." } }, typed: { text: "Typed meanwhile" } },
  });
});

test("a new draft is not called out of reach", async () => {
  await using desk = await openEditorPage();

  expect((await desk.desk()).isUnreachable).toBe(false);
  expect((await desk.desk(`/create?draft=${"1".repeat(20)}`)).isUnreachable).toBe(false);
});

test("a page does not wait for a database that takes its requests and says nothing", async () => {
  expectConsoleError();
  await using desk = await openEditorPage();
  await using silent = await startServer(() => {});
  const form = newStoryForm();
  await desk.send(form);
  const hung = desk.app.withVariables({ FIRESTORE_EMULATOR_HOST: silent.host });

  const pages = await Promise.all(
    ["", "&papers=versions"].map((view) =>
      hung.send(create.loader, `/create?draft=${form.id}${view}`, { cookie: desk.cookie }),
    ),
  );

  for (const { data } of pages) expect(toDesk(data).isUnreachable).toBe(true);
});
