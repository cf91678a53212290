import { expect, test, vi } from "vitest";

import { action, loader } from "#app/routes/profile.tsx";
import { signInWithGoogle } from "#tests/support/google-account.ts";
import { completeGoogleSignIn } from "#tests/support/google-sign-in.ts";
import { readMessages } from "#tests/support/room-feed.ts";
import { signIn, startApp, toCookieHeader } from "#tests/support/routes.ts";
import { deleteAccount, readUid, sendOldMessage } from "./deleting-account.ts";

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
  expect(await readMessages(app)).toMatchObject([{ text: "Still here" }]);
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
    data: { fieldErrors: { currentPassword: ["Invalid password"] } },
  });
  expect(await readMessages(app)).toMatchObject([{ text: "Still here" }]);
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
  expect(await readMessages(app)).toMatchObject(isDone ? [] : [{ text: "Gina was here" }]);
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
  expect(await readMessages(app)).toMatchObject([]);
  expect(await app.send(loader, "/profile", { cookie: newCookie })).toMatchObject({ status: 302 });
  // The same Google user can sign in again, to a new account.
  expect(await readUid(app, await signInAsAna())).not.toBe(uid);
});

/** Moves the app's clock forward. */
function moveClock(ms: number): Disposable {
  vi.setSystemTime(Date.now() + ms);
  return { [Symbol.dispose]: () => void vi.useRealTimers() };
}
