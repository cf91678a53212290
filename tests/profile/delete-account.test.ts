import { expect, test, vi } from "vitest";
import * as z from "zod";

import type { RoomData } from "#app/chat/message.ts";
import { quoteRecordPath } from "#app/chat/quotes/quote-record.server.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { action as post } from "#app/routes/create.tsx";
import { loader as homeLoader } from "#app/routes/home.tsx";
import { action, loader } from "#app/routes/profile.tsx";
import { action as changeHidden } from "#app/routes/room-hidden.ts";
import { action as changeMessage } from "#app/routes/room-message.ts";
import type { FirebaseHosts } from "#emulator/hosts.ts";
import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { readDocument } from "#tests/support/documents.ts";
import type { TestAccount } from "#tests/support/firebase.ts";
import { signInWithGoogle } from "#tests/support/google-account.ts";
import { completeGoogleSignIn } from "#tests/support/google-sign-in.ts";
import { toMessageForm } from "#tests/support/message-form.ts";
import { nextSecond } from "#tests/support/next-second.ts";
import { clearRateRecords } from "#tests/support/rate-records.ts";
import { signIn, startApp, toCookieHeader, type TestApp } from "#tests/support/routes.ts";

const accountSchema = z.object({ user: z.object({ uid: z.string() }) });
const errorSchema = z.object({ values: z.object({ after: z.string() }) });

const PHOTO = "https://example.com/ana.png";

function deleteAccount(
  app: TestApp,
  cookie: string,
  person: TestAccount,
  fields: Record<string, string>,
) {
  const { email, password: currentPassword } = person;
  const form = { intent: "delete-account", email, currentPassword, messages: "delete", ...fields };
  return app.send(action, "/profile", { cookie, form });
}

/** Sends a message, and clears the rate limit records, so that the sign-in counts as later. */
async function sendOldMessage(app: TestApp, cookie: string, text: string) {
  await app.send(post, "/create", {
    cookie,
    form: toMessageForm({ id: createDocumentId(), text }),
  });
  await clearRateRecords(app.firebase.hosts, await readUid(app, cookie));
}

async function readUid(app: TestApp, cookie: string): Promise<string> {
  const { data } = await app.send(loader, "/profile", { cookie });
  return accountSchema.parse(data).user.uid;
}

async function listMessages(app: TestApp) {
  const { data } = await app.send(homeLoader, "/home");
  // `send` returns untyped data.
  return (data as { room: RoomData }).room.feed;
}

/** Reads or writes the Realtime Database, bypassing its rules. */
async function callDatabase(hosts: FirebaseHosts, path: string, value?: unknown): Promise<unknown> {
  const url = `http://${hosts.FIREBASE_DATABASE_EMULATOR_HOST}/${path}.json?ns=${LOCAL_PROJECT_ID}-default-rtdb`;
  const response = await fetch(url, {
    method: value === undefined ? "GET" : "PUT",
    headers: { Authorization: "Bearer owner" },
    body: value === undefined ? undefined : JSON.stringify(value),
  });
  return response.json();
}

test("deletes the account with its messages and presence, and keeps other users' data", async () => {
  await using app = await startApp();
  const [ana, tomas] = [await app.firebase.addAccount(), await app.firebase.addAccount()];
  const [anaCookie, tomasCookie] = [await signIn(app, ana), await signIn(app, tomas)];
  await sendOldMessage(app, anaCookie, "From Ana");
  await sendOldMessage(app, tomasCookie, "From Tomas");
  const { hosts } = app.firebase;
  await callDatabase(hosts, "status", { [ana.localId]: "here", [tomas.localId]: "here" });
  await callDatabase(hosts, "typing/general", { [ana.localId]: true, [tomas.localId]: true });
  await callDatabase(hosts, "connections", { [ana.localId]: "here", [tomas.localId]: "here" });
  await callDatabase(hosts, "unseen", { [ana.localId]: true, [tomas.localId]: true });

  const response = await deleteAccount(app, anaCookie, ana, {});

  expect([response.status, response.headers.get("Location")]).toEqual([303, "/home"]);
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__session=; Max-Age=0/),
    expect.stringMatching(/^flash=account-deleted; /),
  ]);
  const cookie = toCookieHeader(response.headers);
  expect(await app.send(homeLoader, "/home", { cookie })).toMatchObject({
    data: { flash: "account-deleted" },
  });
  expect(await listMessages(app)).toMatchObject({ messages: [{ text: "From Tomas" }] });
  expect(await callDatabase(hosts, "status")).toEqual({ [tomas.localId]: "here" });
  expect(await callDatabase(hosts, "typing/general")).toEqual({ [tomas.localId]: true });
  expect(await callDatabase(hosts, "connections")).toEqual({ [tomas.localId]: "here" });
  expect(await callDatabase(hosts, "unseen")).toEqual({ [tomas.localId]: true });
  expect(await signIn(app, ana)).toBe("");
  expect(await app.send(loader, "/profile", { cookie: anaCookie })).toMatchObject({ status: 302 });
});

