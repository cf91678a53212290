import { expect, test } from "vitest";

import { readQuote } from "#app/chat/quotes/quote.ts";
import { action, loader } from "#app/routes/create.tsx";
import { action as saveByScript } from "#app/routes/drafts.ts";
import { loader as readStory } from "#app/routes/read.$id.tsx";
import type { EditorActionData } from "#app/writing/editor-data.ts";
import { createDraftForm, startCreatePage } from "#tests/support/create-page.ts";
import { deleteDocument, readDocument } from "#tests/support/documents.ts";
import { renderMarkdown } from "#tests/support/markdown.ts";
import { visit } from "#tests/support/profile-browser.ts";
import { readJson, signIn, startApp } from "#tests/support/routes.ts";

test("shows a saved draft at its address and in the list, as it was typed", async () => {
  await using page = await startCreatePage();
  const form = createDraftForm();

  const response = await page.send(form);

  expect(response.status).toBe(303);
  expect(response.headers.get("Location")).toBe(`/create?draft=${form.id}`);
  const path = `/create?draft=${form.id}`;
  expect((await page.load(path)).draft).toMatchObject({
    id: form.id,
    revision: 1,
    title: "Salt and Sand",
    text: "The tide\ncame in.",
    tags: ["sea", "slow"],
  });
  expect(await page.list(path)).toMatchObject([{ id: form.id, words: 4 }]);
});

test("shows the typed text again when the session has expired", async () => {
  await using app = await startApp();
  const form = createDraftForm({ uid: "ana" });

  const { status, data } = await app.send(action, "/create", { form });

  expect(status).toBe(401);
  expect(data).toMatchObject({
    result: { status: "error", reason: "unauthenticated", message: "Not saved." },
    typed: { uid: "ana", id: form.id, title: "Salt and Sand", text: "The tide\ncame in." },
  });
});

test.each([
  ["without a title", { title: " " }, "Give your story a title first."],
  ["without a line", { text: "\n" }, "Write a first line before you publish."],
  [
    "with too many short paragraphs",
    { text: "a\n\n".repeat(100_000) },
    "This text has too many short paragraphs, list items or marks for its length. Join some of them, or split the story in two.",
  ],
  ["with an invalid cover", { cover: "x" }, "A cover link must begin with https://"],
  [
    "with an unknown intent",
    { intent: "x" },
    "The form is incomplete. Reload the page and try again.",
  ],
  ["with an invalid id", { id: "x" }, "The form is incomplete. Reload the page and try again."],
])("does not publish a story %s, and returns all of its text", async (_, change, hint) => {
  await using page = await startCreatePage();
  const form = { ...createDraftForm({ intent: "publish" }), ...change };

  const { status, data } = await page.send(form);

  expect(status).toBe(400);
  const { result, typed } = data as EditorActionData;
  const message = form.intent === "publish" ? "Not published." : "Not saved.";
  const named = "title" in change || "text" in change || "cover" in change;
  const field = named ? { field: Object.keys(change)[0] } : {};
  expect(result).toMatchObject({ status: "error", message, hint, ...field });
  expect(typed).toMatchObject({ title: form.title, text: form.text.replaceAll("\r\n", "\n") });
  expect(await page.list()).toEqual([]);
});

test("shows the typed text again after a preview", async () => {
  await using page = await startCreatePage();
  const form = createDraftForm({ intent: "preview", text: `${">".repeat(3000)} deep` });

  const { status, data } = await page.send(form);

  expect(status).toBe(200);
  expect(data).toMatchObject({ typed: { text: form.text } });
});

test("shows both texts when a save is based on an older revision", async () => {
  await using page = await startCreatePage();
  const form = createDraftForm();
  await page.send(form);
  await page.send({ ...form, revision: "1", text: "Written there" });

  const { status, data } = await page.send({ ...form, revision: "1", text: "Written here" });

  expect(status).toBe(409);
  expect(data).toMatchObject({
    result: { status: "conflict", remote: { text: "Written there", revision: 2 } },
    typed: { text: "Written here" },
  });
});

