import { expect, test } from "vitest";

import * as create from "#app/routes/create.tsx";
import { action as saveByScript } from "#app/routes/drafts.ts";
import { MAX_STORY_LENGTH } from "#app/writing/draft.ts";
import { newStoryForm, openEditorPage } from "#tests/support/editor-page.ts";
import { readJson } from "#tests/support/routes.ts";

const TOO_LONG = "A story can have up to 500,000 characters.";

/** The editor's form, as scripts send it. */
function toBody(form: Record<string, string>): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(form)) body.append(name, value);
  return body;
}

test("the longest story fits into every kind of form, whatever it is written in", async () => {
  await using desk = await openEditorPage();
  const { app, cookie } = desk;
  const text = "漢".repeat(MAX_STORY_LENGTH);

  const form = newStoryForm({ text });
  expect(await desk.send(form)).toMatchObject({ status: 303 });

  const { text: stored } = (await desk.desk(`/create?draft=${form.id}`)).draft;
  expect(stored === text).toBe(true);
  const saved = await app.send(saveByScript, "/drafts", {
    body: toBody(newStoryForm({ text })),
    cookie,
  });
  expect(saved.status).toBe(200);
});

test.each([
  ["a little", MAX_STORY_LENGTH + 1, 400],
  ["far", 720_000, 400],
  ["beyond what is read", 2_000_000, 413],
])(
  "a text that is %s too long is told so to scripts, and not put off",
  async (_, length, status) => {
    await using desk = await openEditorPage();
    const { app, cookie } = desk;

    const body = toBody(newStoryForm({ text: "語".repeat(length) }));
    const answer = await app.send(saveByScript, "/drafts", { body, cookie });

    expect(answer.status).toBe(status);
    expect(await readJson(answer)).toMatchObject({
      status: "refused",
      reason: "invalid",
      hint: expect.stringContaining(TOO_LONG),
    });
  },
);

test("a page that is too large to be read says so on the same page, of the same person", async () => {
  await using desk = await openEditorPage();
  const { app, cookie, person } = desk;

  const page = await app.sendForPage(create, "/create", {
    body: toBody(newStoryForm({ text: "語".repeat(2_000_000) })),
    cookie,
  });

  expect(page.action).toMatchObject({
    status: 413,
    data: {
      reply: { status: "refused", reason: "invalid", hint: expect.stringContaining(TOO_LONG) },
    },
  });
  expect(page.action.headers.getSetCookie()).toEqual([]);
  expect(page.loader).toMatchObject({ status: 200, data: { desk: { uid: person.localId } } });
});