test("deletes drafts and stories with their versions and texts", async () => {
  await using app = await startApp();
  const [ana, tomas] = [await app.firebase.addAccount(), await app.firebase.addAccount()];
  const [anaCookie, tomasCookie] = [await signIn(app, ana), await signIn(app, tomas)];
  for (let stories = 0; stories < 7; stories += 1) await publish(app, anaCookie, "From Ana");
  const unpublished = await publish(app, anaCookie, "From Ana");
  const form = { ...unpublished, intent: "unpublish", revision: "1" };
  await app.send(post, "/create", { cookie: anaCookie, form });
  await publish(app, tomasCookie, "From Tomas");
  expect(await listDocuments(app)).not.toEqual([]);

  expect((await deleteAccount(app, anaCookie, ana, {})).status).toBe(303);

  const { data } = await app.send(homeLoader, "/home");
  expect(JSON.stringify(data)).not.toContain("From Ana");
  const remaining = await listDocuments(app);
  expect(remaining.filter((path) => path.includes(ana.localId))).toEqual([]);
  expect(
    remaining.filter((path) => path.startsWith("stories/")).map((path) => path.split("/").length),
  ).toEqual([2, 4]);
  expect(remaining.filter((path) => path.startsWith("storyOwners/"))).toHaveLength(1);
});

test.each(["delete", "anonymous"])(
  "deletes the list of hidden people, and the records of edits with their messages: %s",
  async (messages) => {
    await using app = await startApp();
    const [ana, tomas] = [await app.firebase.addAccount(), await app.firebase.addAccount()];
    const cookie = await signIn(app, ana);
    const id = createDocumentId();
    await app.send(post, "/create", { cookie, form: toMessageForm({ id, text: "Helo" }) });
    const edit = { intent: "edit", text: "Hello" };
    const path = `/rooms/general/messages/${id}`;
    await app.send(changeMessage, path, { cookie, form: edit, params: { id } });
    const hide = { intent: "hide", person: tomas.localId, name: "Tomas" };
    await app.send(changeHidden, "/rooms/general/hidden", { cookie, form: hide });
    await clearRateRecords(app.firebase.hosts, ana.localId);

    expect((await deleteAccount(app, cookie, ana, { messages })).status).toBe(303);

    const remaining = await listDocuments(app);
    expect(remaining.filter((name) => name.includes(ana.localId))).toEqual([]);
    expect(remaining.filter((name) => name.includes("/edits/"))).toHaveLength(
      messages === "delete" ? 0 : 1,
    );
  },
);

test("keeps the messages as anonymous if the user chooses that", async () => {
  await using app = await startApp();
  const ana = await app.firebase.addAccount({ displayName: "Ana Reyes", photoUrl: PHOTO });
  const cookie = await signIn(app, ana);
  await sendOldMessage(app, cookie, "Remember me");

  await deleteAccount(app, cookie, ana, { messages: "anonymous" });

  expect(await listMessages(app)).toMatchObject({
    messages: [{ text: "Remember me", displayName: "Anonymous", photoURL: null }],
  });
  expect(await signIn(app, ana)).toBe("");
});

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
  // An invalid form does not lose the position.
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

