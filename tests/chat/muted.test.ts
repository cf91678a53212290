import { expect, test } from "vitest";

import { UNTIL_LIFTED } from "#app/chat/moderation/mute.ts";
import { toMessageForm } from "#app/chat/post-message.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import * as home from "#app/routes/home.tsx";
import { action as askToPost } from "#app/routes/room-appeal.tsx";
import { action as changeMessage } from "#app/routes/room-message.ts";
import { action as sendForScripts } from "#app/routes/room-messages.ts";
import { changeDocument, readDocument } from "#tests/support/documents.ts";
import type { NewAccount } from "#tests/support/firebase.ts";
import { expectValue, readBanner, startPlainBrowser } from "#tests/support/plain-browser.ts";
import { readJson, signIn, startApp, toCookieHeader, type TestApp } from "#tests/support/routes.ts";

/** Signs a user in, and returns what they do. */
async function join(app: TestApp, account?: NewAccount) {
  const person = await app.firebase.addAccount(account);
  const cookie = await signIn(app, person);
  const { localId: uid } = person;
  return {
    uid,
    cookie,
    async send(input: { id: string; text: string }) {
      const form = toMessageForm(input);
      const response = await app.send(sendForScripts, "/rooms/general/messages", { form, cookie });
      return { status: response.status, body: await readJson(response) };
    },
    async edit(id: string, text: string) {
      const response = await app.send(changeMessage, `/rooms/general/messages/${id}`, {
        form: { intent: "edit", text },
        params: { id },
        cookie,
      });
      return { status: response.status, body: await readJson(response) };
    },
  };
}

/** Mutes a user, bypassing the rules. */
async function mute(
  { firebase }: Pick<TestApp, "firebase">,
  uid: string,
  until: number,
): Promise<void> {
  await changeDocument(firebase.hosts, `mutes/${uid}`, {
    until: { timestampValue: new Date(until).toISOString() },
    reason: { stringValue: "Harassment or hate" },
    appeal: { nullValue: null },
  });
}

test("returns a muted user's text with the reason, and stores nothing", async () => {
  await using app = await startApp();
  const ana = await join(app);
  const [first, second] = [
    { id: createDocumentId(), text: "Hello" },
    { id: createDocumentId(), text: "And again" },
  ];
  expect(await ana.send(first)).toMatchObject({ status: 200 });
  await mute(app, ana.uid, UNTIL_LIFTED);

  const hint = "You can't post in the room. Reason: Harassment or hate.";
  const error = { status: "error", reason: "muted", message: "Not sent.", hint };
  expect(await ana.send(second)).toEqual({ status: 403, body: { ...error, ...second } });
  expect(await ana.edit(first.id, "Hello you")).toEqual({ status: 403, body: error });
  expect(
    await readDocument(app.firebase.hosts, `rooms/general/messages/${second.id}`),
  ).toMatchObject({ error: { code: 404 } });
  // The response to a message that was stored before may have been lost.
  expect(await ana.send(first)).toMatchObject({ status: 200 });

  await mute(app, ana.uid, Date.now() - 1000);
  expect(await ana.send(second)).toMatchObject({ status: 200 });
  expect(await ana.edit(first.id, "Hello you")).toMatchObject({ status: 200 });
});

test("says when a muted user can post again", async () => {
  await using app = await startApp({ TIME_ZONE: "UTC" });
  const ana = await join(app);
  const tomorrow = new Date(Date.now() + 24 * 60 * 60_000);
  tomorrow.setUTCHours(20, 2, 0, 0);
  await mute(app, ana.uid, tomorrow.getTime());

  expect(await ana.send({ id: createDocumentId(), text: "Hello" })).toMatchObject({
    status: 403,
    body: { hint: expect.stringContaining("You can't post until tomorrow, 8:02 PM. Reason: ") },
  });
});

test("stores an operator's message under an id that marks it, once", async () => {
  await using app = await startApp();
  const olga = await join(app, { isOperator: true });
  const input = { id: createDocumentId(), text: "Please be kind" };

  const sent = { status: 200, body: { status: "sent", id: `op-${input.id}` } };
  expect(await olga.send(input)).toEqual(sent);
  expect(await olga.send(input)).toEqual(sent);
  expect(await olga.edit(`op-${input.id}`, "Be kind")).toMatchObject({ status: 200 });
  expect(
    await readDocument(app.firebase.hosts, `rooms/general/messages/${input.id}`),
  ).toMatchObject({ error: { code: 404 } });
});

