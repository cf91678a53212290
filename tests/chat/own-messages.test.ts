import { expect, test, vi } from "vitest";

import { toMessageForm } from "#app/chat/post-message.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { action as createMessage } from "#app/routes/home.tsx";
import { action as changeHidden, loader as loadHidden } from "#app/routes/room-hidden.ts";
import { action as changeMessage } from "#app/routes/room-message.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import {
  changeDocument,
  deleteDocument,
  readDocument,
  setDocuments,
} from "#tests/support/documents.ts";
import type { NewAccount } from "#tests/support/firebase.ts";
import { clearRateRecords, setRateRecord } from "#tests/support/rate-records.ts";
import { readMessages } from "#tests/support/room-feed.ts";
import { readJson, signIn, startApp, type TestApp } from "#tests/support/routes.ts";

const DONE = { status: "done" };
const MINUTE_MS = 60_000;

/** Signs a user in, and returns their actions. */
async function join(app: TestApp, account?: NewAccount) {
  const person = await app.firebase.addAccount(account);
  const cookie = await signIn(app, person);
  const { localId: uid } = person;

  async function post(
    action: Parameters<TestApp["send"]>[0],
    path: string,
    form: Record<string, string>,
    params = {},
  ) {
    const response = await app.send(action, path, { form, cookie, params });
    return { status: response.status, body: await readJson(response) };
  }

  const change = (id: string, form: Record<string, string>) =>
    post(changeMessage, `/rooms/general/messages/${encodeURIComponent(id)}`, form, { id });

  return {
    uid,
    cookie,
    send: async (text: string) => {
      const id = createDocumentId();
      await app.send(createMessage, "/home", { form: toMessageForm({ id, text }), cookie });
      return id;
    },
    change,
    report: ({ messageId, ...form }: Record<string, string> & { messageId: string }) =>
      change(messageId, { intent: "report", ...form }),
    hide: (form: Record<string, string>) => post(changeHidden, "/rooms/general/hidden", form),
    listHidden: async () =>
      readJson(await app.send(loadHidden, "/rooms/general/hidden", { cookie })),
  };
}

/** Changes the database just before each of the app's next commits, by default one. */
function runBeforeCommit(change: () => Promise<unknown>, commits = 1) {
  const { fetch } = globalThis;
  let left = commits;
  const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const request = new Request(input, init);
    if (request.url.endsWith(":commit")) {
      left -= 1;
      if (left === 0) spy.mockRestore();
      await change();
    }
    return fetch(request);
  });
  return spy;
}

test("edits a message, marks it as edited, and keeps its five fields", async () => {
  await using app = await startApp();
  const ana = await join(app, { displayName: "Ana" });
  const id = await ana.send("Helo");
  const path = `rooms/general/messages/${id}`;
  const before = await readDocument(app.firebase.hosts, path);

  const edit = { intent: "edit", text: " Hello \r\nthere ", uid: ana.uid };
  expect(await ana.change(id, edit)).toEqual({ status: 200, body: DONE });

  expect(await readDocument(app.firebase.hosts, path)).toEqual({
    ...Object(before),
    text: { stringValue: "Hello \nthere" },
  });
  expect(await readDocument(app.firebase.hosts, `rooms/general/edits/${id}`)).toEqual({
    uid: { stringValue: ana.uid },
    editedAt: { timestampValue: expect.any(String) },
  });
  expect(await readMessages(app)).toMatchObject([{ text: "Hello \nthere", isEdited: true }]);
  // The same edit may be sent again after a lost response.
  expect(await ana.change(id, edit)).toEqual({ status: 200, body: DONE });
});

test("rejects the sixth edit or message within ten seconds, and says when to try again", async () => {
  await using app = await startApp();
  const ana = await join(app);
  const id = await ana.send("Helo");
  const edit = (text: string) => ana.change(id, { intent: "edit", text });
  for (const text of ["Hell", "Hello", "Hello t", "Hello there"]) {
    expect(await edit(text)).toEqual({ status: 200, body: DONE });
  }

  const path = `/rooms/general/messages/${id}`;
  const form = { intent: "edit", text: "Hello everyone" };
  const tooFast = await app.send(changeMessage, path, { form, cookie: ana.cookie, params: { id } });
  expect(tooFast.status).toBe(429);
  const seconds = Number(tooFast.headers.get("Retry-After"));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(10);
  expect(await readJson(tooFast)).toEqual({
    status: "error",
    reason: "too-fast",
    message: "You're doing that too often.",
    hint: `Try again in ${seconds} second${seconds === 1 ? "" : "s"}.`,
  });
  // The same text is no edit.
  expect(await edit("Hello there")).toEqual({ status: 200, body: DONE });
  await ana.send("Sent too fast");
  expect(await readMessages(app)).toMatchObject([{ text: "Hello there" }]);

  await clearRateRecords(app.firebase.hosts, ana.uid);
  expect(await edit("Hello everyone")).toEqual({ status: 200, body: DONE });
});

