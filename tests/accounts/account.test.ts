import { afterEach, expect, test, vi } from "vitest";

import { createAccounts } from "#app/accounts/account.server.ts";
import { readEnv } from "#app/env.server.ts";
import { createTestKey } from "#tests/support/private-key.ts";

// tests/accounts/reset.test.ts tests the reset's minimum duration.
vi.mock(import("#app/http/wait.server.ts"), () => ({ wait: () => Promise.resolve() }));

// Production cannot run in tests, so its requests are compared with the documentation.

const env = readEnv({
  SESSION_SECRET: "a secret that is at least 32 characters",
  FIREBASE_API_KEY: "the key",
  FIREBASE_PROJECT_ID: "inkglade",
  FIREBASE_DATABASE_URL: "https://inkglade-default-rtdb.firebaseio.com",
  FIREBASE_CLIENT_EMAIL: "app@inkglade.iam.gserviceaccount.com",
  FIREBASE_PRIVATE_KEY: createTestKey(),
});
const accounts = createAccounts(env);

afterEach(() => vi.unstubAllGlobals());

/** Answers every request the same way, and returns the requests. */
function answerWith(status: number, answer: object) {
  const calls: { url: string; headers: Headers; body: unknown }[] = [];
  vi.stubGlobal("fetch", async (input: URL, init: RequestInit) => {
    const request = new Request(input, init);
    calls.push({ url: request.url, headers: request.headers, body: await request.json() });
    return Response.json(answer, { status });
  });
  return calls;
}

const tokens = { idToken: "new", refreshToken: "newer", expiresIn: "3600" };
const reset = { requestType: "PASSWORD_RESET", email: "ana@example.com" };

test.each<[string, () => Promise<unknown>, string, object, object]>([
  ["a reset", () => accounts.sendPasswordResetEmail("ana@example.com"), "sendOobCode", reset, {}],
  [
    "one's own reset",
    () => accounts.sendOwnPasswordResetEmail("ana@example.com"),
    "sendOobCode",
    reset,
    {},
  ],
  [
    "a name and a photo",
    () => accounts.updateProfile("token", { displayName: "Ana", photoURL: "https://a.example/b" }),
    "update",
    {
      idToken: "token",
      displayName: "Ana",
      photoUrl: "https://a.example/b",
      deleteAttribute: [],
      returnSecureToken: false,
    },
    {},
  ],
  [
    "no name and no photo",
    () => accounts.updateProfile("token", { displayName: "", photoURL: "" }),
    "update",
    {
      idToken: "token",
      deleteAttribute: ["DISPLAY_NAME", "PHOTO_URL"],
      returnSecureToken: false,
    },
    {},
  ],
  [
    "a new password",
    () => accounts.updatePassword("token", "secret1"),
    "update",
    { idToken: "token", password: "secret1", returnSecureToken: true },
    tokens,
  ],
  ["an end", () => accounts.deleteUser("token"), "delete", { idToken: "token" }, {}],
  [
    "a confirmation",
    () => accounts.sendEmailVerification("token"),
    "sendOobCode",
    { requestType: "VERIFY_EMAIL", idToken: "token" },
    {},
  ],
  [
    "a look at a code",
    () => accounts.verifyPasswordResetCode("code"),
    "resetPassword",
    { oobCode: "code" },
    { email: "ana@example.com" },
  ],
  [
    "a new password by a code",
    () => accounts.confirmPasswordReset("code", "secret1"),
    "resetPassword",
    { oobCode: "code", newPassword: "secret1" },
    { email: "ana@example.com" },
  ],
  [
    "a code about an address",
    () => accounts.applyActionCode("code"),
    "update",
    { oobCode: "code" },
    {},
  ],
])("%s is requested as documented", async (_what, ask, method, body, answer) => {
  const calls = answerWith(200, answer);

  await ask();

  expect(calls).toEqual([
    {
      url: `https://identitytoolkit.googleapis.com/v1/accounts:${method}?key=the+key`,
      headers: expect.any(Headers),
      body,
    },
  ]);
  expect(Object.fromEntries(calls[0]?.headers ?? [])).toEqual({
    "content-type": "application/json",
  });
});

test("a password reset never reveals whether the address has an account", async () => {
  answerWith(200, { email: "nobody@example.com" });
  await expect(accounts.sendPasswordResetEmail("nobody@example.com")).resolves.toBeUndefined();

  answerWith(400, { error: { code: 400, message: "EMAIL_NOT_FOUND" } });
  await expect(accounts.sendPasswordResetEmail("nobody@example.com")).resolves.toBeUndefined();
});

test.each(["RESET_PASSWORD_EXCEED_LIMIT", "USER_DISABLED"])(
  "%s shows its error to the signed-in user only",
  async (message) => {
    answerWith(400, { error: { code: 400, message } });

    await expect(accounts.sendPasswordResetEmail("ana@example.com")).resolves.toBeUndefined();
    await expect(accounts.sendOwnPasswordResetEmail("ana@example.com")).rejects.toThrow(
      /^Firebase: /,
    );
  },
);

test.each([
  ["TOO_MANY_ATTEMPTS_TRY_LATER : Try again later.", "too-many-requests"],
  ["INVALID_EMAIL", "invalid-email"],
])("a reset shows the error %s", async (message, code) => {
  answerWith(400, { error: { code: 400, message } });

  await expect(accounts.sendPasswordResetEmail("ana@example.com")).rejects.toMatchObject({ code });
});

test.each([
  ["EXPIRED_OOB_CODE", "The action code has expired."],
  ["INVALID_OOB_CODE", "The action code is invalid."],
  ["USER_DISABLED", "The user account has been disabled by an administrator."],
])("a code rejected with %s is explained", async (message, words) => {
  answerWith(400, { error: { code: 400, message } });

  await expect(accounts.verifyPasswordResetCode("code")).rejects.toThrow(words);
});