test("publishes, updates and unpublishes a story", async () => {
  await using page = await startCreatePage();
  const form = createDraftForm({ intent: "publish" });
  const published = await page.send(form);
  const path = `/create?draft=${form.id}`;
  expect(published.headers.get("Location")).toBe(`${path}&published#published`);
  expect((await page.load(`${path}&published`)).isJustPublished).toBe(true);
  expect((await page.load(path)).isJustPublished).toBe(false);
  const { draft } = await page.load(path);
  expect(draft).toMatchObject({ revision: 1, publishedRevision: 1 });
  expect(draft.storyId).toMatch(/^salt-and-sand-\d{10}$/);

  await page.send({ ...form, intent: "save", revision: "1", text: "More" });
  expect((await page.load(path)).draft).toMatchObject({ revision: 2, publishedRevision: 1 });
  await page.send({ ...form, intent: "publish", revision: "2", text: "More" });
  expect((await page.load(path)).draft).toMatchObject({ revision: 3, publishedRevision: 3 });

  await page.send({ ...form, intent: "unpublish", revision: "3", text: "Even more" });
  expect((await page.load(path)).draft).toMatchObject({
    text: "Even more",
    publishedRevision: null,
  });

  await page.send({ ...form, intent: "publish", revision: "4" });
  const again = { revision: 5, publishedRevision: 5, storyId: draft.storyId };
  expect((await page.load(path)).draft).toMatchObject(again);
});

test("a story that an operator has unpublished can be published again", async () => {
  await using page = await startCreatePage();
  const form = createDraftForm({ intent: "publish", isOngoing: "true" });
  const { path, read, storyId } = await publishAndWithdraw(page, form);
  expect(await read()).toMatchObject({ story: null, isWithdrawn: true });

  const text = "# One\n\nAgain.\n\n# Two\n\nOnce more.";
  expect((await page.send({ ...form, revision: "1", text })).status).toBe(303);

  const again = { revision: 2, publishedRevision: 2, storyId };
  expect((await page.load(path)).draft).toMatchObject(again);
  expect(await read()).toMatchObject({ story: { id: storyId, title: "Salt and Sand" } });
  expect((await page.send({ ...form, revision: "2", text: "An update" })).status).toBe(303);
});

test("a story that an operator has unpublished can be unpublished, and its draft deleted", async () => {
  await using page = await startCreatePage();
  const form = createDraftForm({ intent: "publish" });
  const { path, storyId } = await publishAndWithdraw(page, form);

  const withdrawal = { ...form, intent: "unpublish", revision: "1", text: "More" };
  expect((await page.send(withdrawal)).status).toBe(303);

  const draft = { text: "More", publishedRevision: null, publishedAt: null, storyId };
  expect((await page.load(path)).draft).toMatchObject(draft);
  expect((await page.send({ intent: "trash", id: form.id, revision: "2" })).status).toBe(303);
  expect(await page.list()).toEqual([]);
});

test("a story that an unfinished deletion of the account has deleted can be published again", async () => {
  await using page = await startCreatePage();
  const { hosts } = page.app.firebase;
  const form = createDraftForm({ intent: "publish" });
  await page.send(form);
  const path = `/create?draft=${form.id}`;
  const { storyId } = (await page.load(path)).draft;
  const story = `stories/${storyId}`;
  for (const deleted of [`${story}/parts/0`, story, `storyOwners/${storyId}`]) {
    await deleteDocument(hosts, deleted);
  }

  expect((await page.send({ ...form, revision: "1" })).status).toBe(303);

  expect((await page.load(path)).draft).toMatchObject({ publishedRevision: 2, storyId });
  for (const created of [`${story}/parts/0`, story, `storyOwners/${storyId}`]) {
    expect(await readDocument(hosts, created), created).not.toHaveProperty("error");
  }
});

