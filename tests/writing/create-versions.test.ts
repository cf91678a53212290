import { expect, test } from "vitest";

import { loader } from "#app/routes/create.tsx";
import { action as saveByScript } from "#app/routes/drafts.ts";
import { newStoryForm, openEditorPage } from "#tests/support/editor-page.ts";
import { signIn } from "#tests/support/routes.ts";

type Desk = Awaited<ReturnType<typeof openEditorPage>>;

/** What Create lists as versions of a draft, newest first. */
async function listVersions(desk: Desk, id: string) {
  const { papers } = await desk.desk(`/create?draft=${id}&papers=versions`);
  if (papers.kind !== "versions" || !papers.versions) throw new Error("There are no versions");
  return papers.versions;
}

test("an earlier version can be seen, and restored", async () => {
  await using desk = await openEditorPage();
  const form = newStoryForm({ intent: "publish" });
  await desk.send(form);
  await desk.send({ ...form, intent: "save", revision: "1", text: "Worse" });

  const path = `/create?draft=${form.id}`;
  const versions = [{ id: "1", reason: "published" }];
  expect((await desk.desk(`${path}&papers=versions`)).papers).toMatchObject({ versions });
  expect((await desk.desk(`${path}&version=1`)).papers).toMatchObject({
    versions,
    version: { text: "The tide\ncame in." },
  });

  await desk.send({ intent: "restore", id: form.id, revision: "2", version: "1" });
  expect((await desk.desk(path)).draft).toMatchObject({ text: "The tide\ncame in.", revision: 3 });
});

test("an earlier version can be compared with the draft as it is now", async () => {
  await using desk = await openEditorPage();
  const form = newStoryForm({ intent: "publish" });
  await desk.send(form);
  await desk.send({ ...form, intent: "save", revision: "1", text: "The slow tide came in." });

  const path = `/create?draft=${form.id}&version=1`;
  expect((await desk.desk(path)).papers).toMatchObject({ changes: null });
  expect((await desk.desk(`${path}&view=changes`)).papers).toMatchObject({
    version: { id: "1" },
    changes: {
      fields: [],
      text: [
        {
          pieces: [
            { kind: "kept", text: "The" },
            { kind: "added", text: " slow" },
            { kind: "kept", text: " tide came in." },
          ],
        },
      ],
    },
  });
});

test("nobody compares what is another's, or with a version that there is not", async () => {
  await using desk = await openEditorPage();
  const form = newStoryForm({ intent: "publish" });
  await desk.send(form);
  const path = `/create?draft=${form.id}&view=changes`;
  const { app } = desk;
  const other = await signIn(app, await app.firebase.addAccount());

  const { data } = await app.send(loader, `${path}&version=1`, { cookie: other });

  const nothing = { papers: { version: null, changes: null } };
  expect(data).toMatchObject({ desk: nothing });
  expect(await desk.desk(`${path}&version=7`)).toMatchObject(nothing);
});

test("whatever became of the draft meanwhile, a version that is asked for is restored", async () => {
  await using desk = await openEditorPage();
  const form = newStoryForm({ intent: "publish" });
  await desk.send(form);
  await desk.send({ ...form, intent: "save", revision: "1", text: "Worse" });

  await desk.send({ intent: "restore", id: form.id, revision: "1", version: "1" });

  const { draft } = await desk.desk(`/create?draft=${form.id}`);
  expect(draft).toMatchObject({ text: "The tide\ncame in.", revision: 3 });
});

test("a form that sends no text brings none back", async () => {
  await using desk = await openEditorPage();
  const form = newStoryForm();
  await desk.send(form);

  const { data } = await desk.send({ intent: "restore", id: form.id, revision: "1", version: "7" });

  expect(data).toMatchObject({ reply: { hint: "This version doesn't exist." }, typed: null });
});

test("what a restored version takes the place of is a version itself, and brings everything back", async () => {
  await using desk = await openEditorPage();
  const form = newStoryForm({ intent: "publish" });
  await desk.send(form);
  await desk.send({ ...form, intent: "save", revision: "1", text: "Fifty minutes of work" });
  const restore = (version: string) =>
    desk.send({ intent: "restore", id: form.id, revision: "2", version });

  await restore("1");

  expect(await listVersions(desk, form.id)).toMatchObject([
    { id: "2", reason: "replaced" },
    { id: "1", reason: "published" },
  ]);
  await restore("2");
  const { draft } = await desk.desk(`/create?draft=${form.id}`);
  expect(draft).toMatchObject({ text: "Fifty minutes of work", revision: 4 });
});

test("restoring what the draft holds anyway changes nothing", async () => {
  await using desk = await openEditorPage();
  const form = newStoryForm({ intent: "publish" });
  await desk.send(form);

  const { status } = await desk.send({
    intent: "restore",
    id: form.id,
    revision: "1",
    version: "1",
  });

  expect(status).toBe(303);
  const { draft } = await desk.desk(`/create?draft=${form.id}`);
  expect(draft).toMatchObject({ revision: 1, publishedRevision: 1 });
  expect(await listVersions(desk, form.id)).toMatchObject([{ id: "1" }]);
});

test("a version is restored while the editor saves by itself", async () => {
  await using desk = await openEditorPage();
  const { app, cookie } = desk;
  const form = newStoryForm({ intent: "publish" });
  await desk.send(form);
  const statuses: number[] = [];
  for (let revision = 1; revision < 9;) {
    const target = { id: form.id, revision: String(revision) };
    const typed = { ...form, ...target, intent: "save", text: `Typed ${revision}` };
    const [restored] = await Promise.all([
      desk.send({ ...target, intent: "restore", version: "1" }),
      app.send(saveByScript, "/drafts", { form: typed, cookie }),
    ]);
    statuses.push(restored.status);
    revision = (await desk.desk(`/create?draft=${form.id}`)).draft.revision;
  }

  expect(new Set(statuses)).toEqual(new Set([303]));
});

test("a draft is deleted while the editor saves by itself", async () => {
  await using desk = await openEditorPage();
  const { app, cookie } = desk;
  const form = newStoryForm();
  await desk.send(form);
  const typed = { ...form, revision: "1", text: "Typed" };

  const [removed] = await Promise.all([
    desk.send({ intent: "remove", id: form.id, revision: "1" }),
    app.send(saveByScript, "/drafts", { form: typed, cookie }),
  ]);

  expect(removed.status).toBe(303);
  expect(await desk.list()).toEqual([]);
});
