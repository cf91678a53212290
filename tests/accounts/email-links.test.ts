import { json } from "node:stream/consumers";

import { expect, test } from "vitest";

import { action, loader } from "#app/routes/login.tsx";
import { action as register } from "#app/routes/register.tsx";
import type { TestAccount } from "#tests/support/firebase.ts";
import { readLink, readMails } from "#tests/support/mail.ts";
import { signIn, startApp, toCookieHeader, type TestApp } from "#tests/support/routes.ts";
import { sendJson, startServer } from "#tests/support/server.ts";

/** Requests an e-mail with a link for an account, and returns the link's path. */
async function requestLink(app: TestApp, person: TestAccount, body: object): Promise<string> {
  await callProvider(app, "accounts:sendOobCode", { idToken: person.idToken, ...body });
  return readLink(app.firebase, person.email);
}

async function callProvider(app: TestApp, method: string, body: object): Promise<unknown> {
  const host = app.firebase.hosts.FIREBASE_AUTH_EMULATOR_HOST;
  const url = `http://${host}/identitytoolkit.googleapis.com/v1/${method}?key=local`;
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  return response.json();
}

test("registration sends a link that confirms the e-mail", async () => {
  await using app = await startApp();
  const email = "ana@example.com";

  const form = { email, password: "correct horse", confirmPassword: "correct horse" };
  await app.send(register, "/register", { form });

  expect(await readMails(app.firebase)).toMatchObject([{ email, requestType: "VERIFY_EMAIL" }]);
});

test("confirms the e-mail only when the button is pressed, and only once", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  const path = await requestLink(app, person, { requestType: "VERIFY_EMAIL" });
  const lookUp = () => callProvider(app, "accounts:lookup", { idToken: person.idToken });

  await app.send(loader, path, { cookie });
  expect(await lookUp()).toMatchObject({ users: [{ emailVerified: false }] });

  const response = await app.send(action, path, { cookie, form: {} });
  expect(await lookUp()).toMatchObject({ users: [{ emailVerified: true }] });
  expect(response.status).toBe(303);
  expect(response.headers.get("Location")).toBe("/profile");
  expect(response.headers.get("Set-Cookie")).toMatch(/^flash=email-confirmed; /);

  const again = await app.send(action, path, { cookie, form: {} });
  expect(again).toMatchObject({
    status: 400,
    data: {
      banner: {
        message: expect.stringContaining("auth/invalid-action-code"),
        hint: "This link has been used or is too old. Ask for a new one.",
      },
    },
  });
});

test("a link opened on another device leads to Sign In", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const path = await requestLink(app, person, { requestType: "VERIFY_EMAIL" });

  const response = await app.send(action, path, { form: {} });

  expect(response.headers.get("Location")).toBe("/login");
});

test("a link that changes the address ends the session", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  const newEmail = "ana.new@example.com";
  const body = { requestType: "VERIFY_AND_CHANGE_EMAIL", newEmail };
  const path = await requestLink(app, person, body);

  const response = await app.send(action, path, { cookie, form: {} });

  expect(response.headers.get("Location")).toBe("/login");
  expect(response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__session=; Max-Age=0/),
    expect.stringMatching(/^flash=email-changed; /),
  ]);
  expect(await signIn(app, { ...person, email: newEmail })).toContain("__session=");
});

test("keeps the session when the link belongs to another account", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const other = await app.firebase.addAccount();
  const body = { requestType: "VERIFY_AND_CHANGE_EMAIL", newEmail: "other.new@example.com" };
  const path = await requestLink(app, other, body);

  const response = await app.send(action, path, { cookie, form: {} });

  expect(response.headers.getSetCookie()).toEqual([expect.stringMatching(/^flash=/)]);
});

test.each([
  ["when signed in", true, [/^__session=; Max-Age=0/, /^flash=email-restored; /]],
  ["when signed out", false, [/^flash=email-restored; /]],
])(
  "restoring the old address %s leads to Sign In, which reports it once",
  async (_when, isSignedIn, cookies) => {
    await using app = await startApp();
    const person = await app.firebase.addAccount();
    const cookie = isSignedIn ? await signIn(app, person) : "";
    await using provider = await startRecovery(person);
    const recoveryApp = app.withVariables({
      FIREBASE_AUTH_EMULATOR_HOST: provider.host,
    });
    const path = "/login?mode=recoverEmail&oobCode=old&apiKey=local&lang=en";

    // Virus scanners may open the link, so opening it changes nothing.
    const page = await recoveryApp.send(loader, path, { cookie });
    expect(page).toMatchObject({ data: { screen: { kind: "apply-code", mode: "recoverEmail" } } });
    const response = await recoveryApp.send(action, path, { cookie, form: {} });

    expect([response.status, response.headers.get("Location")]).toEqual([303, "/login"]);
    expect(response.headers.getSetCookie()).toEqual(
      cookies.map((pattern) => expect.stringMatching(pattern)),
    );
    const next = { cookie: toCookieHeader(response.headers) };
    expect((await recoveryApp.send(loader, "/login", next)).data).toMatchObject({
      flashText: { message: "Your old e-mail has been restored." },
    });
    expect(await recoveryApp.send(action, path, { cookie, form: {} })).toMatchObject({
      status: 400,
      data: { banner: { hint: "This link has been used or is too old. Ask for a new one." } },
    });
  },
);

/** Starts a provider that accepts the recovery code `old` once. The emulator does not support recovery codes. */
function startRecovery({ localId, email }: TestAccount) {
  let isUsed = false;
  return startServer(async (response, request) => {
    if (request.url?.includes("accounts:lookup")) return sendJson(response, 200, { users: [{}] });
    const body: unknown = await json(request);
    const isValid = !isUsed && JSON.stringify(body) === '{"oobCode":"old"}';
    isUsed = true;
    if (isValid) return sendJson(response, 200, { localId, email, emailVerified: true });
    sendJson(response, 400, { error: { code: 400, message: "INVALID_OOB_CODE" } });
  });
}
