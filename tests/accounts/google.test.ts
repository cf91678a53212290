import { generateKeyPair, SignJWT, type JWTPayload } from "jose";
import { expect, test, vi } from "vitest";

import { createGoogleSignIn, type GoogleRequest } from "#app/accounts/google/google.server.ts";
import { EnvironmentError, readEnv } from "#app/env.server.ts";
import { setSecurityHeaders } from "#app/http/security-headers.server.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { startFirebase } from "#tests/support/firebase.ts";
import { chooseAtGoogle } from "#tests/support/google-page.ts";
import { createTestKey } from "#tests/support/private-key.ts";

const SECRET = "a secret that is at least 32 characters";
const CLIENT_ID = "42-inkglade.apps.googleusercontent.com";

const PRODUCTION = {
  SESSION_SECRET: SECRET,
  FIREBASE_API_KEY: "AIza-key",
  FIREBASE_PROJECT_ID: "inkglade",
  FIREBASE_DATABASE_URL: "https://inkglade-default-rtdb.firebaseio.com",
  FIREBASE_CLIENT_EMAIL: "server@inkglade.iam.gserviceaccount.com",
  FIREBASE_PRIVATE_KEY: createTestKey(),
  GOOGLE_CLIENT_ID: CLIENT_ID,
  GOOGLE_CLIENT_SECRET: "GOCSPX-secret",
};

const ATTEMPT: GoogleRequest = { screen: "sign-in", uid: null };

const APP = "https://inkglade.example";

/** Starts a sign-in, and returns a function that makes the callback's request. */
async function begin(google: ReturnType<typeof createGoogleSignIn>, origin = APP) {
  const started = await google.start(new Request(`${origin}/auth/google`), ATTEMPT, null);
  const cookie = started.headers["Set-Cookie"].split(";")[0] ?? "";
  const asked = new URL(started.url).searchParams;
  return {
    url: started.url,
    asked,
    comeBack: (answer: string) => new Request(answer, { headers: { Cookie: cookie } }),
  };
}

async function finish(google: ReturnType<typeof createGoogleSignIn>, request: Request) {
  return google.finish(request, await google.findState(request));
}

test("production sends the documented requests to Google and Firebase, and none to an emulator", async () => {
  const google = createGoogleSignIn(readEnv(PRODUCTION), Date.now);
  const { url, asked, comeBack } = await begin(google);
  const idToken = await signIdToken({ nonce: asked.get("nonce") ?? "" });
  const calls = intercept(
    json({ access_token: "ya29.a", expires_in: 3599, token_type: "Bearer", id_token: idToken }),
    json({ idToken: "firebase", refreshToken: "refresh", expiresIn: "3600", localId: "1" }),
  );

  const answer = new URLSearchParams({
    state: asked.get("state") ?? "",
    code: "4/0code",
    scope: "email profile openid https://www.googleapis.com/auth/userinfo.email",
    authuser: "0",
    prompt: "consent",
  });
  const tokens = await finish(google, comeBack(`${APP}/auth/google/callback?${answer}`));

  expect(google.origin).toBe("https://accounts.google.com");
  expect(new URL(url).origin + new URL(url).pathname).toBe(
    "https://accounts.google.com/o/oauth2/v2/auth",
  );
  expect(asked.get("client_id")).toBe(CLIENT_ID);
  expect(asked.get("redirect_uri")).toBe(`${APP}/auth/google/callback`);
  expect(tokens).toEqual({ idToken: "firebase", refreshToken: "refresh", expiresIn: 3600 });

  const [toGoogle, toFirebase, ...more] = calls();
  expect(more).toEqual([]);
  expect(toGoogle?.url).toBe("https://oauth2.googleapis.com/token");
  expect(toGoogle?.method).toBe("POST");
  expect(toGoogle?.headers).toMatchObject({
    "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
  });
  expect(toGoogle?.headers).not.toHaveProperty("authorization");
  expect(Object.fromEntries(new URLSearchParams(toGoogle?.body))).toEqual({
    grant_type: "authorization_code",
    code: "4/0code",
    redirect_uri: `${APP}/auth/google/callback`,
    code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    client_id: CLIENT_ID,
    client_secret: "GOCSPX-secret",
  });

  expect(toFirebase?.url).toBe(
    "https://identitytoolkit.googleapis.com/v1/accounts:signInWithIdp?key=AIza-key",
  );
  expect(toFirebase?.method).toBe("POST");
  expect(toFirebase?.headers).toEqual({ "content-type": "application/json" });
  const { postBody, ...body } = JSON.parse(toFirebase?.body ?? "");
  expect(body).toEqual({
    requestUri: "http://localhost",
    returnSecureToken: true,
    returnIdpCredential: false,
  });
  const credential = Object.fromEntries(new URLSearchParams(postBody));
  expect(credential).toEqual({
    id_token: idToken,
    providerId: "google.com",
    nonce: expect.any(String),
  });
  expect(await sha256(credential.nonce ?? "")).toBe(asked.get("nonce"));
});

