import { afterEach, expect, test, vi } from "vitest";

import { createAccountService } from "#app/accounts/account.server.ts";
import { readEnv } from "#app/env.server.ts";
import { createTestKey } from "#tests/support/private-key.ts";

// tests/accounts/reset.test.ts tests the reset's minimum duration.
vi.mock(import("#app/http/wait.ts"), async (importOriginal) => ({
  ...(await importOriginal()),
  wait: () => Promise.resolve(),
}));

// Tests cannot call production Firebase, so its requests are compared with the documentation.

const env = readEnv({
  SESSION_SECRET: "a secret that is at least 32 characters",
  FIREBASE_API_KEY: "the key",
  FIREBASE_PROJECT_ID: "inkglade",
  FIREBASE_DATABASE_URL: "https://inkglade-default-rtdb.firebaseio.com",
  FIREBASE_CLIENT_EMAIL: "app@inkglade.iam.gserviceaccount.com",
  FIREBASE_PRIVATE_KEY: createTestKey(),
});
const accounts = createAccountService(env);

afterEach(() => vi.unstubAllGlobals());

/** Stubs `fetch` with one response, and returns the requests it receives. */
function stubFetch(status: number, responseBody: object) {
  const requests: { url: string; headers: Headers; body: unknown }[] = [];
  vi.stubGlobal("fetch", async (input: URL, init: RequestInit) => {
    const request = new Request(input, init);
    requests.push({ url: request.url, headers: request.headers, body: await request.json() });
    return Response.json(responseBody, { status });
  });
  return requests;
}

const tokens = { idToken: "new", refreshToken: "newer", expiresIn: "3600" };
const reset = { requestType: "PASSWORD_RESET", email: "ana@example.com" };

test.each<[string, () => Promise<unknown>, string, object, object]>([
  [
    "a password reset",
    () => accounts.sendPasswordResetEmail("ana@example.com"),
    "sendOobCode",
    reset,
    {},
  ],
  [
    "the signed-in user's own password reset",
    () => accounts.sendOwnPasswordResetEmail("ana@example.com"),
    "sendOobCode",
    reset,
    {},
  ],
  [
    "setting the name and photo",
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
    "deleting the name and photo",
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
    "changing the password",
    () => accounts.updatePassword("token", "secret1"),
    "update",
    { idToken: "token", password: "secret1", returnSecureToken: true },
    tokens,
  ],
  ["deleting the account", () => accounts.deleteUser("token"), "delete", { idToken: "token" }, {}],
  [
    "an e-mail confirmation",
    () => accounts.sendEmailVerification("token"),
    "sendOobCode",
    { requestType: "VERIFY_EMAIL", idToken: "token" },
    {},
  ],
  [
    "checking a reset code",
    () => accounts.verifyPasswordResetCode("code"),
    "resetPassword",
    { oobCode: "code" },
    { email: "ana@example.com" },
  ],
  [
    "setting a new password with a reset code",
    () => accounts.confirmPasswordReset("code", "secret1"),
    "resetPassword",
    { oobCode: "code", newPassword: "secret1" },
    { email: "ana@example.com" },
  ],
  [
    "applying an e-mail code",
    () => accounts.applyActionCode("code"),
    "update",
    { oobCode: "code" },
    {},
  ],
])("sends the documented request for %s", async (_what, callApi, method, body, responseBody) => {
  const requests = stubFetch(200, responseBody);

  await callApi();

  expect(requests).toEqual([
    {
      url: `https://identitytoolkit.googleapis.com/v1/accounts:${method}?key=the+key`,
      headers: expect.any(Headers),
      body,
    },
  ]);
  expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
    "content-type": "application/json",
  });
});

test("a password reset never reveals whether the address has an account", async () => {
  stubFetch(200, { email: "nobody@example.com" });
  await expect(accounts.sendPasswordResetEmail("nobody@example.com")).resolves.toBeUndefined();

  stubFetch(400, { error: { code: 400, message: "EMAIL_NOT_FOUND" } });
  await expect(accounts.sendPasswordResetEmail("nobody@example.com")).resolves.toBeUndefined();
});

test.each(["RESET_PASSWORD_EXCEED_LIMIT", "USER_DISABLED"])(
  "reports %s to the signed-in user only",
  async (message) => {
    stubFetch(400, { error: { code: 400, message } });

    await expect(accounts.sendPasswordResetEmail("ana@example.com")).resolves.toBeUndefined();
    await expect(accounts.sendOwnPasswordResetEmail("ana@example.com")).rejects.toThrow(
      /^Firebase: /,
    );
  },
);

test.each([
  ["TOO_MANY_ATTEMPTS_TRY_LATER : Try again later.", "too-many-requests"],
  ["INVALID_EMAIL", "invalid-email"],
])("reports %s for a password reset", async (message, code) => {
  stubFetch(400, { error: { code: 400, message } });

  await expect(accounts.sendPasswordResetEmail("ana@example.com")).rejects.toMatchObject({ code });
});

test.each([
  ["EXPIRED_OOB_CODE", "The action code has expired."],
  ["INVALID_OOB_CODE", "The action code is invalid."],
  ["USER_DISABLED", "The user account has been disabled by an administrator."],
])("explains why a code was rejected with %s", async (wireCode, message) => {
  stubFetch(400, { error: { code: 400, message: wireCode } });

  await expect(accounts.verifyPasswordResetCode("code")).rejects.toThrow(message);
});
