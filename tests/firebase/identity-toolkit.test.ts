import { UnsecuredJWT } from "jose";
import { expect, test, vi } from "vitest";

import { createAccountService } from "#app/accounts/account.server.ts";
import { readEnv } from "#app/env.server.ts";
import { createIdentityToolkit } from "#app/firebase/identity-toolkit.server.ts";
import { isSessionEndedError } from "#app/session/session.server.ts";
import { createTestKey } from "#tests/support/private-key.ts";

// Tests the requests to Google itself, which tests cannot run.
const env = readEnv({
  SESSION_SECRET: "a secret that is at least 32 characters",
  FIREBASE_API_KEY: "AIza-key",
  FIREBASE_PROJECT_ID: "inkglade",
  FIREBASE_DATABASE_URL: "https://inkglade.firebaseio.com",
  FIREBASE_CLIENT_EMAIL: "app@inkglade.iam.gserviceaccount.com",
  FIREBASE_PRIVATE_KEY: createTestKey(),
});

const ID_TOKEN = new UnsecuredJWT({ firebase: { sign_in_provider: "password" } }).encode();

const signedIn = { idToken: "id", refreshToken: "refresh", expiresIn: "3600" };
const tokens = { idToken: "id", refreshToken: "refresh", expiresIn: 3600 };
const refreshed = {
  id_token: "id",
  access_token: "id",
  refresh_token: "refresh",
  expires_in: "3600",
  token_type: "Bearer",
  user_id: "uid",
  project_id: "12345",
};

const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded;charset=UTF-8" };
type Identity = ReturnType<typeof createIdentityToolkit>;

test.each([
  {
    call: "signIn",
    run: (identity: Identity) => identity.signIn("ana@example.com", "päss wörd&"),
    url: "https://identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=AIza-key",
    headers: json,
    body: '{"email":"ana@example.com","password":"päss wörd&","returnSecureToken":true}',
    response: { kind: "identitytoolkit#VerifyPasswordResponse", displayName: "", ...signedIn },
    result: tokens,
  },
  {
    call: "signUp",
    run: (identity: Identity) => identity.signUp("ana@example.com", "secret1"),
    url: "https://identitytoolkit.googleapis.com/v1/accounts:signUp?key=AIza-key",
    headers: json,
    body: '{"email":"ana@example.com","password":"secret1","returnSecureToken":true}',
    response: { kind: "identitytoolkit#SignupNewUserResponse", localId: "uid", ...signedIn },
    result: tokens,
  },
  {
    call: "check",
    run: (identity: Identity) => identity.check(ID_TOKEN),
    url: "https://identitytoolkit.googleapis.com/v1/accounts:lookup?key=AIza-key",
    headers: json,
    body: JSON.stringify({ idToken: ID_TOKEN }),
    response: { kind: "identitytoolkit#GetAccountInfoResponse", users: [{ localId: "uid" }] },
    result: undefined,
  },
  {
    call: "refresh",
    run: (identity: Identity) => identity.refresh("a+b/c="),
    url: "https://securetoken.googleapis.com/v1/token?key=AIza-key",
    headers: form,
    body: "grant_type=refresh_token&refresh_token=a%2Bb%2Fc%3D",
    response: refreshed,
    result: tokens,
  },
])(
  "$call sends Google exactly this URL, these headers and this body",
  async ({ run, url, headers, body, response, result }) => {
    const sent: Request[] = [];
    using _fetch = vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      sent.push(new Request(input, init));
      return Response.json(response);
    });

    expect(await run(createIdentityToolkit(env))).toEqual(result);

    const [request, ...others] = sent;
    expect(others).toEqual([]);
    expect(request?.method).toBe("POST");
    expect(request?.url).toBe(url);
    expect(Object.fromEntries(request?.headers ?? [])).toEqual(headers);
    expect(await request?.text()).toBe(body);
  },
);

test("sends the emulator the same request, at its own host", async () => {
  const local = readEnv({
    ...env,
    FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:9099",
    FIRESTORE_EMULATOR_HOST: "127.0.0.1:8080",
    FIREBASE_DATABASE_EMULATOR_HOST: "127.0.0.1:9000",
  });
  const sent: Request[] = [];
  using _fetch = vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    sent.push(new Request(input, init));
    return Response.json(signedIn);
  });

  await createIdentityToolkit(local).signIn("ana@example.com", "secret1");

  expect(sent[0]?.url).toBe(
    "http://127.0.0.1:9099/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=AIza-key",
  );
  expect(Object.fromEntries(sent[0]?.headers ?? [])).toEqual(json);
});

test.each([
  ["multi-factor-auth-required", { localId: "uid", mfaPendingCredential: "pending" }],
  ["internal-error", { localId: "uid" }],
])("rejects with %s when a response has no tokens", async (code, response) => {
  using _fetch = vi.spyOn(globalThis, "fetch").mockResolvedValue(Response.json(response));

  const attempt = createIdentityToolkit(env).signIn("ana@example.com", "secret1");

  await expect(attempt).rejects.toMatchObject({ code });
});

test.each([[{ kind: "welcome" }], [{ users: "nobody" }], ["<html>"], [null]])(
  "a response that is not the provider's does not end the session: %j",
  async (response) => {
    using _fetch = vi
      .spyOn(globalThis, "fetch")
      .mockImplementation(async () => Response.json(response));
    const checks = [
      () => createIdentityToolkit(env).check("id"),
      () => createAccountService(env).getDetails("id"),
    ];

    for (const check of checks) {
      const error: unknown = await check().catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "internal-error" });
      expect(isSessionEndedError(error)).toBe(false);
    }
  },
);

test.each([{}, { users: [] }, { kind: "identitytoolkit#GetAccountInfoResponse" }])(
  "ends the session when the response %j contains no user",
  async (response) => {
    using _fetch = vi
      .spyOn(globalThis, "fetch")
      .mockImplementation(async () => Response.json(response));
    const checks = [
      () => createIdentityToolkit(env).check("id"),
      () => createAccountService(env).getDetails("id"),
    ];

    for (const check of checks) {
      const error: unknown = await check().catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: "user-token-expired" });
      expect(isSessionEndedError(error)).toBe(true);
    }
  },
);

test("times out after 30 s when the provider does not respond", async () => {
  const waits: number[] = [];
  const ended = AbortSignal.abort();
  using _timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    waits.push(ms);
    return ended;
  });
  using _fetch = vi
    .spyOn(globalThis, "fetch")
    .mockImplementation((_input, init) => Promise.reject(init?.signal?.reason));

  const attempt = createIdentityToolkit(env).signIn("ana@example.com", "secret1");

  await expect(attempt).rejects.toMatchObject({ code: "network-request-failed" });
  expect(waits).toEqual([30_000]);
});
