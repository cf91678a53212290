import { expect, test } from "vitest";

import { createDocumentId } from "#app/firebase/document-id.ts";
import { action as logout } from "#app/routes/logout.ts";
import { getSessionsPath, getSlotsPath } from "#app/session/session-record-schema.ts";
import { toSlot } from "#app/session/registry.server.ts";
import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import { createDraft } from "#tests/rules/draft-documents.ts";
import { call, commit, createRecord, list } from "#tests/rules/requests.ts";
import { createDataFolder } from "#tests/support/data-folder.ts";
import { startSavedFirebase } from "#tests/support/firebase.ts";
import {
  fetchCustomToken,
  refresh,
  signInToFirebase,
  type PageSignIn,
} from "#tests/support/page-token.ts";
import { signIn, startApp, type TestApp } from "#tests/support/routes.ts";
import { endOther, listSessions, signInTwice } from "./devices.ts";
import { canOpenProfile } from "./isolates.ts";

/** What the page of a session may do. */
const PAGE = [
  ...["gets a draft", "gets a position"],
  ...["lists the people here", "sees who is typing", "reads a setting"],
  ...[
    "is shown as here",
    "is typing",
    "changes a setting",
    "takes a reader key",
    "is seen reading",
  ],
];

/** What only the server does, with a token that never leaves it. */
const SERVER = [
  ...["lists the drafts", "posts a message", "saves a draft"],
  ...["adds a session", "adds the session again", "deletes all drafts"],
];

interface Target {
  draft: string;
  session: string;
}

test("after LogOut, neither a copy of the cookie nor its tokens give access", async () => {
  await using data = await createDataFolder();
  const { ana, cookie, target, copies } = await copyAndLogOut(data.folder);

  await using app = await startApp({}, startSavedFirebase(data.folder));

  for (const copy of copies) {
    expect(await listAllowed(app, copy, target)).toEqual([]);
    expect(await listAllowed(app, await refresh(app, copy), target)).toEqual([]);
  }
  expect(await canOpenProfile(app, cookie)).toBe(false);
  // The same requests are allowed to the server.
  const own = await listAllowed(app, await refresh(app, ana), target);
  expect(own.toSorted()).toEqual([...PAGE, ...SERVER].toSorted());
});

/** Makes tokens from a cookie, uses them, and logs out, after which they are refused. */
async function copyAndLogOut(folder: string) {
  await using app = await startApp({}, startSavedFirebase(folder));
  const ana = await app.firebase.addAccount();
  const cookie = await signIn(app, ana);
  const [session] = await listSessions(app, cookie);
  const draft = createDraft(ana);
  expect(await commit(app.firebase, ana, draft)).toBe(200);
  const target = { draft: draft.path, session: session?.id ?? "" };
  const unused = await fetchCustomToken(app, cookie);
  const used = await signInToFirebase(app, await fetchCustomToken(app, cookie));
  expect(await listAllowed(app, used, target)).toEqual(PAGE);

  await app.send(logout, "/logout", { cookie, form: {} });

  const copies = [used, await refresh(app, used), await signInToFirebase(app, unused)];
  for (const copy of copies) expect(await listAllowed(app, copy, target)).toEqual([]);
  expect(await canOpenProfile(app, cookie)).toBe(false);
  return { ana, cookie, target, copies };
}

test("ending a session in another browser ends the tokens of its pages, and no others", async () => {
  await using app = await startApp();
  const { person, here, there } = await signInTwice(app);
  const draft = createDraft(person);
  expect(await commit(app.firebase, person, draft)).toBe(200);
  const target = { draft: draft.path, session: createDocumentId() };
  const [page, other] = [
    await signInToFirebase(app, await fetchCustomToken(app, here)),
    await signInToFirebase(app, await fetchCustomToken(app, there)),
  ];
  expect(await listAllowed(app, other, target)).toEqual(PAGE);

  await endOther(app, here);

  expect(await listAllowed(app, await refresh(app, other), target)).toEqual([]);
  expect(await listAllowed(app, page, target)).toEqual(PAGE);
});