test("begins a message to the room that quotes the first words of a published story", async () => {
  await using page = await startCreatePage();
  const markdown = "## One\n\nThe *tide*\ncame in.\n\nAnd out.";
  const form = createDraftForm({ intent: "publish", text: markdown });
  await page.send(form);
  const path = `/create?draft=${form.id}&panel=room`;
  const { announcement, draft } = await page.load(`${path}&announce`);
  const { paragraphs } = renderMarkdown(markdown);

  expect(readQuote(announcement ?? "")).toEqual({
    words: "The tide came in.",
    path: `/read/${draft.storyId}#${paragraphs[1]?.id}`,
    comment: "My new story is published.",
  });
  expect((await page.load(path)).announcement).toBeNull();
  await page.send({ ...form, intent: "unpublish", revision: "1" });
  expect((await page.load(`${path}&announce`)).announcement).toBeNull();
});

test("opens the last changed draft, unless the user wants a new story or has just sent a form", async () => {
  await using page = await startCreatePage();
  expect((await page.load()).draft).toMatchObject({ revision: 0, text: "" });
  const first = createDraftForm();
  const second = createDraftForm({ title: "Later" });
  await page.send(first);
  await page.send(second);
  expect((await page.load()).draft).toMatchObject({ id: second.id, title: "Later" });

  await page.send({ ...first, revision: "1", text: "Changed last" });
  expect((await page.load()).draft).toMatchObject({ id: first.id, text: "Changed last" });
  expect((await page.load("/create?panel=drafts")).draft.id).toBe(first.id);
  expect((await page.load("/create?new")).draft).toMatchObject({ revision: 0, text: "" });

  await page.send({ intent: "trash", id: first.id, revision: "2" });
  expect((await page.load()).draft.id).toBe(second.id);
});

test("leads back to the open draft and the list after another draft was deleted", async () => {
  await using page = await startCreatePage();
  const [open, other] = [createDraftForm(), createDraftForm()];
  await page.send(open);
  await page.send(other);

  const gone = await page.send(
    { intent: "trash", id: other.id, revision: "1" },
    `/create?draft=${open.id}&panel=drafts`,
  );

  expect(gone.headers.get("Location")).toBe(
    `/create?draft=${open.id}&panel=drafts&trashed=${other.id}&revision=2`,
  );
});

test("saves the story before it shows the form to publish", async () => {
  await using page = await startCreatePage();
  const form = createDraftForm({ intent: "review", title: "" });

  const { headers } = await page.send(form);

  expect(headers.get("Location")).toBe(`/create?draft=${form.id}&publish#publish`);
  const editor = await page.load(`/create?draft=${form.id}&publish`);
  expect(editor).toMatchObject({ isReviewing: true, draft: { publishedRevision: null } });
  const { status, data } = await page.send(createDraftForm({ intent: "review", text: "\n" }));
  expect(status).toBe(400);
  expect(data).toMatchObject({ result: { message: "Not published.", field: "text" } });
});

test("publishes whether the story is still being written, and when a chapter was added", async () => {
  await using page = await startCreatePage();
  const { hosts } = page.app.firebase;
  const finished = createDraftForm({ intent: "publish", text: "## One\n\nSalt." });
  const form = { ...finished, isOngoing: "true" };
  await page.send(form);
  const path = `/create?draft=${form.id}`;
  const { draft } = await page.load(path);
  expect(draft).toMatchObject({ isOngoing: true, publishedChapters: 1 });
  const readStory = async () =>
    (await readDocument(hosts, `stories/${draft.storyId}`)) as Record<string, object>;
  expect(await readStory()).toMatchObject({ isOngoing: { booleanValue: true } });
  expect(await readStory()).not.toHaveProperty("newChapterAt");

  await page.send({ ...form, revision: "1", text: "## One\n\nSalt and sand." });
  expect(await readStory()).not.toHaveProperty("newChapterAt");
  await page.send({ ...form, revision: "2", text: "## One\n\nSalt.\n\n## Two\n\nSand." });
  const { newChapterAt } = await readStory();
  expect(newChapterAt).toEqual({ timestampValue: expect.any(String) });

  await page.send({ ...finished, revision: "3", text: "## One\n\nSalt." });
  expect(await readStory()).toMatchObject({ isOngoing: { booleanValue: false }, newChapterAt });
});