const refusals: [string, Response | Error, string][] = [
  ["a code it does not know", json({ error: "invalid_grant" }, 400), "invalid-credential"],
  [
    "a page instead of an answer",
    new Response("<html>", { status: 502 }),
    "network-request-failed",
  ],
  ["that there were too many calls", json({ error: "x" }, 429), "network-request-failed"],
  ["nothing", new TypeError("fetch failed"), "network-request-failed"],
  ["nothing in time", new DOMException("", "TimeoutError"), "network-request-failed"],
  [
    "an answer without an ID token",
    json({ access_token: "a", token_type: "Bearer" }),
    "invalid-credential",
  ],
];
test.each(refusals)("a token endpoint that answers %s is reported", async (_what, reply, code) => {
  const google = createGoogleSignIn(readEnv(PRODUCTION), Date.now);
  const { asked, comeBack } = await begin(google);
  const calls = intercept(reply);

  const request = comeBack(`${APP}/auth/google/callback?code=a&state=${asked.get("state")}`);

  await expect(finish(google, request)).rejects.toMatchObject({ name: "AuthError", code });
  expect(calls()).toHaveLength(1);
});

test.each([
  ["another nonce", { nonce: "0" }],
  ["another client", { aud: "other.apps.googleusercontent.com" }],
  ["another issuer", { iss: "https://evil.example" }],
  ["a time long past", { iat: 1, exp: 2 }],
])("an ID token for %s never reaches Firebase", async (_what, claims) => {
  const google = createGoogleSignIn(readEnv(PRODUCTION), Date.now);
  const { asked, comeBack } = await begin(google);
  const token = await signIdToken({ nonce: asked.get("nonce") ?? "", ...claims });
  const calls = intercept(json({ access_token: "a", token_type: "Bearer", id_token: token }));

  const request = comeBack(`${APP}/auth/google/callback?code=a&state=${asked.get("state")}`);

  await expect(finish(google, request)).rejects.toMatchObject({ code: "invalid-credential" });
  expect(calls()).toHaveLength(1);
});

test("production rejects unsigned ID tokens", async () => {
  const google = createGoogleSignIn(readEnv(PRODUCTION), Date.now);
  const { asked, comeBack } = await begin(google);
  const signed = await signIdToken({ nonce: asked.get("nonce") ?? "" });
  const header = Buffer.from('{"alg":"none"}').toString("base64url");
  const unsigned = `${header}.${signed.split(".")[1]}.`;
  intercept(json({ access_token: "a", token_type: "Bearer", id_token: unsigned }));

  const request = comeBack(`${APP}/auth/google/callback?code=a&state=${asked.get("state")}`);

  await expect(finish(google, request)).rejects.toMatchObject({ code: "invalid-credential" });
});

test("an unknown OAuth client is logged for the operator", async () => {
  expectConsoleError();
  const google = createGoogleSignIn(readEnv(PRODUCTION), Date.now);
  const { asked, comeBack } = await begin(google);
  intercept(json({ error: "invalid_client" }, 401));

  const request = comeBack(`${APP}/auth/google/callback?code=a&state=${asked.get("state")}`);

  await expect(finish(google, request)).rejects.toMatchObject({ code: "internal-error" });
  expect(vi.mocked(console.error).mock.calls.join()).not.toContain("secret");
});

const answers: [string, object, number, string, string][] = [
  [
    "confirmation",
    { needConfirmation: true },
    200,
    "account-exists-with-different-credential",
    "An account already exists with the same email address",
  ],
  [
    "a second factor",
    { mfaPendingCredential: "x" },
    200,
    "multi-factor-auth-required",
    "Proof of ownership of a second factor",
  ],
  [
    "an address that is taken",
    { errorMessage: "EMAIL_EXISTS" },
    200,
    "email-already-in-use",
    "The email address is already in use",
  ],
  [
    "a provider that is off",
    refusal("OPERATION_NOT_ALLOWED : The identity provider configuration is not found."),
    400,
    "operation-not-allowed",
    "The given sign-in provider is disabled",
  ],
  [
    "a foreign client",
    refusal("INVALID_IDP_RESPONSE : Unable to parse Google id_token: ey.secret"),
    400,
    "invalid-credential",
    "The supplied auth credential is incorrect",
  ],
  [
    "a credential seen before",
    refusal(
      "MISSING_OR_INVALID_NONCE : Duplicate credential received. Please try again with a new credential.",
    ),
    400,
    "missing-or-invalid-nonce",
    "The request does not contain a valid nonce.",
  ],
  [
    "a credential that is not for this provider",
    refusal(
      "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: http://localhost?id_token=ey.secret",
    ),
    400,
    "invalid-credential-or-provider-id",
    "Firebase: Error (auth/invalid-credential-or-provider-id).",
  ],
  [
    "a credential, told with status 200",
    { errorMessage: "INVALID_CREDENTIAL_OR_PROVIDER_ID : ey.secret" },
    200,
    "invalid-credential-or-provider-id",
    "Firebase: Error (auth/invalid-credential-or-provider-id).",
  ],
  [
    "a credential, without a code",
    refusal("Invalid IdP response/credential: ey.secret"),
    400,
    "internal-error",
    "An internal AuthError has occurred.",
  ],
];
test.each(answers)(
  "Firebase's answer about %s becomes the SDK's error",
  async (_what, body, status, code, words) => {
    const google = createGoogleSignIn(readEnv(PRODUCTION), Date.now);
    const { asked, comeBack } = await begin(google);
    const token = await signIdToken({ nonce: asked.get("nonce") ?? "" });
    intercept(
      json({ access_token: "a", token_type: "Bearer", id_token: token }),
      json(body, status),
    );

    const request = comeBack(`${APP}/auth/google/callback?code=a&state=${asked.get("state")}`);

    const error: unknown = await finish(google, request).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, message: expect.stringContaining(words) });
    expect(String(error)).not.toContain("secret");
  },
);

