import { expect, test } from "vitest";

import * as create from "#app/routes/create.tsx";
import { action as saveByScript } from "#app/routes/drafts.ts";
import { MAX_STORY_LENGTH } from "#app/writing/draft.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { createDraftForm, startCreatePage } from "#tests/support/create-page.ts";
import { readJson } from "#tests/support/routes.ts";

type CreatePage = Awaited<ReturnType<typeof startCreatePage>>;

/** Returns the form of an editor at revision 1 after another device has saved revision 2. */
async function makeConflict(createPage: CreatePage, change: Record<string, string> = {}) {
  const form = createDraftForm();
  await createPage.send(form);
  await createPage.send({ ...form, revision: "1", text: "Written there" });
  const here = { ...form, revision: "1", text: "Written here", ...change };
  expect(await createPage.send(here)).toMatchObject({ status: 409 });
  return { ...here, overwrite: "2" };
}

/** Returns the texts and reasons of the earlier versions, newest first. */
async function readVersions(createPage: CreatePage, id: string) {
  const { sidePanel } = await createPage.load(`/create?draft=${id}&panel=versions`);
  if (sidePanel.kind !== "versions" || !sidePanel.versions)
    throw new Error("There are no versions");
  const opened = sidePanel.versions.map(async (version) => {
    const page = await createPage.load(`/create?draft=${id}&version=${version.id}`);
    const text = page.sidePanel.kind === "versions" ? page.sidePanel.version?.text : undefined;
    return [version.reason, text];
  });
  return Promise.all(opened);
}

async function readText(createPage: CreatePage, id: string): Promise<string> {
  return (await createPage.load(`/create?draft=${id}`)).draft.text;
}

test.each(["save", "publish", "send"])(
  "saves the other text as a version when the user keeps their own with %s",
  async (intent) => {
    await using createPage = await startCreatePage();
    const form = await makeConflict(createPage);

    const message = intent === "send" ? "Hello" : "";
    const { status } = await createPage.send({ ...form, intent, messageId: form.id, message });

    expect(status).toBe(303);
    expect(await readText(createPage, form.id)).toBe("Written here");
    expect(await readVersions(createPage, form.id)).toContainEqual(["conflict", "Written there"]);
  },
);

test("saves the other text as a version only once when a script keeps the user's own", async () => {
  await using createPage = await startCreatePage();
  const { app, cookie } = createPage;
  const form = { ...(await makeConflict(createPage)), revision: "2" };

  for (const time of ["once", "twice"]) {
    const saved = await app.send(saveByScript, "/drafts", { form, cookie });
    expect(await readJson(saved), time).toMatchObject({ status: "saved", draft: { revision: 3 } });
  }

  expect(await readVersions(createPage, form.id)).toEqual([["conflict", "Written there"]]);
});

test("saves the user's text as one version when the other is chosen, however often that is sent", async () => {
  await using createPage = await startCreatePage();
  const { app, cookie } = createPage;
  const form = { ...(await makeConflict(createPage)), intent: "save-version" };

  const { status, headers } = await createPage.send(form);
  const saved = await app.send(saveByScript, "/drafts", { form, cookie });

  expect([status, headers.get("Location")]).toEqual([303, `/create?draft=${form.id}`]);
  expect(await readJson(saved)).toMatchObject({ status: "saved", draft: { revision: 2 } });
  expect(await readText(createPage, form.id)).toBe("Written there");
  expect(await readVersions(createPage, form.id)).toEqual([["conflict", "Written here"]]);
});

test("restores the longest text that was not chosen from its version", async () => {
  await using createPage = await startCreatePage();
  const text = "é".repeat(MAX_STORY_LENGTH);
  const form = await makeConflict(createPage, { text });
  await createPage.send({ ...form, intent: "save-version" });
  const { sidePanel } = await createPage.load(`/create?draft=${form.id}&panel=versions`);
  const id = sidePanel.kind === "versions" ? sidePanel.versions?.[0]?.id : undefined;

  await createPage.send({
    id: form.id,
    revision: "2",
    intent: "restore-version",
    version: id ?? "",
  });

  expect((await readText(createPage, form.id)) === text).toBe(true);
});

test("saves a version of each text that was not chosen over the same revision", async () => {
  await using createPage = await startCreatePage();
  const form = { ...(await makeConflict(createPage)), intent: "save-version" };

  await createPage.send(form);
  await createPage.send({ ...form, text: "Written on a third device" });

  const versions = await readVersions(createPage, form.id);
  expect(versions).toHaveLength(2);
  expect(versions).toContainEqual(["conflict", "Written here"]);
  expect(versions).toContainEqual(["conflict", "Written on a third device"]);
});

test("saves no version for a choice between equal texts", async () => {
  await using createPage = await startCreatePage();
  const form = await makeConflict(createPage);

  await createPage.send({ ...form, intent: "publish", text: "Written there" });

  expect(await readVersions(createPage, form.id)).toEqual([["published", "Written there"]]);
});

test("saves the text of a deleted draft as a version when another text restores it", async () => {
  await using createPage = await startCreatePage();
  const form = createDraftForm();
  await createPage.send(form);
  await createPage.send({ intent: "trash", id: form.id, revision: "1" });

  await createPage.send({ ...form, revision: "1", overwrite: "2", text: "Written here" });

  expect(await readText(createPage, form.id)).toBe("Written here");
  expect(await readVersions(createPage, form.id)).toEqual([["conflict", "The tide\ncame in."]]);
});

test.each(["save", "save-version"])(
  "shows the typed text and asks again when a choice fails (%s)",
  async (intent) => {
    expectConsoleError();
    await using createPage = await startCreatePage();
    const form = { ...(await makeConflict(createPage)), intent };

    const page = await createPage.app
      .withVariables({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" })
      .sendForPage(create, `/create?draft=${form.id}`, { form, cookie: createPage.cookie });

    expect(page.action).toMatchObject({
      status: 503,
      data: { typed: { id: form.id, revision: 1, text: "Written here" } },
    });
    const again = { ...createDraftForm(), id: form.id, revision: "1", text: "Written here" };
    expect(await createPage.send(again)).toMatchObject({ status: 409 });
  },
);

test("does not replace a text that is not valid as a version", async () => {
  await using createPage = await startCreatePage();
  const form = { ...(await makeConflict(createPage)), intent: "save-version", cover: "x" };

  const { status, data } = await createPage.send(form);

  expect(status).toBe(400);
  expect(data).toMatchObject({
    result: { reason: "invalid", hint: "A cover link must begin with https://" },
    typed: { text: "Written here" },
  });
});

test("saves a version only of an existing draft, and only in the user's own account", async () => {
  await using createPage = await startCreatePage();
  const form = { ...createDraftForm({ intent: "save-version" }), overwrite: "1" };

  expect(await createPage.send(form)).toMatchObject({
    status: 403,
    data: { typed: { id: form.id } },
  });
  expect(await createPage.send({ ...form, uid: "somebody-else" })).toMatchObject({ status: 401 });
});

test("shows the chosen text and the unsent message", async () => {
  await using createPage = await startCreatePage();
  const form = await makeConflict(createPage);
  const path = `/create?draft=${form.id}`;

  const page = await createPage.app.sendForPage(create, path, {
    form: { ...form, intent: "save-version", messageId: form.id, message: "Half a" },
    cookie: createPage.cookie,
  });

  expect(page.action.data).toMatchObject({ typed: null, message: { text: "Half a" } });
  expect(page.loader.data).toMatchObject({ editor: { draft: { text: "Written there" } } });
});
