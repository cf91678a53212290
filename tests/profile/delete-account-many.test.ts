import { expect, test } from "vitest";
import * as z from "zod";

import { getTopicPath } from "#app/chat/quotes/topics.server.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { action as post } from "#app/routes/create.tsx";
import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import { changeDocument, readDocument } from "#tests/support/documents.ts";
import type { TestAccount } from "#tests/support/firebase.ts";
import { signIn, startApp, type TestApp } from "#tests/support/routes.ts";
import { callFirestore, deleteAccount, listDocuments } from "./deleting-account.ts";

const DOCUMENTS = `projects/${LOCAL_PROJECT_ID}/databases/(default)/documents`;

interface StoredMessage {
  id: string;
  /** The name of its author. */
  name: string;
}

/** The response to a query of messages. Its last part has no document. */
const messagesSchema = z
  .array(
    z.object({
      document: z
        .object({
          name: z.string(),
          fields: z.object({ displayName: z.object({ stringValue: z.string() }) }),
        })
        .optional(),
    }),
  )
  .transform((parts): StoredMessage[] =>
    parts.flatMap(({ document }) =>
      document === undefined
        ? []
        : [
            {
              id: document.name.slice(document.name.lastIndexOf("/") + 1),
              name: document.fields.displayName.stringValue,
            },
          ],
    ),
  );

const errorSchema = z.object({ values: z.object({ after: z.string() }) });

test.each(["delete", "anonymous"])(
  "changes more messages than fit in one batch: %s",
  async (messages) => {
    await using app = await startApp();
    const ana = await app.firebase.addAccount({ displayName: "Ana" });
    const cookie = await signIn(app, ana);
    await addMessages(app, ana, 1203);

    const response = await deleteAccount(app, cookie, ana, { messages });

    expect(response.status).toBe(303);
    const names = await countNames(app, ana);
    expect(names).toEqual(messages === "delete" ? {} : { Anonymous: 1203 });
  },
);

test("deletes more messages about stories than the rules look up in a commit, with their topics", async () => {
  await using app = await startApp();
  const ana = await app.firebase.addAccount({ displayName: "Ana" });
  const cookie = await signIn(app, ana);
  await addMessages(app, ana, 45, "/read/salt-0123456789\nAgain");
  await addMessages(app, ana, 30);
  const messages = await listMessages(app, ana);
  for (const { id } of messages.slice(0, 40)) await addTopic(app, ana, id);

  expect((await deleteAccount(app, cookie, ana, {})).status).toBe(303);

  expect(await countNames(app, ana)).toEqual({});
  const topic = await readDocument(app.firebase.hosts, getTopicPath(messages[0]?.id ?? ""));
  expect(topic).toHaveProperty("error.code", 404);
});

test("deletes an account with many drafts in two submits", async () => {
  await using app = await startApp();
  const ana = await app.firebase.addAccount();
  const cookie = await signIn(app, ana);
  for (let drafts = 0; drafts < 40; drafts += 1) await saveDraft(app, cookie);

  const first = await deleteAccount(app, cookie, ana, {});
  expect(first).toMatchObject({
    status: 503,
    data: { banner: { message: "There's too much to delete at once." } },
  });
  const remaining = (await listDocuments(app)).filter((path) => path.split("/").length === 4);
  expect(remaining.length).toBeLessThan(40);

  expect((await deleteAccount(app, cookie, ana, {})).status).toBe(303);
  expect(await listDocuments(app)).toEqual([]);
});