test("does not mark messages as edited that are new or have become anonymous", async () => {
  await using app = await startApp();
  const ana = await join(app, { displayName: "Ana" });
  const id = await ana.send("Hello");
  expect((await readMessages(app))[0]).not.toHaveProperty("isEdited");

  const displayName = { stringValue: "Anonymous" };
  await changeDocument(app.firebase.hosts, `rooms/general/messages/${id}`, { displayName });
  const [anonymous] = await readMessages(app);
  expect(anonymous).toHaveProperty("displayName", "Anonymous");
  expect(anonymous).not.toHaveProperty("isEdited");
});

test("does not edit a message after 15 minutes", async () => {
  await using app = await startApp();
  const ana = await join(app);
  const id = await ana.send("Hello");
  const createdAt = { timestampValue: new Date(Date.now() - 15 * MINUTE_MS).toISOString() };
  await changeDocument(app.firebase.hosts, `rooms/general/messages/${id}`, { createdAt });

  expect(await ana.change(id, { intent: "edit", text: "Changed" })).toMatchObject({
    status: 409,
    body: { reason: "too-late", hint: "You can edit a message for 15 minutes." },
  });
  expect(await readMessages(app)).toMatchObject([{ text: "Hello" }]);
});

test.each([
  ["an empty text", { intent: "edit", text: " " }, "Type a message first."],
  [
    "a text that is too long",
    { intent: "edit", text: "x".repeat(4001) },
    "A message can have up to 4,000 characters.",
  ],
  ["no intent", {}, undefined],
])("rejects %s", async (_what, form, hint) => {
  await using app = await startApp();
  const ana = await join(app);
  const id = await ana.send("Hello");

  const { status, body } = await ana.change(id, form);

  expect(status).toBe(400);
  expect(body).toMatchObject({ status: "error", reason: "invalid" });
  if (hint !== undefined) expect(body).toHaveProperty("hint", hint);
});

test("deletes a message with its edit record, even when asked twice", async () => {
  await using app = await startApp();
  const ana = await join(app);
  const id = await ana.send("Hello");
  await ana.change(id, { intent: "edit", text: "Hello there" });

  expect(await ana.change(id, { intent: "delete" })).toEqual({ status: 200, body: DONE });
  expect(await ana.change(id, { intent: "delete" })).toEqual({ status: 200, body: DONE });

  expect(await readMessages(app)).toEqual([]);
  const mark = await readDocument(app.firebase.hosts, `rooms/general/edits/${id}`);
  expect(mark).toHaveProperty("error");
  expect(await ana.change(id, { intent: "edit", text: "Again" })).toMatchObject({ status: 404 });
});

test.each(["Hello", "/read/salt-0123456789\nHello"])(
  "deletes the message %j once when three tabs do it at the same time",
  async (text) => {
    await using app = await startApp();
    const ana = await join(app);
    const id = await ana.send(text);

    const remove = () => ana.change(id, { intent: "delete" });
    const responses = await Promise.all([remove(), remove(), remove()]);

    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200]);
  },
);

test("does not change another user's message, nor any for a visitor or another user of the page", async () => {
  await using app = await startApp();
  const [ana, tomas] = [await join(app), await join(app)];
  const id = await ana.send("Mine");

  const forms: Record<string, string>[] = [{ intent: "edit", text: "Yours" }, { intent: "delete" }];
  for (const form of forms) {
    expect(await tomas.change(id, form)).toMatchObject({ status: 403 });
    expect(await tomas.change(id, { ...form, uid: ana.uid })).toMatchObject({
      status: 401,
      body: { reason: "other-user" },
    });
    const response = await app.send(changeMessage, `/rooms/general/messages/${id}`, {
      form,
      params: { id },
    });
    expect(response.status).toBe(401);
    expect(await readJson(response)).toMatchObject({ message: "Not authenticated" });
  }
  expect(await readMessages(app)).toMatchObject([{ text: "Mine" }]);
});

