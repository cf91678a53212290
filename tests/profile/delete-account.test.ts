import { expect, test, vi } from "vitest";

import { getAnswersPath } from "#app/chat/answers/answer.ts";
import { toMessageForm } from "#app/chat/post-message.ts";
import { getTopicPath } from "#app/chat/quotes/topics.server.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { action as post } from "#app/routes/create.tsx";
import { loader as homeLoader } from "#app/routes/home.tsx";
import { loader } from "#app/routes/profile.tsx";
import { action as changeHidden } from "#app/routes/room-hidden.ts";
import { action as changeMessage } from "#app/routes/room-message.ts";
import { action as thank } from "#app/routes/thanks.ts";
import type { RateKind } from "#app/session/rate-record.server.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { readDatabase, writeDatabase } from "#tests/support/database-values.ts";
import { changeDocument, deleteDocument, readDocument } from "#tests/support/documents.ts";
import { startFaultProxy, type Fault } from "#tests/support/fault-proxy.ts";
import { clearRateRecords, setRateRecord } from "#tests/support/rate-records.ts";
import { readMessages } from "#tests/support/room-feed.ts";
import { signIn, startApp, toCookieHeader, type TestApp } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";
import { SIMPLE_COLLECTIONS } from "#tests/support/user-data.ts";
import { deleteAccount, listDocuments, readUid, sendOldMessage } from "./deleting-account.ts";

const PHOTO = "https://example.com/ana.png";

test("deletes the account with its messages and presence, and keeps other users' data", async () => {
  await using app = await startApp();
  const [ana, tomas] = [await app.firebase.addAccount(), await app.firebase.addAccount()];
  const [anaCookie, tomasCookie] = [await signIn(app, ana), await signIn(app, tomas)];
  await sendOldMessage(app, anaCookie, "From Ana");
  await sendOldMessage(app, tomasCookie, "From Tomas");
  await writeDatabase(app, "status", { [ana.localId]: "here", [tomas.localId]: "here" });
  await writeDatabase(app, "typing/general", { [ana.localId]: true, [tomas.localId]: true });
  await writeDatabase(app, "connections", { [ana.localId]: "here", [tomas.localId]: "here" });
  await writeDatabase(app, "unseen", { [ana.localId]: true, [tomas.localId]: true });

  const response = await deleteAccount(app, anaCookie, ana, {});

  expect([response.status, response.headers.get("Location")]).toEqual([303, "/home"]);
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__session=; Max-Age=0/),
    expect.stringMatching(/^flash=account-deleted; /),
  ]);
  const cookie = toCookieHeader(response.headers);
  expect(await app.send(homeLoader, "/home", { cookie })).toMatchObject({
    data: { flashText: { message: "Your account has been deleted." } },
  });
  expect(await readMessages(app)).toMatchObject([{ text: "From Tomas" }]);
  expect(await readDatabase(app, "status")).toEqual({ [tomas.localId]: "here" });
  expect(await readDatabase(app, "typing/general")).toEqual({ [tomas.localId]: true });
  expect(await readDatabase(app, "connections")).toEqual({ [tomas.localId]: "here" });
  expect(await readDatabase(app, "unseen")).toEqual({ [tomas.localId]: true });
  expect(await signIn(app, ana)).toBe("");
  expect(await app.send(loader, "/profile", { cookie: anaCookie })).toMatchObject({ status: 302 });
});

test("leaves no presence of a tab that connects while the account is being deleted", async () => {
  await using app = await startApp();
  const ana = await app.firebase.addAccount();
  const cookie = await signIn(app, ana);
  const presence = [`status/${ana.localId}`, `connections/${ana.localId}`];
  const send = globalThis.fetch;
  let hasConnected = false;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const response = await send(input, init);
    if (init?.method === "PATCH" && JSON.stringify(init.body).includes(`unseen/${ana.localId}`)) {
      hasConnected = true;
      for (const path of presence) await writeDatabase(app, path, "here");
    }
    return response;
  });

  expect((await deleteAccount(app, cookie, ana, {})).status).toBe(303);

  expect(hasConnected).toBe(true);
  for (const path of presence) expect(await readDatabase(app, path), path).toBeNull();
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

test("subtracts what the user has read and thanked from the counts of other writers", async () => {
  await using app = await startApp();
  const { hosts } = app.firebase;
  const ana = await app.firebase.addAccount();
  const cookie = await signIn(app, ana);
  const stories = Array.from({ length: 7 }, (_, index) => `story-${index}-0123456789`);
  for (const id of stories) {
    await publishStory(hosts, { id, title: "Salt", text: "One." });
    const form = { story: id, thanks: "1" };
    expect((await app.send(thank, "/thanks", { cookie, form })).status).toBeLessThan(400);
  }
  const [counted = "", deleted = ""] = stories;
  const count = (opens: number) => ({ opens: { integerValue: String(opens) } });
  expect(await readDocument(hosts, `storyCounts/${counted}`)).toMatchObject(count(1));
  await deleteDocument(hosts, `storyCounts/${deleted}`);

  expect((await deleteAccount(app, cookie, ana, {})).status).toBe(303);

  const thanks = { thanks: { integerValue: "0" } };
  for (const id of stories.filter((story) => story !== deleted)) {
    expect(await readDocument(hosts, `storyCounts/${id}`)).toMatchObject({
      ...count(0),
      ...thanks,
    });
  }
  expect((await listDocuments(app)).filter((path) => path.includes(ana.localId))).toEqual([]);
});

