import { expect, test } from "vitest";
import * as z from "zod";

import { createDocumentId } from "#app/firebase/document-id.ts";
import { action as post } from "#app/routes/create.tsx";
import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import type { TestAccount } from "#tests/support/firebase.ts";
import { signIn, startApp, type TestApp } from "#tests/support/routes.ts";
import { callFirestore, deleteAccount, listDocuments } from "./deleting-account.ts";

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
  await addMessages(app, ana, 10_003);
  const fields = { messages: "anonymous" };

  const first = await deleteAccount(app, cookie, ana, fields);
  expect(first.status).toBe(503);
  const { after } = errorSchema.parse(first.data).values;
  // The position survives an invalid form.
  const invalid = await deleteAccount(app, cookie, ana, { ...fields, email: "", after });
  expect(invalid).toMatchObject({ status: 400, data: { values: { after } } });

  expect((await deleteAccount(app, cookie, ana, { ...fields, after })).status).toBe(303);
  expect(await countNames(app, ana)).toEqual({ Anonymous: 10_003 });
}, 60_000);

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
async function addMessages(app: TestApp, { localId }: TestAccount, count: number) {
  const documents = `projects/${LOCAL_PROJECT_ID}/databases/(default)/documents`;
  const writes = Array.from({ length: count }, () => ({
    update: {
      name: `${documents}/rooms/general/messages/${createDocumentId()}`,
      fields: {
        text: { stringValue: "Again" },
        uid: { stringValue: localId },
        displayName: { stringValue: "Ana" },
        photoURL: { nullValue: null },
      },
    },
    updateTransforms: [{ fieldPath: "createdAt", setToServerValue: "REQUEST_TIME" }],
  }));
  for (let start = 0; start < count; start += 500) {
    const body = JSON.stringify({ writes: writes.slice(start, start + 500) });
    const response = await callFirestore(app, `${documents}:commit`, body, "owner");
    expect(response.status).toBe(200);
  }
}

/** Counts a user's messages by display name. */
async function countNames(app: TestApp, { localId }: TestAccount) {
  const documents = `projects/${LOCAL_PROJECT_ID}/databases/(default)/documents`;
  const where = {
    fieldFilter: {
      field: { fieldPath: "uid" },
      op: "EQUAL",
      value: { stringValue: localId },
    },
  };
  const body = JSON.stringify({ structuredQuery: { from: [{ collectionId: "messages" }], where } });
  const response = await callFirestore(app, `${documents}/rooms/general:runQuery`, body, "owner");
  const names = [
    ...(await response.text()).matchAll(/"displayName":\s*{\s*"stringValue":\s*"(\w+)"/g),
  ];
  const counts: Record<string, number> = {};
  for (const [, name = ""] of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
