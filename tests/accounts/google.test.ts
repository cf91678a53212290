import { generateKeyPair, SignJWT, type JWTPayload } from "jose";
import { expect, test, vi } from "vitest";

import { createGoogleSignIn, type GoogleRequest } from "#app/accounts/google/google.server.ts";
import { EnvironmentError, readEnv } from "#app/env.server.ts";
import { setSecurityHeaders } from "#app/http/page-headers.server.ts";
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

const GOOGLE_REQUEST: GoogleRequest = { screen: "sign-in", uid: null };

const APP = "https://inkglade.example";

/** Starts a sign-in. `toCallbackRequest` adds the cookie of the sign-in to the callback. */
async function startSignIn(google: ReturnType<typeof createGoogleSignIn>, origin = APP) {
  const started = await google.start(new Request(`${origin}/auth/google`), GOOGLE_REQUEST, null);
  const cookie = started.headers["Set-Cookie"].split(";")[0] ?? "";
  const params = new URL(started.url).searchParams;
  return {
    url: started.url,
    params,
    toCallbackRequest: (callbackUrl: string) =>
      new Request(callbackUrl, { headers: { Cookie: cookie } }),
  };
}

async function finish(google: ReturnType<typeof createGoogleSignIn>, request: Request) {
  return google.finish(request, await google.findState(request));
}

test("production sends the documented requests to Google and Firebase, and none to an emulator", async () => {
  const google = createGoogleSignIn(readEnv(PRODUCTION), Date.now);
  const { url, params, toCallbackRequest } = await startSignIn(google);
  const idToken = await signIdToken({ nonce: params.get("nonce") ?? "" });
  const getRequests = stubFetch(
    json({ access_token: "ya29.a", expires_in: 3599, token_type: "Bearer", id_token: idToken }),
    json({ idToken: "firebase", refreshToken: "refresh", expiresIn: "3600", localId: "1" }),
  );

  const query = new URLSearchParams({
    state: params.get("state") ?? "",
    code: "4/0code",
    scope: "email profile openid https://www.googleapis.com/auth/userinfo.email",
    authuser: "0",
    prompt: "consent",
  });
  const tokens = await finish(google, toCallbackRequest(`${APP}/auth/google/callback?${query}`));

  expect(google.origin).toBe("https://accounts.google.com");
  expect(new URL(url).origin + new URL(url).pathname).toBe(
    "https://accounts.google.com/o/oauth2/v2/auth",
  );
  expect(params.get("client_id")).toBe(CLIENT_ID);
  expect(params.get("redirect_uri")).toBe(`${APP}/auth/google/callback`);
  expect(tokens).toEqual({ idToken: "firebase", refreshToken: "refresh", expiresIn: 3600 });

  const [googleRequest, firebaseRequest, ...more] = getRequests();
  expect(more).toEqual([]);
  expect(googleRequest?.url).toBe("https://oauth2.googleapis.com/token");
  expect(googleRequest?.method).toBe("POST");
  expect(googleRequest?.headers).toMatchObject({
    "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
  });
  expect(googleRequest?.headers).not.toHaveProperty("authorization");
  expect(Object.fromEntries(new URLSearchParams(googleRequest?.body))).toEqual({
    grant_type: "authorization_code",
    code: "4/0code",
    redirect_uri: `${APP}/auth/google/callback`,
    code_verifier: expect.stringMatching(/^[\w-]{43}$/),
    client_id: CLIENT_ID,
    client_secret: "GOCSPX-secret",
  });

  expect(firebaseRequest?.url).toBe(
    "https://identitytoolkit.googleapis.com/v1/accounts:signInWithIdp?key=AIza-key",
  );
  expect(firebaseRequest?.method).toBe("POST");
  expect(firebaseRequest?.headers).toEqual({ "content-type": "application/json" });
  const { postBody, ...body } = JSON.parse(firebaseRequest?.body ?? "");
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
  expect(await sha256(credential.nonce ?? "")).toBe(params.get("nonce"));
});