test("remembers the language of a draft, and publishes it", async () => {
  await using page = await startCreatePage();
  const { hosts } = page.app.firebase;
  const saved = { ...createDraftForm(), language: "ar" };
  await page.send(saved);
  const path = `/create?draft=${saved.id}`;
  expect((await page.load(path)).draft).toMatchObject({ revision: 1, language: "ar" });

  // An earlier version, and a page of an earlier build, have no language.
  const form = createDraftForm({ id: saved.id, intent: "publish", text: "Salt.", revision: "1" });
  await page.send(form);
  const { draft } = await page.load(path);
  expect(draft).toMatchObject({ revision: 2, language: "ar" });
  const story = { language: { stringValue: "ar" } };
  expect(await readDocument(hosts, `stories/${draft.storyId}`)).toMatchObject(story);

  await page.send({ ...form, intent: "save", revision: "2", language: "fa" });
  expect((await page.load(path)).draft).toMatchObject({ revision: 3, language: "fa" });
  await page.send({ ...form, intent: "save", revision: "3", language: "klingon" });
  expect((await page.load(path)).draft).toMatchObject({ revision: 3, language: "fa" });
});

test("a draft without a language opens with that of the browser", async () => {
  await using page = await startCreatePage();
  const { app, cookie } = page;
  const open = async (language: string) => {
    const headers = { "Accept-Language": language };
    const { data } = await app.send(loader, "/create", { headers, cookie });
    return (data as { editor: { draft: { language: string } } }).editor.draft.language;
  };

  expect(await open("de-AT,de;q=0.9,en;q=0.8")).toBe("de");
  expect(await open("tlh")).toBe("en");
});

test("publishes as many chapters as the reading page lists", async () => {
  await using page = await startCreatePage();
  const text =
    "# One\n\nSalt.\n\nTwo\n===\n\nThree\n---\n\n##\n\n### Part\n\n    ## Code\n\n> ## Four";
  const form = createDraftForm({ intent: "publish", text });
  await page.send(form);

  const { draft } = await page.load(`/create?draft=${form.id}`);
  expect(draft).toMatchObject({ publishedChapters: renderMarkdown(text).chapters.length });
  expect(draft).toMatchObject({ publishedChapters: 4 });
});

test("leaves a story published when it is saved without a change", async () => {
  await using page = await startCreatePage();
  const form = createDraftForm({ intent: "publish" });
  await page.send(form);

  await page.send({ ...form, intent: "save", revision: "1" });

  const { draft } = await page.load(`/create?draft=${form.id}`);
  expect(draft).toMatchObject({ revision: 1, publishedRevision: 1 });
});

test("saves a change of the text that leaves its length and word count the same", async () => {
  await using page = await startCreatePage();
  const form = createDraftForm();
  await page.send(form);

  await page.send({ ...form, revision: "1", text: "The wave\ncame in." });

  const { draft } = await page.load(`/create?draft=${form.id}`);
  expect(draft).toMatchObject({ revision: 2, text: "The wave\ncame in." });
});

test("never saves one user's text in another's account", async () => {
  await using page = await startCreatePage();
  const form = createDraftForm({ uid: "somebody-else" });

  const { status, data } = await page.send(form);

  expect(status).toBe(401);
  expect(data).toMatchObject({
    result: {
      reason: "other-user",
      message: "Not saved.",
      hint: "Someone else is signed in now. Your text is safe. Sign in to your account, then save again.",
    },
    typed: { text: "The tide\ncame in." },
  });
  expect(await page.list()).toEqual([]);
});

