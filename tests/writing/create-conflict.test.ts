import { expect, test } from "vitest";

import * as create from "#app/routes/create.tsx";
import { action as saveByScript } from "#app/routes/drafts.ts";
import { MAX_STORY_LENGTH } from "#app/writing/draft.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { newStoryForm, openEditorPage } from "#tests/support/editor-page.ts";
import { readJson } from "#tests/support/routes.ts";

type Desk = Awaited<ReturnType<typeof openEditorPage>>;

/** The form of an editor that still holds the first save, while the second was made on another device. */
async function makeConflict(desk: Desk, change: Record<string, string> = {}) {
  const form = newStoryForm();
  await desk.send(form);
  await desk.send({ ...form, revision: "1", text: "Written there" });
  const here = { ...form, revision: "1", text: "Written here", ...change };
  expect(await desk.send(here)).toMatchObject({ status: 409 });
  return { ...here, overwrite: "2" };
}

/** The texts that Create shows as earlier versions, newest first, with why they are there. */
async function readVersions(desk: Desk, id: string) {
  const { papers } = await desk.desk(`/create?draft=${id}&papers=versions`);
  if (papers.kind !== "versions" || !papers.versions) throw new Error("There are no versions");
  const opened = papers.versions.map(async (version) => {
    const page = await desk.desk(`/create?draft=${id}&version=${version.id}`);
    const text = page.papers.kind === "versions" ? page.papers.version?.text : undefined;
    return [version.reason, text];
  });
  return Promise.all(opened);
}

async function readText(desk: Desk, id: string): Promise<string> {
  return (await desk.desk(`/create?draft=${id}`)).draft.text;
}

test.each(["save", "publish", "send"])(
  "the other text is an earlier version once one's own is kept with %s",
  async (intent) => {
    await using desk = await openEditorPage();
    const form = await makeConflict(desk);

    const message = intent === "send" ? "Hello" : "";
    const { status } = await desk.send({ ...form, intent, messageId: form.id, message });

    expect(status).toBe(303);
    expect(await readText(desk, form.id)).toBe("Written here");
    expect(await readVersions(desk, form.id)).toContainEqual(["conflict", "Written there"]);
  },
);

test("scripts that keep their own text keep the other as a version, once", async () => {
  await using desk = await openEditorPage();
  const { app, cookie } = desk;
  const form = { ...(await makeConflict(desk)), revision: "2" };

  for (const time of ["once", "twice"]) {
    const saved = await app.send(saveByScript, "/drafts", { form, cookie });
    expect(await readJson(saved), time).toMatchObject({ status: "saved", draft: { revision: 3 } });
  }

  expect(await readVersions(desk, form.id)).toEqual([["conflict", "Written there"]]);
});

test("one's own text is an earlier version once the other is taken, however often that is sent", async () => {
  await using desk = await openEditorPage();
  const { app, cookie } = desk;
  const form = { ...(await makeConflict(desk)), intent: "set-aside" };

  const { status, headers } = await desk.send(form);
  const saved = await app.send(saveByScript, "/drafts", { form, cookie });

  expect([status, headers.get("Location")]).toEqual([303, `/create?draft=${form.id}`]);
  expect(await readJson(saved)).toMatchObject({ status: "saved", draft: { revision: 2 } });
  expect(await readText(desk, form.id)).toBe("Written there");
  expect(await readVersions(desk, form.id)).toEqual([["conflict", "Written here"]]);
});

test("the longest text that gave way is restored from its version", async () => {
  await using desk = await openEditorPage();
  const text = "é".repeat(MAX_STORY_LENGTH);
  const form = await makeConflict(desk, { text });
  await desk.send({ ...form, intent: "set-aside" });
  const { papers } = await desk.desk(`/create?draft=${form.id}&papers=versions`);
  const id = papers.kind === "versions" ? papers.versions?.[0]?.id : undefined;

  await desk.send({ id: form.id, revision: "2", intent: "restore", version: id ?? "" });

  expect((await readText(desk, form.id)) === text).toBe(true);
});

test("several texts that gave way to the same save are all there", async () => {
  await using desk = await openEditorPage();
  const form = { ...(await makeConflict(desk)), intent: "set-aside" };

  await desk.send(form);
  await desk.send({ ...form, text: "Written on a third device" });

  const versions = await readVersions(desk, form.id);
  expect(versions).toHaveLength(2);
  expect(versions).toContainEqual(["conflict", "Written here"]);
  expect(versions).toContainEqual(["conflict", "Written on a third device"]);
});

test("of a choice between equal texts no version is made", async () => {
  await using desk = await openEditorPage();
  const form = await makeConflict(desk);

  await desk.send({ ...form, intent: "publish", text: "Written there" });

  expect(await readVersions(desk, form.id)).toEqual([["published", "Written there"]]);
});

test("what a deleted draft held is an earlier version when another text brings it back", async () => {
  await using desk = await openEditorPage();
  const form = newStoryForm();
  await desk.send(form);
  await desk.send({ intent: "remove", id: form.id, revision: "1" });

  await desk.send({ ...form, revision: "1", overwrite: "2", text: "Written here" });

  expect(await readText(desk, form.id)).toBe("Written here");
  expect(await readVersions(desk, form.id)).toEqual([["conflict", "The tide\ncame in."]]);
});

test.each(["save", "set-aside"])(
  "a choice that cannot be carried out (%s) brings the typed text back, and is asked for again",
  async (intent) => {
    expectConsoleError();
    await using desk = await openEditorPage();
    const form = { ...(await makeConflict(desk)), intent };

    const page = await desk.app
      .withVariables({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" })
      .sendForPage(create, `/create?draft=${form.id}`, { form, cookie: desk.cookie });

    expect(page.action).toMatchObject({
      status: 503,
      data: { typed: { id: form.id, revision: 1, text: "Written here" } },
    });
    const again = { ...newStoryForm(), id: form.id, revision: "1", text: "Written here" };
    expect(await desk.send(again)).toMatchObject({ status: 409 });
  },
);

test("a text that no version can hold does not give way", async () => {
  await using desk = await openEditorPage();
  const form = { ...(await makeConflict(desk)), intent: "set-aside", cover: "x" };

  const { status, data } = await desk.send(form);

  expect(status).toBe(400);
  expect(data).toMatchObject({
    reply: { reason: "invalid", hint: "A cover link must begin with https://" },
    typed: { text: "Written here" },
  });
});

test("a text gives way only to a draft that is there, and only in its writer's account", async () => {
  await using desk = await openEditorPage();
  const form = { ...newStoryForm({ intent: "set-aside" }), overwrite: "1" };

  expect(await desk.send(form)).toMatchObject({ status: 403, data: { typed: { id: form.id } } });
  expect(await desk.send({ ...form, uid: "somebody-else" })).toMatchObject({ status: 401 });
});

test("whoever takes the other text beside a half-written message finds both", async () => {
  await using desk = await openEditorPage();
  const form = await makeConflict(desk);
  const path = `/create?draft=${form.id}`;

  const page = await desk.app.sendForPage(create, path, {
    form: { ...form, intent: "set-aside", messageId: form.id, message: "Half a" },
    cookie: desk.cookie,
  });

  expect(page.action.data).toMatchObject({ typed: null, message: { text: "Half a" } });
  expect(page.loader.data).toMatchObject({ desk: { draft: { text: "Written there" } } });
});