test.each(["../x", "..", "", "a/b", "__x__"])("finds no message with the id %j", async (id) => {
  await using app = await startApp();
  const ana = await join(app);

  expect(await ana.change(id, { intent: "delete" })).toMatchObject({ status: 404 });
});

test("stores a report with a copy of the message, once for each user", async () => {
  await using app = await startApp();
  const [ana, tomas] = [
    await join(app, { displayName: "Ana" }),
    await join(app, { displayName: "Tomas" }),
  ];
  const messageId = await ana.send("Buy my lamp oil");

  const report = { messageId, kind: "spam", details: " Third time today. " };
  expect(await tomas.report(report)).toEqual({ status: 200, body: DONE });
  expect(await tomas.report({ ...report, kind: "abuse" })).toEqual({ status: 200, body: DONE });

  const path = `reports/${messageId}_${tomas.uid}`;
  expect(await readDocument(app.firebase.hosts, path)).toEqual({
    reporter: { stringValue: tomas.uid },
    reporterName: { stringValue: "Tomas" },
    messageId: { stringValue: messageId },
    sender: { stringValue: ana.uid },
    senderName: { stringValue: "Ana" },
    sentAt: { timestampValue: expect.any(String) },
    text: { stringValue: "Buy my lamp oil" },
    reason: { stringValue: "Spam or advertising: Third time today." },
    createdAt: { timestampValue: expect.any(String) },
  });
});

test("says how many reports a user can send in a day", async () => {
  await using app = await startApp();
  const [ana, tomas] = [await join(app), await join(app)];
  const messageId = await ana.send("Buy my lamp oil");
  const hour = 60 * 60_000;
  const ages = Array.from({ length: 20 }, (_, index) => (21.5 - index) * hour);
  await setRateRecord(app.firebase.hosts, tomas.uid, "reports", ages);

  expect(await tomas.report({ messageId, kind: "spam" })).toMatchObject({
    status: 429,
    body: { hint: "You can send 20 reports a day. Try again in 3 hours." },
  });
});

test("a report has the new text of a message that is edited at the same time", async () => {
  await using app = await startApp();
  const [ana, tomas] = [await join(app), await join(app)];
  const messageId = await ana.send("Buy my lamp oil");
  const edited = { text: { stringValue: "Buy my lamp oil!" } };
  runBeforeCommit(() =>
    changeDocument(app.firebase.hosts, `rooms/general/messages/${messageId}`, edited),
  );

  expect(await tomas.report({ messageId, kind: "spam" })).toEqual({ status: 200, body: DONE });

  const stored = await readDocument(app.firebase.hosts, `reports/${messageId}_${tomas.uid}`);
  expect(stored).toMatchObject(edited);
});

test("gives up a report of a message that changes each time", async () => {
  await using app = await startApp();
  const [ana, tomas] = [await join(app), await join(app)];
  const messageId = await ana.send("Buy my lamp oil");
  const path = `rooms/general/messages/${messageId}`;
  let changes = 0;
  const change = () => {
    changes += 1;
    return changeDocument(app.firebase.hosts, path, { text: { stringValue: `Buy ${changes}` } });
  };
  const spy = runBeforeCommit(change, 8);

  expect(await tomas.report({ messageId, kind: "spam" })).toMatchObject({ status: 403 });
  expect(changes).toBe(5);
  spy.mockRestore();
});

test("a report of a message that is deleted at the same time says that it was deleted", async () => {
  await using app = await startApp();
  const [ana, tomas] = [await join(app), await join(app)];
  const messageId = await ana.send("Buy my lamp oil");
  runBeforeCommit(() => deleteDocument(app.firebase.hosts, `rooms/general/messages/${messageId}`));

  expect(await tomas.report({ messageId, kind: "spam" })).toMatchObject({
    status: 404,
    body: { message: "This message was deleted." },
  });
});

test.each<[string, Record<string, string>, number, string]>([
  ["without a reason", { kind: "" }, 400, "Choose a reason."],
  [
    "with long details",
    { details: "x".repeat(401) },
    400,
    "The details can have up to 400 characters.",
  ],
])("rejects a report %s", async (_what, change, status, hint) => {
  await using app = await startApp();
  const [ana, tomas] = [await join(app), await join(app)];
  const report = { messageId: await ana.send("Hello"), kind: "spam", details: "", ...change };

  expect(await tomas.report(report)).toMatchObject({ status, body: { hint } });
});