const tokenErrors: [string, Response | Error, string][] = [
  ["invalid_grant", json({ error: "invalid_grant" }, 400), "invalid-credential"],
  ["an HTML page", new Response("<html>", { status: 502 }), "network-request-failed"],
  ["status 429", json({ error: "x" }, 429), "network-request-failed"],
  ["a network error", new TypeError("fetch failed"), "network-request-failed"],
  ["a timeout", new DOMException("", "TimeoutError"), "network-request-failed"],
  ["no ID token", json({ access_token: "a", token_type: "Bearer" }), "invalid-credential"],
];
test.each(tokenErrors)("reports %s from the token endpoint", async (_what, response, code) => {
  const google = createGoogleSignIn(readEnv(PRODUCTION), Date.now);
  const { params, toCallbackRequest } = await startSignIn(google);
  const getRequests = stubFetch(response);

  const request = toCallbackRequest(
    `${APP}/auth/google/callback?code=a&state=${params.get("state")}`,
  );

  await expect(finish(google, request)).rejects.toMatchObject({ name: "AuthError", code });
  expect(getRequests()).toHaveLength(1);
});

test.each([
  ["another nonce", { nonce: "0" }],
  ["another client", { aud: "other.apps.googleusercontent.com" }],
  ["another issuer", { iss: "https://evil.example" }],
  ["an expiry in the past", { iat: 1, exp: 2 }],
])("an ID token with %s is never sent to Firebase", async (_what, claims) => {
  const google = createGoogleSignIn(readEnv(PRODUCTION), Date.now);
  const { params, toCallbackRequest } = await startSignIn(google);
  const token = await signIdToken({ nonce: params.get("nonce") ?? "", ...claims });
  const getRequests = stubFetch(json({ access_token: "a", token_type: "Bearer", id_token: token }));

  const request = toCallbackRequest(
    `${APP}/auth/google/callback?code=a&state=${params.get("state")}`,
  );

  await expect(finish(google, request)).rejects.toMatchObject({ code: "invalid-credential" });
  expect(getRequests()).toHaveLength(1);
});

test("production rejects unsigned ID tokens", async () => {
  const google = createGoogleSignIn(readEnv(PRODUCTION), Date.now);
  const { params, toCallbackRequest } = await startSignIn(google);
  const signed = await signIdToken({ nonce: params.get("nonce") ?? "" });
  const header = Buffer.from('{"alg":"none"}').toString("base64url");
  const unsigned = `${header}.${signed.split(".")[1]}.`;
  stubFetch(json({ access_token: "a", token_type: "Bearer", id_token: unsigned }));

  const request = toCallbackRequest(
    `${APP}/auth/google/callback?code=a&state=${params.get("state")}`,
  );

  await expect(finish(google, request)).rejects.toMatchObject({ code: "invalid-credential" });
});

test("an unknown OAuth client is logged for the operator", async () => {
  expectConsoleError();
  const google = createGoogleSignIn(readEnv(PRODUCTION), Date.now);
  const { params, toCallbackRequest } = await startSignIn(google);
  stubFetch(json({ error: "invalid_client" }, 401));

  const request = toCallbackRequest(
    `${APP}/auth/google/callback?code=a&state=${params.get("state")}`,
  );

  await expect(finish(google, request)).rejects.toMatchObject({ code: "internal-error" });
  expect(vi.mocked(console.error).mock.calls.join()).not.toContain("secret");
});

const firebaseErrors: [string, object, number, string, string][] = [
  [
    "needConfirmation",
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
    "an e-mail address in use",
    { errorMessage: "EMAIL_EXISTS" },
    200,
    "email-already-in-use",
    "The email address is already in use",
  ],
  [
    "a disabled provider",
    errorBody("OPERATION_NOT_ALLOWED : The identity provider configuration is not found."),
    400,
    "operation-not-allowed",
    "The given sign-in provider is disabled",
  ],
  [
    "an ID token for another client",
    errorBody("INVALID_IDP_RESPONSE : Unable to parse Google id_token: ey.secret"),
    400,
    "invalid-credential",
    "The supplied auth credential is incorrect",
  ],
  [
    "a duplicate credential",
    errorBody(
      "MISSING_OR_INVALID_NONCE : Duplicate credential received. Please try again with a new credential.",
    ),
    400,
    "missing-or-invalid-nonce",
    "The request does not contain a valid nonce.",
  ],
  [
    "a credential for another provider",
    errorBody(
      "INVALID_CREDENTIAL_OR_PROVIDER_ID : Invalid IdP response/credential: http://localhost?id_token=ey.secret",
    ),
    400,
    "invalid-credential-or-provider-id",
    "Firebase: Error (auth/invalid-credential-or-provider-id).",
  ],
  [
    "an invalid credential with status 200",
    { errorMessage: "INVALID_CREDENTIAL_OR_PROVIDER_ID : ey.secret" },
    200,
    "invalid-credential-or-provider-id",
    "Firebase: Error (auth/invalid-credential-or-provider-id).",
  ],
  [
    "an invalid credential without an error code",
    errorBody("Invalid IdP response/credential: ey.secret"),
    400,
    "internal-error",
    "An internal AuthError has occurred.",
  ],
];
test.each(firebaseErrors)(
  "maps Firebase's response for %s to the SDK's error",
  async (_what, body, status, code, message) => {
    const google = createGoogleSignIn(readEnv(PRODUCTION), Date.now);
    const { params, toCallbackRequest } = await startSignIn(google);
    const token = await signIdToken({ nonce: params.get("nonce") ?? "" });
    stubFetch(
      json({ access_token: "a", token_type: "Bearer", id_token: token }),
      json(body, status),
    );

    const request = toCallbackRequest(
      `${APP}/auth/google/callback?code=a&state=${params.get("state")}`,
    );

    const error: unknown = await finish(google, request).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code, message: expect.stringContaining(message) });
    expect(String(error)).not.toContain("secret");
  },
);