test("continues after the last anonymous message when there are too many for one request", async () => {
  await using app = await startApp();
  const ana = await app.firebase.addAccount({ displayName: "Ana" });
  const cookie = await signIn(app, ana);
  // Deleted first, twenty at a time, so that the request has calls left for some of the messages only.
  await addStoryOwners(app, ana, 220);
  await addMessages(app, ana, 1003);
  const fields = { messages: "anonymous" };

  const first = await deleteAccount(app, cookie, ana, fields);
  expect(first.status).toBe(503);
  const { after } = errorSchema.parse(first.data).values;
  const messages = await listMessages(app, ana);
  expect(messages.map(({ name }) => name)).toEqual(
    messages.map(({ id }) => (id <= after ? "Anonymous" : "Ana")),
  );
  // The next request would change this name if it began with the first message again.
  const path = `rooms/general/messages/${messages[0]?.id}`;
  await changeDocument(app.firebase.hosts, path, { displayName: { stringValue: "First" } });
  // The position survives an invalid form.
  const invalid = await deleteAccount(app, cookie, ana, { ...fields, email: "", after });
  expect(invalid).toMatchObject({ status: 400, data: { values: { after } } });

  expect((await deleteAccount(app, cookie, ana, { ...fields, after })).status).toBe(303);
  expect(await countNames(app, ana)).toEqual({ First: 1, Anonymous: 1002 });
});

test("deletes all messages when the user changes the choice midway", async () => {
  await using app = await startApp();
  const ana = await app.firebase.addAccount({ displayName: "Ana" });
  const cookie = await signIn(app, ana);
  await addMessages(app, ana, 3);

  expect((await deleteAccount(app, cookie, ana, { after: "zzzzzzzzzzzzzzzzzzzz" })).status).toBe(
    303,
  );

  expect(await countNames(app, ana)).toEqual({});
});

async function saveDraft(app: TestApp, cookie: string) {
  const form = {
    intent: "save",
    id: createDocumentId(),
    revision: "0",
    title: "A draft",
    text: "",
  };
  expect((await app.send(post, "/create", { cookie, form })).status).toBe(303);
}

/** Adds many messages to the room, bypassing its rules. */
function addMessages(app: TestApp, { localId }: TestAccount, count: number, text = "Again") {
  return addDocuments(app, count, () => ({
    update: {
      name: `${DOCUMENTS}/rooms/general/messages/${createDocumentId()}`,
      fields: {
        text: { stringValue: text },
        uid: { stringValue: localId },
        displayName: { stringValue: "Ana" },
        photoURL: { nullValue: null },
      },
    },
    updateTransforms: [{ fieldPath: "createdAt", setToServerValue: "REQUEST_TIME" }],
  }));
}

/** Adds what a message is about, bypassing the rules. */
function addTopic(app: TestApp, { localId }: TestAccount, id: string) {
  return changeDocument(app.firebase.hosts, getTopicPath(id), {
    uid: { stringValue: localId },
    story: { stringValue: "salt-0123456789" },
  });
}

/** Adds the owners of the ids of many unpublished stories, bypassing the rules. */
function addStoryOwners(app: TestApp, { localId }: TestAccount, count: number) {
  return addDocuments(app, count, () => ({
    update: {
      name: `${DOCUMENTS}/storyOwners/${createDocumentId()}`,
      fields: { uid: { stringValue: localId } },
    },
  }));
}

async function addDocuments(app: TestApp, count: number, create: () => object) {
  const writes = Array.from({ length: count }, create);
  for (let start = 0; start < count; start += 500) {
    const body = JSON.stringify({ writes: writes.slice(start, start + 500) });
    const response = await callFirestore(app, `${DOCUMENTS}:commit`, body, "owner");
    expect(response.status).toBe(200);
  }
}

/** Returns a user's messages in the order of their ids. */
async function listMessages(app: TestApp, { localId }: TestAccount): Promise<StoredMessage[]> {
  const where = {
    fieldFilter: {
      field: { fieldPath: "uid" },
      op: "EQUAL",
      value: { stringValue: localId },
    },
  };
  const body = JSON.stringify({ structuredQuery: { from: [{ collectionId: "messages" }], where } });
  const response = await callFirestore(app, `${DOCUMENTS}/rooms/general:runQuery`, body, "owner");
  return messagesSchema.parse(await response.json());
}

/** Counts a user's messages by display name. */
async function countNames(app: TestApp, person: TestAccount) {
  const counts: Record<string, number> = {};
  for (const { name } of await listMessages(app, person)) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