test("the room says that the user is muted, once a message was refused in this browser", async () => {
  await using app = await startApp();
  const ana = await join(app);
  await mute(app, ana.uid, UNTIL_LIFTED);
  const form = toMessageForm({ id: createDocumentId(), text: "Hello" });
  const refused = await app.send(home.action, "/home", { form, cookie: ana.cookie });
  const cookie = `${ana.cookie}; ${toCookieHeader(refused.headers)}`;
  const load = async () => (await app.send(home.loader, "/home", { cookie })).data;

  expect(refused).toMatchObject({ status: 403, data: { reason: "muted", text: "Hello" } });
  expect(await load()).toMatchObject({
    room: { mute: { until: UNTIL_LIFTED, reason: "Harassment or hate", hasAsked: false } },
  });
  await mute(app, ana.uid, Date.now() - 1000);
  expect(await load()).toMatchObject({ room: { mute: null } });
});

test("a muted user asks once to post again", async () => {
  await using app = await startApp();
  const ana = await join(app);
  const ask = async (appeal: string, headers = {}) =>
    app.send(askToPost, "/rooms/general/appeal", {
      form: { uid: ana.uid, appeal, returnTo: "/home#room" },
      cookie: ana.cookie,
      headers,
    });
  expect(await ask("Please"), "not muted").toMatchObject({ status: 409 });
  await mute(app, ana.uid, UNTIL_LIFTED);

  expect(await ask(" ")).toMatchObject({ status: 400 });
  expect(await readJson(await ask("It wasn't me."))).toEqual({ status: "done" });
  expect((await ask("Really.")).data).toMatchObject({ message: "You can ask once." });
  expect(await readDocument(app.firebase.hosts, `mutes/${ana.uid}`)).toMatchObject({
    appeal: { stringValue: "It wasn't me." },
  });
});

/** Opens the room as a muted user in a browser without scripts. */
async function openMuted() {
  const browser = await startPlainBrowser();
  const { email, password, localId: uid } = await browser.firebase.addAccount();
  await browser.post("/login", { email, password });
  const room = await browser.get("/home");
  await mute(browser, uid, UNTIL_LIFTED);
  // From then on the pages of this browser ask for the mute.
  await browser.submit(room, "Send", { message: "Hello" });
  return { ...browser, uid, room: await browser.get("/home") };
}

test("without scripts, an appeal can be as long as the field allows, with line breaks", async () => {
  await using browser = await openMuted();
  const appeal = `It wasn't me.\n${"x".repeat(486)}`;

  const sent = await browser.submit(browser.room, "Ask", { appeal: appeal.replace("\n", "\r\n") });

  expect(sent).toMatchObject({ status: 200, path: "/home" });
  expect(await readDocument(browser.firebase.hosts, `mutes/${browser.uid}`)).toMatchObject({
    appeal: { stringValue: appeal },
  });
});

test("without scripts, an appeal that was not sent comes back with the reason", async () => {
  await using browser = await openMuted();
  const { firebase, room, uid } = browser;

  const long = await browser.submit(room, "Ask", { appeal: "x".repeat(501) });
  expect(long.status).toBe(400);
  expect(readBanner(long)).toBe("This can have up to 500 characters.");
  expectValue(long, "appeal", "x".repeat(501));

  browser.clearCookies();
  const signedOut = await browser.submit(long, "Ask", { appeal: "It wasn't me." });
  expect(signedOut.status).toBe(401);
  expectValue(signedOut, "appeal", "It wasn't me.");

  const tomas = await firebase.addAccount();
  await browser.post("/login", { email: tomas.email, password: tomas.password });
  const other = await browser.submit(signedOut, "Ask");
  expect(other.status).toBe(401);
  expect(readBanner(other)).toContain("Someone else is signed in now.");
  expectValue(other, "appeal", "It wasn't me.");
  expect(await readDocument(firebase.hosts, `mutes/${uid}`)).toMatchObject({
    appeal: { nullValue: null },
  });
  expect((await browser.get("/rooms/general/appeal")).path).toBe("/home");
});