test("an answer after ten minutes is rejected", async () => {
  await using firebase = await startFirebase();
  const clock = { now: Date.now() };
  const env = readEnv({
    SESSION_SECRET: SECRET,
    FIREBASE_API_KEY: firebase.apiKey,
    FIREBASE_PROJECT_ID: firebase.projectId,
    ...firebase.hosts,
  });
  const google = createGoogleSignIn(env, () => clock.now);
  const { url, comeBack } = await begin(google, "http://localhost");
  const request = comeBack(await chooseAtGoogle(url, { person: "ana@example.com" }));

  clock.now += 10 * 60_000 - 1000;
  expect(await google.findState(request)).toMatchObject(ATTEMPT);

  clock.now += 2000;
  expect(await google.findState(request)).toBeUndefined();
  await expect(finish(google, request)).rejects.toMatchObject({ code: "invalid-credential" });
});

test("Google's two variables are required together", () => {
  const { GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET, ...rest } = PRODUCTION;

  expect(createGoogleSignIn(readEnv(rest), Date.now).origin).toBeNull();
  expect(() => readEnv({ ...rest, GOOGLE_CLIENT_ID })).toThrow("GOOGLE_CLIENT_SECRET");
  expect(() => readEnv({ ...rest, GOOGLE_CLIENT_SECRET })).toThrow("GOOGLE_CLIENT_ID");
});

test("the Google emulator is rejected in production, and never replaces a real client", () => {
  const GOOGLE_EMULATOR_HOST = "127.0.0.1:1234";
  expect(() => readEnv({ ...PRODUCTION, GOOGLE_EMULATOR_HOST })).toThrow(EnvironmentError);

  const FIREBASE_AUTH_EMULATOR_HOST = "127.0.0.1:9099";
  const env = readEnv({ ...PRODUCTION, GOOGLE_EMULATOR_HOST, FIREBASE_AUTH_EMULATOR_HOST });
  expect(createGoogleSignIn(env, Date.now).origin).toBe("https://accounts.google.com");
});

interface Call {
  url: string;
  method: string | undefined;
  headers: Record<string, string>;
  body: string;
}

test("the policy allows forms to lead to Google only when it is configured", () => {
  for (const google of [null, "https://accounts.google.com", "http://127.0.0.1:1234"]) {
    const headers = new Headers();
    setSecurityHeaders(headers, { nonce: "n", firebase: null, google, isCounted: false });
    const [, sources] =
      /form-action ([^;]*)/.exec(headers.get("Content-Security-Policy") ?? "") ?? [];
    expect(sources).toBe(["'self'", google].filter(Boolean).join(" "));
  }
});

/** Replaces `fetch` by stubs of Google and Firebase, and records their requests. */
function intercept(...replies: (Response | Error)[]): () => Call[] {
  const calls: Call[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const headers = Object.fromEntries(new Headers(init?.headers));
    const body = init?.body instanceof URLSearchParams ? init.body.toString() : init?.body;
    calls.push({ url, method: init?.method, headers, body: typeof body === "string" ? body : "" });
    const reply = replies.shift() ?? new TypeError("fetch failed");
    return reply instanceof Response ? Promise.resolve(reply) : Promise.reject(reply);
  });
  return () => calls;
}

function json(body: object, status = 200): Response {
  return Response.json(body, { status });
}

function refusal(message: string) {
  return { error: { code: 400, message } };
}

/** Returns an ID token signed like Google's. */
async function signIdToken(claims: JWTPayload & { nonce: string }): Promise<string> {
  const { privateKey } = await generateKeyPair("RS256");
  const now = Math.floor(Date.now() / 1000);
  const known = { iss: "https://accounts.google.com", aud: CLIENT_ID, azp: CLIENT_ID };
  return new SignJWT({ ...known, sub: "1", iat: now, exp: now + 3599, ...claims })
    .setProtectedHeader({ alg: "RS256", kid: "1", typ: "JWT" })
    .sign(privateKey);
}

async function sha256(text: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Buffer.from(hash).toString("hex");
}