test("answers a report under an invalid id with a sentence, and without a technical hint", async () => {
  await using app = await startApp();
  const tomas = await join(app);

  const { status, body } = await tomas.report({ messageId: "a/b", kind: "spam" });

  expect(status).toBe(400);
  const message = "The form is incomplete. Reload the page and try again.";
  expect(body).toEqual({ status: "error", reason: "invalid", message });
});

test("rejects a report of the user's own message, of a deleted one, or by a visitor", async () => {
  await using app = await startApp();
  const ana = await join(app);
  const report = { messageId: await ana.send("Hello"), kind: "other" };

  expect(await ana.report(report)).toMatchObject({ status: 403 });
  expect(await ana.report({ ...report, messageId: "a".repeat(20) })).toMatchObject({
    status: 404,
    body: { message: "This message was deleted." },
  });
  const { messageId: id, ...form } = report;
  const byVisitor = await app.send(changeMessage, `/rooms/general/messages/${id}`, {
    form: { intent: "report", ...form },
    params: { id },
  });
  expect(byVisitor.status).toBe(401);
});

test("hides a person for this user only, and shows them again", async () => {
  await using app = await startApp();
  const [ana, tomas] = [await join(app), await join(app)];
  const person = { person: tomas.uid, name: "Tomas Lund" };

  expect(await ana.hide({ intent: "hide", ...person })).toEqual({ status: 200, body: DONE });
  expect(await ana.hide({ intent: "hide", ...person })).toEqual({ status: 200, body: DONE });

  expect(await ana.listHidden()).toEqual({ uid: ana.uid, hidden: [tomas.uid] });
  expect(await tomas.listHidden()).toEqual({ uid: tomas.uid, hidden: [] });
  expect(await ana.hide({ intent: "show", person: tomas.uid })).toMatchObject({ status: 200 });
  expect(await ana.hide({ intent: "show", person: tomas.uid })).toMatchObject({ status: 200 });
  expect(await ana.listHidden()).toEqual({ uid: ana.uid, hidden: [] });
});

test("does not hide the user themselves, an invalid id, or a 501st person", async () => {
  await using app = await startApp();
  const ana = await join(app);
  expect(await ana.hide({ intent: "hide", person: ana.uid })).toMatchObject({ status: 403 });
  expect(await ana.hide({ intent: "hide", person: "../x" })).toMatchObject({ status: 400 });
  expect(await ana.hide({ intent: "eat", person: "tomas" })).toMatchObject({ status: 400 });

  const fields = { name: { stringValue: "Someone" } };
  const people = Array.from({ length: 500 }, (_, index) => {
    return { path: `users/${ana.uid}/hidden/person-${index}`, fields };
  });
  await setDocuments(app.firebase.hosts, people);
  expect(await ana.hide({ intent: "hide", person: "tomas" })).toMatchObject({
    status: 409,
    body: { reason: "too-many" },
  });
  expect(await ana.hide({ intent: "hide", person: "person-3" })).toMatchObject({ status: 200 });
});

test("returns no hidden people to a visitor", async () => {
  await using app = await startApp();
  const response = await app.send(loadHidden, "/rooms/general/hidden");

  expect(await readJson(response)).toEqual({ uid: null, hidden: [] });
});

test("says that half of a deletion is done, and finishes it when asked again", async () => {
  expectConsoleError();
  await using app = await startApp();
  const ana = await join(app);
  const id = await ana.send("/read/the-lamplighters-orchard\nI loved it.");
  const failAtMessage = vi.fn().mockResolvedValueOnce(undefined).mockRejectedValue(new TypeError());
  const spy = runBeforeCommit(failAtMessage, 9);

  expect(await ana.change(id, { intent: "delete" })).toMatchObject({
    status: 503,
    body: { hint: "Delete it again to finish." },
  });
  spy.mockRestore();
  expect(await readMessages(app)).toHaveLength(1);
  expect(await ana.change(id, { intent: "delete" })).toEqual({ status: 200, body: DONE });
  expect(await readMessages(app)).toEqual([]);
});

test("responds with 503 while the database is unavailable", async () => {
  expectConsoleError();
  await using app = await startApp();
  const ana = await join(app);
  const id = await ana.send("Hello");
  const broken = app.withVariables({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });

  const response = await broken.send(changeMessage, `/rooms/general/messages/${id}`, {
    form: { intent: "delete" },
    params: { id },
    cookie: ana.cookie,
  });

  expect(response.status).toBe(503);
  expect(await readJson(response)).toMatchObject({ reason: "unavailable" });
});