test("rejects a callback after ten minutes", async () => {
  await using firebase = await startFirebase();
  const clock = { now: Date.now() };
  const env = readEnv({
    SESSION_SECRET: SECRET,
    FIREBASE_API_KEY: firebase.apiKey,
    FIREBASE_PROJECT_ID: firebase.projectId,
    ...firebase.hosts,
  });
  const google = createGoogleSignIn(env, () => clock.now);
  const { url, toCallbackRequest } = await startSignIn(google, "http://localhost");
  const request = toCallbackRequest(await chooseAtGoogle(url, { person: "ana@example.com" }));

  clock.now += 10 * 60_000 - 1000;
  expect(await google.findState(request)).toMatchObject(GOOGLE_REQUEST);

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

interface CapturedRequest {
  url: string;
  method: string | undefined;
  headers: Record<string, string>;
  body: string;
}

test("the Content-Security-Policy allows forms to redirect to Google only when it is configured", () => {
  for (const google of [null, "https://accounts.google.com", "http://127.0.0.1:1234"]) {
    const headers = new Headers();
    setSecurityHeaders(headers, { nonce: "n", firebase: null, google, isCounted: false });
    const [, sources] =
      /form-action ([^;]*)/.exec(headers.get("Content-Security-Policy") ?? "") ?? [];
    expect(sources).toBe(["'self'", google].filter(Boolean).join(" "));
  }
});

/** Stubs `fetch` with one response per request to Google or Firebase. Returns a function that lists the requests. */
function stubFetch(...responses: (Response | Error)[]): () => CapturedRequest[] {
  const requests: CapturedRequest[] = [];
  const realFetch = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    // Tests of other files in this worker may still be signing out at their emulators.
    if (!url.startsWith("https://")) return realFetch(input, init);
    const headers = Object.fromEntries(new Headers(init?.headers));
    const body = init?.body instanceof URLSearchParams ? init.body.toString() : init?.body;
    requests.push({
      url,
      method: init?.method,
      headers,
      body: typeof body === "string" ? body : "",
    });
    const response = responses.shift() ?? new TypeError("fetch failed");
    return response instanceof Response ? Promise.resolve(response) : Promise.reject(response);
  });
  return () => requests;
}

function json(body: object, status = 200): Response {
  return Response.json(body, { status });
}

function errorBody(message: string) {
  return { error: { code: 400, message } };
}

/** One key for all tests, because creating one takes a second on a busy machine. */
const keyPair = generateKeyPair("RS256");

/** Returns an ID token with Google's claims and algorithm. */
async function signIdToken(claims: JWTPayload & { nonce: string }): Promise<string> {
  const { privateKey } = await keyPair;
  const now = Math.floor(Date.now() / 1000);
  const defaults = { iss: "https://accounts.google.com", aud: CLIENT_ID, azp: CLIENT_ID };
  return new SignJWT({ ...defaults, sub: "1", iat: now, exp: now + 3599, ...claims })
    .setProtectedHeader({ alg: "RS256", kid: "1", typ: "JWT" })
    .sign(privateKey);
}

async function sha256(text: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return Buffer.from(hash).toString("hex");
}
