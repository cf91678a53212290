import { expect, test } from "vitest";

import { loader } from "#app/routes/create.tsx";
import { action as saveByScript } from "#app/routes/drafts.ts";
import { createDraftForm, startCreatePage } from "#tests/support/create-page.ts";
import { signIn } from "#tests/support/routes.ts";

type CreatePage = Awaited<ReturnType<typeof startCreatePage>>;

/** Returns the versions in the side panel, newest first. */
async function listVersions(page: CreatePage, id: string) {
  const { sidePanel } = await page.load(`/create?draft=${id}&panel=versions`);
  if (sidePanel.kind !== "versions" || !sidePanel.versions)
    throw new Error("There are no versions");
  return sidePanel.versions;
}

test("shows and restores an earlier version", async () => {
  await using page = await startCreatePage();
  const form = createDraftForm({ intent: "publish" });
  await page.send(form);
  await page.send({ ...form, intent: "save", revision: "1", text: "Worse" });

  const path = `/create?draft=${form.id}`;
  const versions = [{ id: "1", reason: "published" }];
  expect((await page.load(`${path}&panel=versions`)).sidePanel).toMatchObject({ versions });
  expect((await page.load(`${path}&version=1`)).sidePanel).toMatchObject({
    versions,
    version: { text: "The tide\ncame in." },
  });

  await page.send({ intent: "restore-version", id: form.id, revision: "2", version: "1" });
  expect((await page.load(path)).draft).toMatchObject({ text: "The tide\ncame in.", revision: 3 });
});

test("compares an earlier version with the draft", async () => {
  await using page = await startCreatePage();
  const form = createDraftForm({ intent: "publish" });
  await page.send(form);
  await page.send({ ...form, intent: "save", revision: "1", text: "The slow tide came in." });

  const path = `/create?draft=${form.id}&version=1`;
  expect((await page.load(path)).sidePanel).toMatchObject({ changes: null });
  expect((await page.load(`${path}&view=changes`)).sidePanel).toMatchObject({
    version: { id: "1" },
    changes: {
      fields: [],
      text: [
        {
          pieces: [
            { kind: "unchanged", text: "The" },
            { kind: "added", text: " slow" },
            { kind: "unchanged", text: " tide came in." },
          ],
        },
      ],
    },
  });
});

test("compares neither another user's draft nor a missing version", async () => {
  await using page = await startCreatePage();
  const form = createDraftForm({ intent: "publish" });
  await page.send(form);
  const path = `/create?draft=${form.id}&view=changes`;
  const { app } = page;
  const other = await signIn(app, await app.firebase.addAccount());

  const { data } = await app.send(loader, `${path}&version=1`, { cookie: other });

  const nothing = { sidePanel: { version: null, changes: null } };
  expect(data).toMatchObject({ editor: nothing });
  expect(await page.load(`${path}&version=7`)).toMatchObject(nothing);
});

test("restores a version even when the draft was saved meanwhile", async () => {
  await using page = await startCreatePage();
  const form = createDraftForm({ intent: "publish" });
  await page.send(form);
  await page.send({ ...form, intent: "save", revision: "1", text: "Worse" });

  await page.send({ intent: "restore-version", id: form.id, revision: "1", version: "1" });

  const { draft } = await page.load(`/create?draft=${form.id}`);
  expect(draft).toMatchObject({ text: "The tide\ncame in.", revision: 3 });
});

test("returns no typed text for a form without a text", async () => {
  await using page = await startCreatePage();
  const form = createDraftForm();
  await page.send(form);

  const { data } = await page.send({
    intent: "restore-version",
    id: form.id,
    revision: "1",
    version: "7",
  });

  expect(data).toMatchObject({ result: { hint: "This version doesn't exist." }, typed: null });
});

test("saves the replaced text as a version, which restores everything", async () => {
  await using page = await startCreatePage();
  const form = createDraftForm({ intent: "publish" });
  await page.send(form);
  await page.send({ ...form, intent: "save", revision: "1", text: "Fifty minutes of work" });
  const restore = (version: string) =>
    page.send({ intent: "restore-version", id: form.id, revision: "2", version });

  await restore("1");

  expect(await listVersions(page, form.id)).toMatchObject([
    { id: "2", reason: "replaced" },
    { id: "1", reason: "published" },
  ]);
  await restore("2");
  const { draft } = await page.load(`/create?draft=${form.id}`);
  expect(draft).toMatchObject({ text: "Fifty minutes of work", revision: 4 });
});

test("changes nothing when the draft contains the restored text already", async () => {
  await using page = await startCreatePage();
  const form = createDraftForm({ intent: "publish" });
  await page.send(form);

  const { status } = await page.send({
    intent: "restore-version",
    id: form.id,
    revision: "1",
    version: "1",
  });

  expect(status).toBe(303);
  const { draft } = await page.load(`/create?draft=${form.id}`);
  expect(draft).toMatchObject({ revision: 1, publishedRevision: 1 });
  expect(await listVersions(page, form.id)).toMatchObject([{ id: "1" }]);
});

test("restores a version during autosave", async () => {
  await using page = await startCreatePage();
  const { app, cookie } = page;
  const form = createDraftForm({ intent: "publish" });
  await page.send(form);
  const statuses: number[] = [];
  for (let revision = 1; revision < 9;) {
    const target = { id: form.id, revision: String(revision) };
    const typed = { ...form, ...target, intent: "save", text: `Typed ${revision}` };
    const [restored] = await Promise.all([
      page.send({ ...target, intent: "restore-version", version: "1" }),
      app.send(saveByScript, "/drafts", { form: typed, cookie }),
    ]);
    statuses.push(restored.status);
    revision = (await page.load(`/create?draft=${form.id}`)).draft.revision;
  }

  expect(new Set(statuses)).toEqual(new Set([303]));
});

test("deletes a draft during autosave", async () => {
  await using page = await startCreatePage();
  const { app, cookie } = page;
  const form = createDraftForm();
  await page.send(form);
  const typed = { ...form, revision: "1", text: "Typed" };

  const [removed] = await Promise.all([
    page.send({ intent: "trash", id: form.id, revision: "1" }),
    app.send(saveByScript, "/drafts", { form: typed, cookie }),
  ]);

  expect(removed.status).toBe(303);
  expect(await page.list()).toEqual([]);
});
