import { json } from "node:stream/consumers";

import { expect, test } from "vitest";

import { action, loader } from "#app/routes/login.tsx";
import { action as register } from "#app/routes/register.tsx";
import type { TestAccount } from "#tests/support/firebase.ts";
import { readLink, readMails } from "#tests/support/mail.ts";
import { signIn, startApp, toCookieHeader, type TestApp } from "#tests/support/routes.ts";
import { answerJson, startServer } from "#tests/support/server.ts";

/** Sends an e-mail about the address of an account, and returns the path of its link. */
async function askForLink(app: TestApp, person: TestAccount, asked: object): Promise<string> {
  await askProvider(app, "accounts:sendOobCode", { idToken: person.idToken, ...asked });
  return readLink(app.firebase, person.email);
}

async function askProvider(app: TestApp, method: string, body: object): Promise<unknown> {
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

test("opening the link confirms nothing; pressing its button does, once", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  const path = await askForLink(app, person, { requestType: "VERIFY_EMAIL" });
  const lookUp = () => askProvider(app, "accounts:lookup", { idToken: person.idToken });

  await app.send(loader, path, { cookie });
  expect(await lookUp()).toMatchObject({ users: [{ emailVerified: false }] });

  const answer = await app.send(action, path, { cookie, form: {} });
  expect(await lookUp()).toMatchObject({ users: [{ emailVerified: true }] });
  expect(answer.status).toBe(303);
  expect(answer.headers.get("Location")).toBe("/profile");
  expect(answer.headers.get("Set-Cookie")).toMatch(/^flash=email-confirmed; /);

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
  const path = await askForLink(app, person, { requestType: "VERIFY_EMAIL" });

  const answer = await app.send(action, path, { form: {} });

  expect(answer.headers.get("Location")).toBe("/login");
});

test("a link that changes the address ends the session", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  const newEmail = "ana.new@example.com";
  const asked = { requestType: "VERIFY_AND_CHANGE_EMAIL", newEmail };
  const path = await askForLink(app, person, asked);

  const answer = await app.send(action, path, { cookie, form: {} });

  expect(answer.headers.get("Location")).toBe("/login");
  expect(answer.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__session=; Max-Age=0/),
    expect.stringMatching(/^flash=email-changed; /),
  ]);
  expect(await signIn(app, { ...person, email: newEmail })).toContain("__session=");
});

test("another account's link leaves the session alone", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const other = await app.firebase.addAccount();
  const asked = { requestType: "VERIFY_AND_CHANGE_EMAIL", newEmail: "other.new@example.com" };
  const path = await askForLink(app, other, asked);

  const answer = await app.send(action, path, { cookie, form: {} });

  expect(answer.headers.getSetCookie()).toEqual([expect.stringMatching(/^flash=/)]);
});

test.each([
  ["their own", true, [/^__session=; Max-Age=0/, /^flash=email-restored; /]],
  ["no", false, [/^flash=email-restored; /]],
])(
  "restoring the old address with %s session leads to Sign In, which says so once",
  async (_whose, isSignedIn, cookies) => {
    await using app = await startApp();
    const person = await app.firebase.addAccount();
    const cookie = isSignedIn ? await signIn(app, person) : "";
    await using provider = await startRecovery(person);
    await using recovering = await startApp({
      ...app.firebase.hosts,
      FIREBASE_AUTH_EMULATOR_HOST: provider.host,
    });
    const path = "/login?mode=recoverEmail&oobCode=old&apiKey=local&lang=en";

    // Virus scanners may open the link.
    const page = await recovering.send(loader, path, { cookie });
    expect(page).toMatchObject({ data: { screen: { kind: "apply-code", mode: "recoverEmail" } } });
    const answer = await recovering.send(action, path, { cookie, form: {} });

    expect([answer.status, answer.headers.get("Location")]).toEqual([303, "/login"]);
    expect(answer.headers.getSetCookie()).toEqual(
      cookies.map((pattern) => expect.stringMatching(pattern)),
    );
    const next = { cookie: toCookieHeader(answer.headers) };
    expect((await recovering.send(loader, "/login", next)).data).toMatchObject({
      flash: "email-restored",
    });
    expect(await recovering.send(action, path, { cookie, form: {} })).toMatchObject({
      status: 400,
      data: { banner: { hint: "This link has been used or is too old. Ask for a new one." } },
    });
  },
);

/** A provider that restores an address by the code `old` once, as production does and the emulator does not. */
function startRecovery({ localId, email }: TestAccount) {
  let isUsed = false;
  return startServer(async (response, request) => {
    if (request.url?.includes("accounts:lookup")) return answerJson(response, 200, { users: [{}] });
    const asked: unknown = await json(request);
    const isGood = !isUsed && JSON.stringify(asked) === '{"oobCode":"old"}';
    isUsed = true;
    if (isGood) return answerJson(response, 200, { localId, email, emailVerified: true });
    answerJson(response, 400, { error: { code: 400, message: "INVALID_OOB_CODE" } });
  });
}
