import { expect, test } from "vitest";

import { readEnv } from "#app/env.server.ts";
import { createDocumentId, isDocumentId } from "#app/firebase/document-id.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { loader as createLoader } from "#app/routes/create.tsx";
import { action as saveDraft, loader as askDraft } from "#app/routes/drafts.ts";
import { action as keepPlace } from "#app/routes/place.ts";
import { action as keepInAccount, loader as askPlace } from "#app/routes/places.ts";
import { action as changeProfile } from "#app/routes/profile.tsx";
import { loader as readLoader } from "#app/routes/read.$id.tsx";
import { loader as markdownLoader } from "#app/routes/read.$id[.]md.ts";
import { action as postMessage } from "#app/routes/room-messages.ts";
import { positionOf } from "#tests/reading/reading.ts";
import { toMessageForm } from "#tests/support/message-form.ts";
import { signIn, startApp, type TestApp } from "#tests/support/routes.ts";
import { answerJson, startServer } from "#tests/support/server.ts";

/** What would lead elsewhere, in an address or a name, and what Firestore takes for no id. */
const STRANGE = [
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

/** The app on a database that keeps what it is asked, and answers nothing. */
async function startListening(app: TestApp) {
  const asked: string[] = [];
  const database = await startServer((response, request) => {
    asked.push(`${request.method} ${request.url}`);
    answerJson(response, 503, {});
  });
  const heard = app.withVariables({ FIRESTORE_EMULATOR_HOST: database.host });
  return { heard, asked, database };
}

test.each(STRANGE)(
  "%j is no id, and a script that asks with it never reaches the database",
  async (id) => {
    await using app = await startApp();
    const cookie = await signIn(app, await app.firebase.addAccount());
    const { heard, asked, database } = await startListening(app);
    await using _database = database;
    const query = encodeURIComponent(id);

    const position = JSON.stringify({ ...positionOf(), story: id });
    const answers = [
      await heard.send(askPlace, `/places?story=${query}`, { cookie }),
      await heard.send(askDraft, `/drafts?id=${query}`, { cookie }),
    ];
    answers.push(await heard.send(keepInAccount, "/places", { form: { position }, cookie }));

    expect(isDocumentId(id)).toBe(false);
    expect(answers.map(({ status }) => status)).toEqual([400, 302, 400]);
    expect(asked.filter((line) => !line.includes("/sessions/"))).toEqual([]);
  },
);

test.each(STRANGE)("a form that names %j is refused, and says so", async (id) => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  const { heard, asked, database } = await startListening(app);
  await using _database = database;
  const account = { email: person.email, currentPassword: person.password };
  const draft = { intent: "save", revision: "0", text: "Hello" };

  const answers = [
    await heard.send(postMessage, "/rooms/general/messages", {
      form: toMessageForm({ id, text: "Hello" }),
      cookie,
    }),
    await heard.send(saveDraft, "/drafts", { form: { ...draft, id }, cookie }),
    await heard.send(keepPlace, "/place", { form: { story: id, paragraph: "p-1" }, cookie }),
    await heard.send(changeProfile, "/profile", {
      form: { intent: "end-session", session: id },
      cookie,
    }),
    ...(id === ""
      ? []
      : [
          await heard.send(changeProfile, "/profile", {
            form: { intent: "delete-account", ...account, messages: "anonymous", after: id },
            cookie,
          }),
        ]),
  ];

  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 400));
  expect(asked.filter((line) => !line.includes("/sessions/"))).toEqual([]);
});

test.each(STRANGE)("a page whose address names %j shows that there is nothing", async (id) => {
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

test("whatever a route forgets, nothing but ids gets into a path of the database", async () => {
  await using app = await startApp();
  const env = readEnv(app.env);
  const { idToken } = await app.firebase.addAccount();

  for (const id of STRANGE.filter((id) => !/^\/?a\/?b?$/.test(id))) {
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

test("an id is no longer than Firestore takes it", () => {
  expect(isDocumentId("x".repeat(1500))).toBe(true);
  expect(isDocumentId("x".repeat(1501))).toBe(false);
});
