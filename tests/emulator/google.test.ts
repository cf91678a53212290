import { createHash } from "node:crypto";

import { decodeJwt, decodeProtectedHeader } from "jose";
import { expect, test } from "vitest";
import * as z from "zod";

import { startGoogle } from "#emulator/google/server.ts";
import { chooseAtGoogle, type Choice } from "#tests/support/google-page.ts";

const APP = "http://127.0.0.1:8788";
const VERIFIER = "a".repeat(43);
const ANA: Choice = { person: "ana@example.com" };

const REQUEST = {
  client_id: "local",
  redirect_uri: `${APP}/auth/google/callback`,
  response_type: "code",
  scope: "openid email profile",
  state: "a state",
  nonce: "a nonce",
  code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
  code_challenge_method: "S256",
};

/** Starts the stand-in for Google with a fake clock. */
async function startStandIn() {
  const clock = { now: 1_800_000_000_000 };
  const server = await startGoogle(0, () => clock.now);
  const url = `http://127.0.0.1:${server.port}`;
  const getUrl = (request: Record<string, string>) =>
    `${url}/o/oauth2/v2/auth?${new URLSearchParams(request)}`;
  return {
    clock,
    getUrl,
    /** Chooses an account, and returns the authorization code. */
    async getCode(choice: Choice = ANA): Promise<string> {
      const redirect = new URL(await chooseAtGoogle(getUrl(REQUEST), choice));
      return redirect.searchParams.get("code") ?? "";
    },
    redeem: (code: string, change: Record<string, string> = {}) =>
      fetch(`${url}/token`, {
        method: "POST",
        body: new URLSearchParams({
          grant_type: "authorization_code",
          code,
          client_id: REQUEST.client_id,
          redirect_uri: REQUEST.redirect_uri,
          code_verifier: VERIFIER,
          ...change,
        }),
      }),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

async function readIdToken(response: Response): Promise<string> {
  return z.object({ id_token: z.string() }).parse(await response.json()).id_token;
}

test("returns an unsigned ID token of the chosen account, for the requesting client", async () => {
  await using google = await startStandIn();

  const response = await google.redeem(await google.getCode());

  expect(response.status).toBe(200);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  const token = await readIdToken(response);
  expect(decodeProtectedHeader(token)).toEqual({ alg: "none", typ: "JWT" });
  expect(decodeJwt(token)).toEqual({
    iss: "https://accounts.google.com",
    azp: "local",
    aud: "local",
    sub: expect.stringMatching(/^\d{21}$/),
    email: "ana@example.com",
    email_verified: true,
    name: "Ana Reyes",
    given_name: "Ana",
    nonce: "a nonce",
    iat: 1_800_000_000,
    exp: 1_800_003_599,
  });
});

test("redirects with the state and a code, or with an error after Cancel", async () => {
  await using google = await startStandIn();

  const granted = new URL(await chooseAtGoogle(google.getUrl(REQUEST), ANA));
  const cancelled = new URL(await chooseAtGoogle(google.getUrl(REQUEST), { refuse: "true" }));

  expect(granted.origin + granted.pathname).toBe(REQUEST.redirect_uri);
  expect(granted.searchParams.get("state")).toBe("a state");
  expect(Object.fromEntries(cancelled.searchParams)).toEqual({
    state: "a state",
    iss: "https://accounts.google.com",
    error: "access_denied",
  });
});

test("accepts any other account, and lists it from then on", async () => {
  await using google = await startStandIn();
  const choice = { name: "<b>Eve</b>", email: "eve@example.com" };

  const token = await readIdToken(await google.redeem(await google.getCode(choice)));
  const page = await (await fetch(google.getUrl(REQUEST))).text();
  const again = await readIdToken(
    await google.redeem(await google.getCode({ person: choice.email })),
  );

  expect(decodeJwt(token)).toMatchObject({ ...choice, email_verified: false });
  expect(page).toContain("&lt;b&gt;Eve&lt;/b&gt;");
  expect(decodeJwt(again).sub).toBe(decodeJwt(token).sub);
});

test("accepts a code once, for ten minutes", async () => {
  await using google = await startStandIn();
  const used = await google.getCode();
  await google.redeem(used);
  const old = await google.getCode();
  google.clock.now += 10 * 60_000 + 1;

  for (const code of [used, old, "4/0nonsense"]) {
    const response = await google.redeem(code);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ error: "invalid_grant" });
  }
});

test.each([
  ["another verifier", { code_verifier: "b".repeat(43) }, "invalid_grant"],
  ["another redirect URI", { redirect_uri: `${APP}/elsewhere` }, "invalid_grant"],
  ["another client", { client_id: "other" }, "invalid_grant"],
  ["another grant type", { grant_type: "password" }, "unsupported_grant_type"],
])("rejects a code with %s", async (_what, change, error) => {
  await using google = await startStandIn();

  const response = await google.redeem(await google.getCode(), change);

  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ error });
});

test.each([
  ["a redirect to another machine", { redirect_uri: "https://evil.example/" }],
  ["a redirect to a script", { redirect_uri: "javascript:alert(1)" }],
  ["the implicit flow", { response_type: "token" }],
  ["PKCE without a hash", { code_challenge_method: "plain" }],
  ["no openid scope", { scope: "email" }],
])("rejects a request with %s, and does not redirect", async (_what, change) => {
  await using google = await startStandIn();
  const url = google.getUrl({ ...REQUEST, ...change });

  for (const init of [{}, { method: "POST", body: new URLSearchParams(ANA) }]) {
    const response = await fetch(url, { redirect: "manual", ...init });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("This request isn't valid");
  }
});