test.each(["save", "publish", "unpublish", "save-version", "trash", "restore-version"])(
  "changes nothing for another user who has signed in while the editor is open: %s",
  async (intent) => {
    await using page = await startCreatePage();
    const { app, cookie } = page;
    const form = createDraftForm();
    await page.send(form);
    const left = { ...form, intent, uid: "somebody-else", revision: "1", text: "Not theirs" };

    const saved = await app.send(saveByScript, "/drafts", { form: left, cookie });

    expect(saved.status).toBe(401);
    expect(await readJson(saved)).toMatchObject({ reason: "other-user" });
    const { draft } = await page.load(`/create?draft=${form.id}`);
    expect(draft).toMatchObject({ revision: 1, text: "The tide\ncame in.", deletedAt: null });
  },
);

test("saves the story before signing out without scripts", async () => {
  await using page = await startCreatePage();
  const form = createDraftForm({ intent: "sign-out" });

  const { status, headers } = await page.send(form);

  expect([status, headers.get("Location")]).toEqual([303, "/create"]);
  expect(headers.get("Set-Cookie")).toMatch(/^__session=; Max-Age=0/);
  const cookie = await signIn(page.app, page.person);
  const { data } = await page.app.send(loader, "/create", { cookie });
  expect(data).toMatchObject({ editor: { sidePanel: { drafts: [{ title: "Salt and Sand" }] } } });
});

test("opens an unknown draft as a new one, with its id if that is valid", async () => {
  await using page = await startCreatePage();
  const id = "1".repeat(20);

  const unknown = await page.load(`/create?draft=${id}`);
  expect(unknown.draft).toMatchObject({ id, revision: 0, text: "" });
  const impossible = await page.load("/create?draft=../x");
  expect(impossible.draft).toMatchObject({ revision: 0, text: "" });
  expect(impossible.draft.id).not.toBe("../x");
});

test("accepts an id proposed by the browser, even when another user's draft has it", async () => {
  await using page = await startCreatePage();
  const { app, send } = page;
  const form = createDraftForm();
  await send(form);
  const other = await app.firebase.addAccount();
  const cookie = await signIn(app, other);

  const copied = { ...form, text: "Not yours" };
  const saved = await app.send(saveByScript, "/drafts", { form: copied, cookie });

  expect(await readJson(saved)).toMatchObject({
    status: "saved",
    draft: { id: form.id, revision: 1 },
  });
  const { draft } = await page.load(`/create?draft=${form.id}`);
  expect(draft).toMatchObject({ revision: 1, text: "The tide\ncame in." });
  const path = `/create?draft=${form.id}`;
  const { data } = await app.send(loader, path, { cookie });
  expect(data).toMatchObject({ editor: { draft: { revision: 1, text: "Not yours" } } });
});

test.each(["", "short", "../../drafts/x", "a".repeat(21), "with-a-hyphen-in-it0"])(
  "rejects an invalid id proposed by the browser: %j",
  async (id) => {
    await using page = await startCreatePage();
    const { app, cookie } = page;

    const saved = await app.send(saveByScript, "/drafts", {
      form: createDraftForm({ id }),
      cookie,
    });

    expect(saved.status).toBe(400);
    expect(await readJson(saved)).toMatchObject({ status: "error", reason: "invalid" });
    expect(await page.list()).toEqual([]);
  },
);

/** Publishes the form's story, which an operator then unpublishes. */
async function publishAndWithdraw(
  page: Awaited<ReturnType<typeof startCreatePage>>,
  form: ReturnType<typeof createDraftForm>,
) {
  await page.send(form);
  const path = `/create?draft=${form.id}`;
  const id = (await page.load(path)).draft.storyId ?? "";
  const { browser } = await visit(page.app, { isOperator: true });
  const unpublish = { action: "unpublish", story: id, reason: "Stolen" };
  expect((await browser.submit("moderate", unpublish)).status).toBe(303);
  return {
    path,
    storyId: id,
    /** Returns what the story's page shows to a visitor. */
    read: async () => (await page.app.send(readStory, `/read/${id}`, { params: { id } })).data,
  };
}