test("deletes every collection below the user's path", async () => {
  await using app = await startApp();
  const { hosts } = app.firebase;
  const ana = await app.firebase.addAccount();
  const cookie = await signIn(app, ana);
  for (const name of SIMPLE_COLLECTIONS) {
    const path = `users/${ana.localId}/${name}/stored`;
    await changeDocument(hosts, path, { mark: { stringValue: "mine" } });
    expect(await listDocuments(app)).toContain(path);
  }

  expect((await deleteAccount(app, cookie, ana, {})).status).toBe(303);

  expect(await listDocuments(app)).toEqual([]);
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

test.each<[RateKind]>([["messages"], ["publications"]])(
  "deletes the account while its rate record of %s counts, and only that record stays",
  async (kind) => {
    await using app = await startApp();
    const ana = await app.firebase.addAccount();
    const cookie = await signIn(app, ana);
    const id = createDocumentId();
    const form =
      kind === "messages"
        ? toMessageForm({ id, text: "Bye" })
        : { intent: "publish", id, revision: "0", title: "The End", text: "Bye." };
    await app.send(post, "/create", { cookie, form });
    const other = kind === "messages" ? "publications" : "messages";
    await setRateRecord(app.firebase.hosts, ana.localId, other, [2 * 60 * 60_000]);

    expect((await deleteAccount(app, cookie, ana, {})).status).toBe(303);

    expect(await listDocuments(app)).toEqual([`users/${ana.localId}/limits/${kind}`]);
    expect(await readMessages(app)).toEqual([]);
    expect(await signIn(app, ana)).toBe("");
  },
);

test("keeps the messages as anonymous if the user chooses that", async () => {
  await using app = await startApp();
  const ana = await app.firebase.addAccount({ displayName: "Ana Reyes", photoUrl: PHOTO });
  const cookie = await signIn(app, ana);
  await sendOldMessage(app, cookie, "Remember me");

  await deleteAccount(app, cookie, ana, { messages: "anonymous" });

  expect(await readMessages(app)).toMatchObject([
    { text: "Remember me", displayName: "Anonymous", photoURL: null },
  ]);
  expect(await signIn(app, ana)).toBe("");
});

test("keeps the account while a database is unavailable, and continues on the next submit", async () => {
  await using app = await startApp();
  const ana = await app.firebase.addAccount();
  const cookie = await signIn(app, ana);
  await sendOldMessage(app, cookie, "From Ana");
  const unavailable = app.withVariables({
    FIREBASE_DATABASE_EMULATOR_HOST: "127.0.0.1:1",
  });
  expectConsoleError();

  const response = await deleteAccount(unavailable, cookie, ana, {});

  expect(response).toMatchObject({
    status: 503,
    data: { banner: { message: "We couldn't delete everything." } },
  });
  expect(await readMessages(app)).toMatchObject([]);
  expect((await deleteAccount(app, cookie, ana, {})).status).toBe(303);
  expect(await signIn(app, ana)).toBe("");
});

test("says to sign in again when only the account itself could not be deleted", async () => {
  await using app = await startApp();
  const ana = await app.firebase.addAccount();
  const cookie = await signIn(app, ana);
  const faults: Fault[] = ["cut"];
  await using proxy = await startFaultProxy(
    app.firebase.hosts.FIREBASE_AUTH_EMULATOR_HOST,
    ({ url }) => (url.includes("accounts:delete") && faults.pop()) || "none",
  );
  const cut = app.withVariables({ FIREBASE_AUTH_EMULATOR_HOST: proxy.host });

  const response = await deleteAccount(cut, cookie, ana, {});

  expect(response).toMatchObject({
    status: 503,
    data: {
      banner: {
        hint: "Your data is deleted, but your account isn't. Sign in again and delete it once more.",
      },
    },
  });
  const again = await deleteAccount(cut, cookie, ana, {});
  expect([again.status, again.headers.get("Location")]).toEqual([303, "/login"]);
  expect((await deleteAccount(cut, await signIn(cut, ana), ana, {})).status).toBe(303);
  expect(await signIn(app, ana)).toBe("");
});

test("deletes what the user's messages are about with them", async () => {
  await using app = await startApp();
  const ana = await app.firebase.addAccount();
  const cookie = await signIn(app, ana);
  await sendOldMessage(app, cookie, "“Lamps.”\n/read/first#p-1");
  const [message] = await readMessages(app);

  await deleteAccount(app, cookie, ana, {});

  expect(await readMessages(app)).toEqual([]);
  const topic = await readDocument(app.firebase.hosts, getTopicPath(message?.id ?? ""));
  expect(topic).toHaveProperty("error.code", 404);
});

test("deletes the answers to the user, and what others were told of their messages", async () => {
  await using app = await startApp();
  const [ana, tomas] = [await app.firebase.addAccount(), await app.firebase.addAccount()];
  const [anaCookie, tomasCookie] = [await signIn(app, ana), await signIn(app, tomas)];
  await sendOldMessage(app, anaCookie, "Where is the ferry?");
  const [question] = await readMessages(app);
  const reply = (cookie: string, id: string, replyTo = "") =>
    app.send(post, "/create", {
      cookie,
      form: toMessageForm({ id, text: "> Ana: Where?\nHere.", replyTo }),
    });
  const [first, second] = [createDocumentId(), createDocumentId()];
  await reply(tomasCookie, first, question?.id);
  await reply(anaCookie, second, first);
  await clearRateRecords(app.firebase.hosts, ana.localId);
  const paths = [
    `${getAnswersPath(ana.localId)}/${first}`,
    `${getAnswersPath(tomas.localId)}/${second}`,
  ];
  const read = () => Promise.all(paths.map((path) => readDocument(app.firebase.hosts, path)));
  expect(await read()).toMatchObject([{ kind: {} }, { kind: {} }]);

  await deleteAccount(app, anaCookie, ana, {});

  expect(await read()).toMatchObject([{ error: { code: 404 } }, { error: { code: 404 } }]);
});

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