/** Attempts everything that a user does in Firestore and the Realtime Database, and returns what the rules allow. */
async function listAllowed(app: TestApp, user: PageSignIn, target: Target): Promise<string[]> {
  const { firebase } = app;
  const uid = user.localId;
  const messageId = createDocumentId();
  const message = { text: "Hello", uid, displayName: "Anonymous", photoURL: null };
  const session = { device: "Firefox", signedInAt: 1000, seenAt: 2000 };
  const sessions = getSessionsPath(uid);
  const record = await createRecord(firebase, user, "messages", messageId);
  const now = { ".sv": "timestamp" };
  const slot = `${getSlotsPath(uid)}/${toSlot(target.session)}`;
  const attempts: [what: string, send: () => Promise<number>][] = [
    ["gets a draft", () => call(firebase, user, "GET", target.draft)],
    ["gets a position", () => call(firebase, user, "GET", `users/${uid}/places/salt`)],
    ["lists the drafts", () => list(firebase, user, { path: `users/${uid}/drafts`, limit: 10 })],
    [
      "posts a message",
      () =>
        commit(
          firebase,
          user,
          { path: `rooms/general/messages/${messageId}`, fields: message, times: ["createdAt"] },
          record,
        ),
    ],
    ["saves a draft", () => commit(firebase, user, createDraft(user))],
    [
      "adds a session",
      () => call(firebase, user, "PATCH", `${sessions}/${createDocumentId()}`, session),
    ],
    ["lists the people here", () => database(app, user, "GET", "connections")],
    ["sees who is typing", () => database(app, user, "GET", "typing/general")],
    ["reads a setting", () => database(app, user, "GET", `unseen/${uid}`)],
    [
      "is shown as here",
      () => database(app, user, "PUT", `connections/${uid}/c0`, { name: "Anonymous", time: now }),
    ],
    ["is typing", () => database(app, user, "PUT", `typing/general/${uid}`, true)],
    ["changes a setting", () => database(app, user, "PUT", `unseen/${uid}`, false)],
    [
      "takes a reader key",
      async () => {
        const [key, owner] = [`readerKeys/${uid}/room`, `keyOwners/${messageId}`];
        const status = await database(app, user, "PATCH", "", { [key]: messageId, [owner]: uid });
        // The next attempt takes another one.
        await database(app, user, "PATCH", "", { [key]: null, [owner]: null });
        return status;
      },
    ],
    [
      "is seen reading",
      () =>
        database(app, user, "PUT", `readingTogether/${uid}`, {
          story: "salt",
          part: 1,
          name: "Anonymous",
          time: now,
        }),
    ],
    ["reads its entry", () => database(app, user, "GET", slot)],
    ["changes its entry", () => database(app, user, "PUT", slot, target.session)],
    [
      "adds the session again",
      () => call(firebase, user, "PATCH", `${sessions}/${target.session}`, session),
    ],
    ["deletes all drafts", () => commit(firebase, user, { path: target.draft })],
  ];
  const allowed: string[] = [];
  for (const [what, send] of attempts) {
    // A document or value that does not exist is also an answer.
    if (![401, 403].includes(await send())) allowed.push(what);
  }
  return allowed;
}

/** Sends a request to the Realtime Database, and returns the HTTP status. */
async function database(
  { firebase }: TestApp,
  { idToken }: PageSignIn,
  method: string,
  path: string,
  value?: unknown,
): Promise<number> {
  const { FIREBASE_DATABASE_EMULATOR_HOST: host } = firebase.hosts;
  const query = new URLSearchParams({ ns: `${LOCAL_PROJECT_ID}-default-rtdb`, auth: idToken });
  const url = `http://${host}/${path}.json?${query}`;
  const response = await fetch(url, { method, body: JSON.stringify(value) });
  await response.body?.cancel();
  return response.status;
}