test.each([
  [
    "another e-mail",
    { email: "tomas@example.com" },
    { email: ["This isn't your account's e-mail"] },
  ],
  ["no password", { currentPassword: "" }, { currentPassword: ["Password is required"] }],
  ["no choice", { messages: "" }, { messages: ["Choose what happens to your messages"] }],
  [
    "an unknown choice",
    { messages: "sell" },
    { messages: ["Choose what happens to your messages"] },
  ],
])("deletes nothing with %s", async (_what, fields, fieldErrors) => {
  await using app = await startApp();
  const ana = await app.firebase.addAccount();
  const cookie = await signIn(app, ana);
  await sendOldMessage(app, cookie, "Still here");

  const response = await deleteAccount(app, cookie, ana, fields);

  expect(response).toMatchObject({ status: 400, data: { form: "delete-account", fieldErrors } });
  expect(await listMessages(app)).toMatchObject({ messages: [{ text: "Still here" }] });
  expect(await signIn(app, ana)).toContain("__session=");
});

test("deletes nothing with a wrong password", async () => {
  await using app = await startApp();
  const ana = await app.firebase.addAccount();
  const cookie = await signIn(app, ana);
  await sendOldMessage(app, cookie, "Still here");

  const response = await deleteAccount(app, cookie, ana, { currentPassword: "wrong horse" });

  expect(response).toMatchObject({
    status: 400,
    data: { banner: { message: "Invalid password" } },
  });
  expect(await listMessages(app)).toMatchObject({ messages: [{ text: "Still here" }] });
});

test.each([
  ["from 4 minutes ago allows deleting an account without a password", 4, 303],
  ["from 6 minutes ago must be repeated before anything is deleted", 6, 400],
])("a sign-in %s", async (_what, minutes, status) => {
  await using app = await startApp();
  const { email, cookie } = await signInWithGoogle(app);
  await sendOldMessage(app, cookie, "Gina was here");
  using _clock = moveClock(minutes * 60_000);

  const form = { intent: "delete-account", email, messages: "delete" };
  const response = await app.send(action, "/profile", { cookie, form });

  expect(response.status).toBe(status);
  const isDone = status === 303;
  expect(response.headers.get("Location")).toBe(isDone ? "/home" : null);
  expect(JSON.stringify(response.data) ?? "").toContain(isDone ? "" : "auth/requires-recent-login");
  expect(await listMessages(app)).toMatchObject({
    messages: isDone ? [] : [{ text: "Gina was here" }],
  });
});

test("deletes an account without a password after a recent Google sign-in", async () => {
  await using app = await startApp();
  const ana = { person: "ana@example.com" };
  const signInAsAna = async () => {
    const { headers } = await completeGoogleSignIn(app, { screen: "sign-in" }, ana);
    return toCookieHeader(headers);
  };
  const oldCookie = await signInAsAna();
  const uid = await readUid(app, oldCookie);
  await sendOldMessage(app, oldCookie, "From Ana");
  const form = { intent: "delete-account", email: "ana@example.com", messages: "delete" };
  {
    using _clock = moveClock(6 * 60_000);
    const rejected = await app.send(action, "/profile", { cookie: oldCookie, form });
    expect(rejected).toMatchObject({
      status: 400,
      data: {
        banner: {
          message: expect.stringContaining("auth/requires-recent-login"),
          hint: "Sign in with Google again, then come back here within five minutes.",
        },
      },
    });
  }

  const newCookie = await signInAsAna();
  expect(await readUid(app, newCookie)).toBe(uid);
  const response = await app.send(action, "/profile", { cookie: newCookie, form });

  expect([response.status, response.headers.get("Location")]).toEqual([303, "/home"]);
  expect(await listMessages(app)).toMatchObject({ messages: [] });
  expect(await app.send(loader, "/profile", { cookie: newCookie })).toMatchObject({ status: 302 });
  // The same Google user can sign in again, to a new account.
  expect(await readUid(app, await signInAsAna())).not.toBe(uid);
});

