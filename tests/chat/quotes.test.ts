import { expect, test } from "vitest";

import { quoteRecordPath } from "#app/chat/quotes/quote-record.server.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { action as createMessage } from "#app/routes/home.tsx";
import { action as changeMessage } from "#app/routes/room-message.ts";
import { renderMarkdown } from "#app/stories/markdown.server.ts";
import { readDocument } from "#tests/support/documents.ts";
import { toMessageForm } from "#tests/support/message-form.ts";
import { readJson, signIn, startApp, type TestApp } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";

const STORY = "the-salt-road-0123456789";
const TEXT = "The road began.\n\nIt went on.\n\nIt ended.";
const [FIRST = "", SECOND = ""] = renderMarkdown(TEXT).paragraphs.map(({ id }) => id);

async function startStory() {
  const app = await startApp();
  await publishStory(app.firebase.hosts, { id: STORY, title: "The Salt Road", text: TEXT });
  return app;
}

function quoteOf(paragraph: string, comment = "Why?", story = STORY): string {
  return `“It went on.”\n/read/${story}#${paragraph}\n${comment}`;
}

/** Signs a user in, and returns what they do with messages. */
async function join(app: TestApp) {
  const cookie = await signIn(app, await app.firebase.addAccount());
  return {
    send: async (text: string, id = createDocumentId()) => {
      const { status } = await app.send(createMessage, "/home", {
        form: toMessageForm({ id, text }),
        cookie,
      });
      expect(status).toBe(303);
      return id;
    },
    change: async (id: string, form: Record<string, string>) => {
      const path = `/rooms/general/messages/${id}`;
      const outcome = await app.send(changeMessage, path, { form, cookie, params: { id } });
      return readJson(outcome);
    },
  };
}

/** Returns the count, the ids and the number of each quoted paragraph. */
async function readPassages(app: TestApp, story = STORY): Promise<unknown> {
  const fields = await readDocument(app.firebase.hosts, quoteRecordPath(story));
  return (fields as { passages?: object }).passages;
}

function passagesOf(passages: Record<string, [count: number, ids: string[], number?: number]>) {
  const fields = Object.entries(passages).map(([paragraph, [count, ids, number]]) => {
    const values = ids.map((id) => ({ stringValue: id }));
    const passage = {
      count: { integerValue: String(count) },
      ids: { arrayValue: values.length > 0 ? { values } : expect.anything() },
      ...(number !== undefined && { number: { integerValue: String(number) } }),
    };
    return [paragraph, { mapValue: { fields: passage } }];
  });
  return { mapValue: fields.length > 0 ? { fields: Object.fromEntries(fields) } : {} };
}

test("counts a message for the passage that it quotes, with the paragraph's number", async () => {
  await using app = await startStory();
  const [ana, tomas] = [await join(app), await join(app)];

  const first = await ana.send(quoteOf(SECOND));
  const second = await tomas.send(quoteOf(SECOND));
  const third = await ana.send(quoteOf(FIRST));
  await ana.send("It went on.");
  // The same message again, after a lost answer.
  await ana.send(quoteOf(SECOND), first);

  expect(await readPassages(app)).toEqual(
    passagesOf({ [SECOND]: [2, [second, first], 1], [FIRST]: [1, [third], 0] }),
  );
  const path = `rooms/general/messages/${first}`;
  expect(Object.keys(Object(await readDocument(app.firebase.hosts, path)))).toHaveLength(5);
});

test("counts messages that are sent at the same time", async () => {
  await using app = await startStory();
  const people = await Promise.all([join(app), join(app), join(app)]);

  const ids = await Promise.all(people.map((person) => person.send(quoteOf(SECOND))));

  const passages = await readPassages(app);
  expect(passages).toMatchObject({
    mapValue: { fields: { [SECOND]: { mapValue: { fields: { count: { integerValue: "3" } } } } } },
  });
  for (const id of ids) expect(JSON.stringify(passages)).toContain(id);
});

test("counts a quotation of an unknown story or paragraph without a number", async () => {
  await using app = await startStory();
  const ana = await join(app);

  const first = await ana.send(quoteOf("p-zzz"));
  const second = await ana.send(quoteOf(SECOND, "", "nothing-here"));

  expect(await readPassages(app)).toEqual(passagesOf({ "p-zzz": [1, [first]] }));
  expect(await readPassages(app, "nothing-here")).toEqual(passagesOf({ [SECOND]: [1, [second]] }));
});

test("uncounts a message that its sender deletes", async () => {
  await using app = await startStory();
  const [ana, tomas] = [await join(app), await join(app)];
  const first = await ana.send(quoteOf(SECOND));
  const second = await tomas.send(quoteOf(SECOND));

  expect(await ana.change(first, { intent: "delete" })).toEqual({ status: "done" });

  expect(await readPassages(app)).toEqual(passagesOf({ [SECOND]: [1, [second], 1] }));
  const message = await readDocument(app.firebase.hosts, `rooms/general/messages/${first}`);
  expect(message).toHaveProperty("error.code", 404);
  // The same deletion again, after a lost answer.
  expect(await ana.change(first, { intent: "delete" })).toEqual({ status: "done" });
  expect(await tomas.change(second, { intent: "delete" })).toEqual({ status: "done" });
  expect(await readPassages(app)).toEqual(passagesOf({}));
});

test("edits what is below a quotation, and refuses to change the quotation", async () => {
  await using app = await startStory();
  const ana = await join(app);
  const id = await ana.send(quoteOf(SECOND));
  const edit = (text: string) => ana.change(id, { intent: "edit", text });

  expect(await edit(quoteOf(SECOND, "Where?"))).toEqual({ status: "done" });
  const hint = "The quotation can't be changed. Edit what is below it, or send a new message.";
  for (const text of ["Where?", quoteOf(FIRST), quoteOf(SECOND).replace("went", "walked")]) {
    expect(await edit(text)).toMatchObject({ reason: "invalid", hint });
  }
  expect(await readPassages(app)).toEqual(passagesOf({ [SECOND]: [1, [id], 1] }));
});
