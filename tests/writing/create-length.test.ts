import { expect, test } from "vitest";

import * as create from "#app/routes/create.tsx";
import { action as saveByScript } from "#app/routes/drafts.ts";
import { MAX_STORY_LENGTH } from "#app/writing/draft.ts";
import { createDraftForm, startCreatePage } from "#tests/support/create-page.ts";
import { readJson } from "#tests/support/routes.ts";

const TOO_LONG = "A story can have up to 500,000 characters.";

/** Returns the editor's form as scripts send it. */
function toBody(form: Record<string, string>): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(form)) body.append(name, value);
  return body;
}

test("accepts the longest story in every form encoding and script", async () => {
  await using createPage = await startCreatePage();
  const { app, cookie } = createPage;
  const text = "漢".repeat(MAX_STORY_LENGTH);

  const form = createDraftForm({ text });
  expect(await createPage.send(form)).toMatchObject({ status: 303 });

  const { text: stored } = (await createPage.load(`/create?draft=${form.id}`)).draft;
  expect(stored === text).toBe(true);
  const saved = await app.send(saveByScript, "/drafts", {
    body: toBody(createDraftForm({ text })),
    cookie,
  });
  expect(saved.status).toBe(200);
});

test.each([
  ["a little", MAX_STORY_LENGTH + 1, 400],
  ["much", 720_000, 400],
  ["far", 2_000_000, 413],
])(
  "rejects a text from a script that is %s too long, without asking for a retry",
  async (_, length, status) => {
    await using createPage = await startCreatePage();
    const { app, cookie } = createPage;

    const body = toBody(createDraftForm({ text: "語".repeat(length) }));
    const response = await app.send(saveByScript, "/drafts", { body, cookie });

    expect(response.status).toBe(status);
    expect(await readJson(response)).toMatchObject({
      status: "error",
      reason: "invalid",
      hint: expect.stringContaining(TOO_LONG),
    });
  },
);

test("says on the same page that a form is too large", async () => {
  await using createPage = await startCreatePage();
  const { app, cookie, person } = createPage;

  const page = await app.sendForPage(create, "/create", {
    body: toBody(createDraftForm({ text: "語".repeat(6_000_000) })),
    cookie,
  });

  expect(page.action).toMatchObject({
    status: 413,
    data: {
      result: { status: "error", reason: "invalid", hint: expect.stringContaining(TOO_LONG) },
    },
  });
  expect(page.action.headers.getSetCookie()).toEqual([]);
  expect(page.loader).toMatchObject({ status: 200, data: { editor: { uid: person.localId } } });
});