test("deletes nothing until the sign-in is later than the last post", async () => {
  await using app = await startApp();
  const { email, cookie } = await signInWithGoogle(app);
  await app.send(post, "/create", {
    cookie,
    form: toMessageForm({ id: createDocumentId(), text: "Too soon" }),
  });
  const form = { intent: "delete-account", email, messages: "delete" };

  const response = await app.send(action, "/profile", { cookie, form });

  expect(response).toMatchObject({
    status: 400,
    data: {
      banner: {
        message: expect.stringContaining("auth/requires-recent-login"),
        hint: "You posted or published something since you signed in. Sign in again, then try again.",
      },
    },
  });
  expect(await listMessages(app)).toMatchObject({ messages: [{ text: "Too soon" }] });

  await nextSecond();
  const secondSignIn = await signInWithGoogle(app);
  expect((await app.send(action, "/profile", { cookie: secondSignIn.cookie, form })).status).toBe(
    303,
  );
  expect(await listDocuments(app)).toEqual([]);
  expect(await listMessages(app)).toMatchObject({ messages: [] });
});

test("keeps the account while a database is unavailable, and continues on the next submit", async () => {
  await using app = await startApp();
  const ana = await app.firebase.addAccount();
  const cookie = await signIn(app, ana);
  await sendOldMessage(app, cookie, "From Ana");
  await using unavailable = await startApp({
    ...app.firebase.hosts,
    FIREBASE_DATABASE_EMULATOR_HOST: "127.0.0.1:1",
  });
  expectConsoleError();

  const response = await deleteAccount(unavailable, cookie, ana, {});

  expect(response).toMatchObject({
    status: 503,
    data: { banner: { message: "We couldn't delete everything." } },
  });
  expect(await listMessages(app)).toMatchObject({ messages: [] });
  expect((await deleteAccount(app, cookie, ana, {})).status).toBe(303);
  expect(await signIn(app, ana)).toBe("");
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

async function publish(app: TestApp, cookie: string, title: string) {
  const draft = { id: createDocumentId(), revision: "0", title, text: "The tide came in." };
  const { status } = await app.send(post, "/create", {
    cookie,
    form: { intent: "publish", ...draft },
  });
  expect(status).toBe(303);
  await clearRateRecords(app.firebase.hosts, await readUid(app, cookie));
  return draft;
}

/** Returns the paths of all documents below drafts and stories. */
async function listDocuments(app: TestApp): Promise<string[]> {
  const root = `projects/${LOCAL_PROJECT_ID}/databases/(default)/documents`;
  const groups = await Promise.all(
    ["stories", "storyOwners", "drafts", "versions", "parts", "limits", "hidden", "edits"].map(
      async (collectionId) => {
        const from = [{ collectionId, allDescendants: true }];
        const body = JSON.stringify({ structuredQuery: { from } });
        const response = await callFirestore(app, `${root}:runQuery`, body, "owner");
        return [...(await response.text()).matchAll(/"name":\s*"([^"]+)"/g)];
      },
    ),
  );
  return groups.flat().map(([, name = ""]) => name.slice(root.length + 1));
}

/** Moves the app's clock forward. */
function moveClock(ms: number): Disposable {
  vi.setSystemTime(Date.now() + ms);
  return { [Symbol.dispose]: () => void vi.useRealTimers() };
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

function callFirestore(app: TestApp, resource: string, body: string, token: string) {
  const url = `http://${app.firebase.hosts.FIRESTORE_EMULATOR_HOST}/v1/${resource}`;
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  return fetch(url, { method: "POST", headers, body });
}

test("uncounts the user's messages that quote a story", async () => {
  await using app = await startApp();
  const [ana, tomas] = [await app.firebase.addAccount(), await app.firebase.addAccount()];
  const [anaCookie, tomasCookie] = [await signIn(app, ana), await signIn(app, tomas)];
  const quoteOf = (story: string) => `“Lamps.”\n/read/${story}#p-1`;
  await sendOldMessage(app, tomasCookie, quoteOf("first"));
  for (const text of [quoteOf("first"), quoteOf("first"), quoteOf("second"), "Hello"]) {
    await sendOldMessage(app, anaCookie, text);
  }

  await deleteAccount(app, anaCookie, ana, {});

  expect(await listMessages(app)).toMatchObject({ messages: [{ text: quoteOf("first") }] });
  const { hosts } = app.firebase;
  expect(await readDocument(hosts, quoteRecordPath("first"))).toMatchObject({
    passages: {
      mapValue: { fields: { "p-1": { mapValue: { fields: { count: { integerValue: "1" } } } } } },
    },
  });
  expect(await readDocument(hosts, quoteRecordPath("second"))).toMatchObject({
    passages: { mapValue: {} },
  });
});
