import { expect, test } from "vitest";

import { toMessageForm } from "#app/chat/post-message.ts";
import { readEnv } from "#app/env.server.ts";
import { createDocumentId, isDocumentId } from "#app/firebase/document-id.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { loader as createLoader } from "#app/routes/create.tsx";
import { action as saveDraft, loader as loadDraft } from "#app/routes/drafts.ts";
import { action as savePosition } from "#app/routes/reading-position.ts";
import { action as saveInAccount, loader as loadPosition } from "#app/routes/reading-positions.ts";
import { action as changeProfile } from "#app/routes/profile.tsx";
import { loader as readLoader } from "#app/routes/read.$id.tsx";
import { loader as markdownLoader } from "#app/routes/read.$id[.]md.ts";
import { action as postMessage } from "#app/routes/room-messages.ts";
import { createPosition } from "#tests/reading/reading.ts";
import { signIn, startApp, type TestApp } from "#tests/support/routes.ts";
import { sendJson, startServer } from "#tests/support/server.ts";

/** Strings that change the meaning of a path or URL, or that Firestore does not accept as ids. */
const INVALID_IDS = [
  "../../x",
  "..",
  ".",
  "a/b",
  "/a",
  "a%2Fb",
  "%2e%2e",
  "a?b=c",
  "a#b",
  "a:runQuery",
  "a b",
  String.raw`a\b`,
  "a\u0000b",
  "__x__",
  `__${"x".repeat(20)}__`,
  "",
];

/** Starts the app with a database that records all requests and rejects them. */
async function startRecording(app: TestApp) {
  const requests: string[] = [];
  const database = await startServer((response, request) => {
    requests.push(`${request.method} ${request.url}`);
    sendJson(response, 503, {});
  });
  const recorded = app.withVariables({ FIRESTORE_EMULATOR_HOST: database.host });
  return { recorded, requests, database };
}

test.each(INVALID_IDS)(
  "%j is not an id, and a script's request with it never reaches the database",
  async (id) => {
    await using app = await startApp();
    const cookie = await signIn(app, await app.firebase.addAccount());
    const { recorded, requests, database } = await startRecording(app);
    await using _database = database;
    const query = encodeURIComponent(id);

    const position = JSON.stringify({ ...createPosition(), story: id });
    const responses = [
      await recorded.send(loadPosition, `/reading-positions?story=${query}`, { cookie }),
      await recorded.send(loadDraft, `/drafts?id=${query}`, { cookie }),
    ];
    responses.push(
      await recorded.send(saveInAccount, "/reading-positions", { form: { position }, cookie }),
    );

    expect(isDocumentId(id)).toBe(false);
    expect(responses.map(({ status }) => status)).toEqual([400, 302, 400]);
    expect(requests.filter((line) => !line.includes("/sessions/"))).toEqual([]);
  },
);

test.each(INVALID_IDS)("rejects a form with the id %j, and reports the error", async (id) => {
  await using app = await startApp();
  const user = await app.firebase.addAccount();
  const cookie = await signIn(app, user);
  const { recorded, requests, database } = await startRecording(app);
  await using _database = database;
  const account = { email: user.email, currentPassword: user.password };
  const draft = { intent: "save", revision: "0", text: "Hello" };

  const responses = [
    await recorded.send(postMessage, "/rooms/general/messages", {
      form: toMessageForm({ id, text: "Hello" }),
      cookie,
    }),
    await recorded.send(saveDraft, "/drafts", { form: { ...draft, id }, cookie }),
    await recorded.send(savePosition, "/reading-position", {
      form: { story: id, paragraph: "p-1" },
      cookie,
    }),
    await recorded.send(changeProfile, "/profile", {
      form: { intent: "end-session", session: id },
      cookie,
    }),
    ...(id === ""
      ? []
      : [
          await recorded.send(changeProfile, "/profile", {
            form: { intent: "delete-account", ...account, messages: "anonymous", after: id },
            cookie,
          }),
        ]),
  ];

  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 400));
  expect(requests.filter((line) => !line.includes("/sessions/"))).toEqual([]);
});

test.each(INVALID_IDS)("shows an empty page for an address with the id %j", async (id) => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const query = encodeURIComponent(id);

  const story = { params: { id }, cookie };
  const opened = await app.send(readLoader, `/read/${query}`, story);
  const file = await app.send(markdownLoader, `/read/${query}.md`, story);
  const draft = await app.send(createLoader, `/create?draft=${query}`, { cookie });
  const address = `/create?draft=${createDocumentId()}&version=${query}`;
  const version = await app.send(createLoader, address, { cookie });

  expect(opened).toMatchObject({ status: 200, data: { story: null } });
  expect(file.status).toBe(200);
  expect(draft).toMatchObject({ status: 200, data: { editor: { draft: { text: "" } } } });
  expect(version).toMatchObject({
    status: 200,
    data: { editor: { sidePanel: { version: null } } },
  });
});

test("accepts only ids in the paths of the database, even where a route forgets to validate", async () => {
  await using app = await startApp();
  const env = readEnv(app.env);
  const { idToken } = await app.firebase.addAccount();

  for (const id of INVALID_IDS.filter((id) => !/^\/?a\/?b?$/.test(id))) {
    const user = asUser(env, { idToken });
    const path = `stories/${id}`;
    await expect(user.get(path), id).rejects.toThrow(TypeError);
    await expect(user.batchGet([path]), id).rejects.toThrow(TypeError);
    await expect(user.query(`${path}/parts`, { limit: 1 }), id).rejects.toThrow(TypeError);
    await expect(user.query("stories", { limit: 1, startAfter: path }), id).rejects.toThrow(
      TypeError,
    );
    await expect(user.commit([{ path, fields: {} }]), id).rejects.toThrow(TypeError);
    await expect(user.commit([{ path, delete: true }]), id).rejects.toThrow(TypeError);
  }
});

test.each(["the-glass-apiary-0123456789", createDocumentId(), crypto.randomUUID(), "1", "a_b.c~d"])(
  "%j is an id",
  (id) => {
    expect(isDocumentId(id)).toBe(true);
  },
);

test("allows ids as long as Firestore does", () => {
  expect(isDocumentId("x".repeat(1500))).toBe(true);
  expect(isDocumentId("x".repeat(1501))).toBe(false);
});
