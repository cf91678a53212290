import { createHash } from "node:crypto";

import { expect, test, vi } from "vitest";

import { loader as callback } from "#app/routes/auth.google.callback.ts";
import { action as start, loader as startPage } from "#app/routes/auth.google.ts";
import { loader as profileLoader } from "#app/routes/profile.tsx";
import { chooseAtGoogle, type Choice } from "#tests/support/google-page.ts";
import {
  completeGoogleSignIn,
  POPUP_ID,
  OUTDATED,
  readPopup,
  openErrorPage,
  startGoogleSignIn,
} from "#tests/support/google-sign-in.ts";
import { startApp, toCookieHeader } from "#tests/support/routes.ts";

const ANA: Choice = { person: "ana@example.com" };

test("redirects to Google with a state, PKCE and a nonce that the browser cannot read", async () => {
  await using app = await startApp();

  const { response, url } = await startGoogleSignIn(app, { screen: "sign-in", returnTo: "/login" });

  expect(response.status).toBe(303);
  const { origin, pathname, searchParams } = new URL(url);
  expect(origin).toBe(`http://${app.firebase.hosts.GOOGLE_EMULATOR_HOST}`);
  expect(pathname).toBe("/o/oauth2/v2/auth");
  expect(Object.fromEntries(searchParams)).toEqual({
    client_id: "local",
    redirect_uri: "http://localhost/auth/google/callback",
    response_type: "code",
    scope: "openid email profile",
    state: expect.stringMatching(/^[\w-]{43}$/),
    nonce: expect.stringMatching(/^[\da-f]{64}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: "S256",
    prompt: "select_account",
  });
  const cookie = response.headers.get("Set-Cookie") ?? "";
  expect(cookie).toMatch(/^google=[\w.-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/);
  for (const name of ["state", "nonce", "code_challenge"]) {
    expect(cookie).not.toContain(searchParams.get(name));
  }
});

test("on https the cookie is Secure and the redirect URI is https", async () => {
  await using app = await startApp();

  const response = await app.send(start, "https://inkglade.example/auth/google", {
    form: { screen: "sign-in" },
  });

  expect(response.headers.get("Set-Cookie")).toContain("; Secure");
  expect(new URL(response.headers.get("Location") ?? "").searchParams.get("redirect_uri")).toBe(
    "https://inkglade.example/auth/google/callback",
  );
});

test.each(["sign-in", "sign-up"])("signing in from %s leads to the profile", async (screen) => {
  await using app = await startApp();

  const response = await completeGoogleSignIn(app, { screen, returnTo: "/login" }, ANA);

  expect(response.status).toBe(303);
  expect(response.headers.get("Location")).toBe("/profile");
  expect(response.headers.getSetCookie()).toEqual([
    "google=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax",
    expect.stringMatching(/^__session=.+; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/),
  ]);
  const cookie = toCookieHeader(response.headers);
  expect((await app.send(profileLoader, "/profile", { cookie })).data).toMatchObject({
    user: { email: "ana@example.com", displayName: "Ana Reyes" },
  });
});

test("signing in from the room leads back to the same page", async () => {
  await using app = await startApp();

  const form = { screen: "room", returnTo: "/read/the-understudy-moon?part=2#top" };
  const response = await completeGoogleSignIn(app, form, ANA);

  expect(response.headers.get("Location")).toBe("/read/the-understudy-moon?part=2#room");
});

test.each(["https://evil.example/", "//evil.example", String.raw`/\evil.example`, "javascript:1"])(
  "never redirects to %s",
  async (returnTo) => {
    await using app = await startApp();

    const response = await completeGoogleSignIn(app, { screen: "room", returnTo }, ANA);

    expect(response.headers.get("Location")).toBe("/home#room");
  },
);

test("a pop-up posts the result to its own page only", async () => {
  await using app = await startApp();

  const response = await completeGoogleSignIn(app, { screen: "sign-in", popupId: POPUP_ID }, ANA);

  expect(await readPopup(response)).toMatchObject({
    status: 200,
    outcome: { popupId: POPUP_ID, error: null },
  });
  expect(response.headers.getSetCookie().join()).toContain("__session=");
});

test("copies Google's name and photo to a new account", async () => {
  await using app = await startApp();

  const response = await completeGoogleSignIn(
    app,
    { screen: "sign-in" },
    { person: "mira@example.com" },
  );

  const cookie = toCookieHeader(response.headers);
  expect((await app.send(profileLoader, "/profile", { cookie })).data).toMatchObject({
    user: { displayName: "Mira Oduya", photoURL: expect.stringMatching(/^https:/) },
  });
});

test("signs in to the existing account when Google has verified the address", async () => {
  await using app = await startApp();
  const { localId } = await app.firebase.addAccount({ email: "ana@example.com" });

  const response = await completeGoogleSignIn(app, { screen: "sign-in" }, ANA);

  const cookie = toCookieHeader(response.headers);
  expect((await app.send(profileLoader, "/profile", { cookie })).data).toMatchObject({
    user: { uid: localId, displayName: "Ana Reyes" },
  });
});

test("rejects an unverified address that has a password, with a hint", async () => {
  await using app = await startApp();
  await app.firebase.addAccount({ email: "ana@example.com" });

  const choice = { name: "Not Ana", email: "ana@example.com" };
  const response = await completeGoogleSignIn(app, { screen: "sign-in" }, choice);

  expect(response.headers.get("Location")).toBe("/login");
  expect(response.headers.getSetCookie().join()).not.toContain("__session=");
  expect(await openErrorPage(app, response)).toMatchObject({
    status: 400,
    page: {
      data: {
        user: null,
        googleError: {
          screen: "sign-in",
          message: expect.stringContaining("(auth/account-exists-with-different-credential)."),
          hint: "Sign in with your password first, then link Google on your profile.",
        },
      },
    },
  });
});

test("accepts a callback only once", async () => {
  await using app = await startApp();
  const { url, cookie } = await startGoogleSignIn(app, { screen: "sign-in" });
  const callbackUrl = await chooseAtGoogle(url, ANA);
  await app.send(callback, callbackUrl, { cookie });

  // The browser no longer has the cookie, but someone could have copied it.
  for (const cookieHeader of ["", cookie]) {
    const response = await app.send(callback, callbackUrl, { cookie: cookieHeader });

    expect(response.headers.getSetCookie().join()).not.toContain("__session=");
    expect((await openErrorPage(app, response)).page.data).toMatchObject({ googleError: OUTDATED });
  }
});

test("rejects a callback from another browser", async () => {
  await using app = await startApp();
  const own = await startGoogleSignIn(app, { screen: "sign-up" });
  const other = await startGoogleSignIn(app, { screen: "sign-in", popupId: POPUP_ID });
  const callbackUrl = await chooseAtGoogle(other.url, ANA);

  const response = await app.send(callback, callbackUrl, { cookie: own.cookie });

  expect(await readPopup(response)).toMatchObject({
    status: 400,
    outcome: { popupId: POPUP_ID, error: OUTDATED },
  });
  // This browser's own sign-in is not affected.
  expect(response.headers.getSetCookie()).toEqual([]);
});

test("rejects a callback from another issuer", async () => {
  await using app = await startApp();
  const { url, cookie } = await startGoogleSignIn(app, { screen: "sign-in", popupId: POPUP_ID });
  const callbackUrl = new URL(await chooseAtGoogle(url, ANA));
  callbackUrl.searchParams.set("iss", "https://evil.example");

  const response = await app.send(callback, callbackUrl.href, { cookie });

  expect(await readPopup(response)).toMatchObject({ status: 400, outcome: { error: OUTDATED } });
});

test("rejects a code that was issued to another browser", async () => {
  await using app = await startApp();
  const victim = await startGoogleSignIn(app, { screen: "sign-in", popupId: POPUP_ID });
  const code = new URL(await chooseAtGoogle(victim.url, ANA)).searchParams.get("code") ?? "";
  const attacker = await startGoogleSignIn(app, { screen: "sign-in", popupId: POPUP_ID });
  const callbackUrl = new URL(await chooseAtGoogle(attacker.url, ANA));
  callbackUrl.searchParams.set("code", code);

  const response = await app.send(callback, callbackUrl.href, { cookie: attacker.cookie });

  expect(await readPopup(response)).toMatchObject({ status: 400, outcome: { error: OUTDATED } });
});

test("reports that Google is unavailable and that nothing was lost", async () => {
  await using app = await startApp();
  const { url, cookie } = await startGoogleSignIn(app, { screen: "sign-in" });
  const callbackUrl = await chooseAtGoogle(url, ANA);
  const appWithoutGoogle = app.withVariables({ GOOGLE_EMULATOR_HOST: "127.0.0.1:1" });

  const response = await appWithoutGoogle.send(callback, callbackUrl, { cookie });

  expect(await openErrorPage(appWithoutGoogle, response)).toMatchObject({
    status: 503,
    page: { data: { googleError: { hint: expect.stringContaining("Nothing was lost") } } },
  });
});

test("reports that Firebase is unavailable", async () => {
  await using app = await startApp({ FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1" });

  const response = await completeGoogleSignIn(app, { screen: "sign-in", popupId: POPUP_ID }, ANA);

  expect(await readPopup(response)).toMatchObject({
    status: 503,
    outcome: { error: { message: expect.stringContaining("auth/network-request-failed") } },
  });
});

test("a disabled account is reported as disabled", async () => {
  await using app = await startApp();
  await app.firebase.addAccount({ email: "ana@example.com", disabled: true });

  const response = await completeGoogleSignIn(app, { screen: "sign-in", popupId: POPUP_ID }, ANA);

  expect(await readPopup(response)).toMatchObject({
    status: 400,
    outcome: { error: { message: expect.stringContaining("auth/user-disabled") } },
  });
});

test("reports that Google is not configured, on the page and in the pop-up", async () => {
  await using app = await startApp({ GOOGLE_EMULATOR_HOST: "" });

  const page = await startGoogleSignIn(app, { screen: "sign-up" });
  const popup = await startGoogleSignIn(app, { screen: "sign-up", popupId: POPUP_ID });

  const message = expect.stringContaining("auth/operation-not-allowed");
  expect(page.url).toBe("/register");
  expect((await openErrorPage(app, page.response)).page.data).toMatchObject({
    googleError: { screen: "sign-up", message, hint: "You can sign in with e-mail and password." },
  });
  expect(await readPopup(popup.response)).toMatchObject({
    status: 400,
    outcome: { popupId: POPUP_ID, error: { message } },
  });
});

test("allows thirty sign-ins a minute from one network address", async () => {
  await using app = await startApp();
  const headers = { "CF-Connecting-IP": "203.0.113.7" };
  const startAgain = () =>
    app.send(start, "/auth/google", { form: { screen: "sign-in", popupId: POPUP_ID }, headers });

  for (let count = 0; count < 30; count += 1) expect((await startAgain()).status).toBe(303);

  expect(await readPopup(await startAgain())).toMatchObject({
    status: 429,
    outcome: { error: { message: expect.stringContaining("auth/too-many-requests") } },
  });
});

test("Google's routes redirect to /home when opened directly", async () => {
  await using app = await startApp();

  for (const [loader, path] of [
    [startPage, "/auth/google"],
    [callback, "/auth/google/callback"],
  ] as const) {
    const response = await app.send(loader, path);
    expect(response.headers.get("Location")).toBe("/home");
  }
});

test("sends the token endpoint the verifier for the PKCE challenge", async () => {
  await using app = await startApp();
  const { url, cookie } = await startGoogleSignIn(app, { screen: "sign-in" });
  const callbackUrl = await chooseAtGoogle(url, ANA);
  const fetchSpy = vi.spyOn(globalThis, "fetch");

  await app.send(callback, callbackUrl, { cookie });

  const bodies = fetchSpy.mock.calls.map(([, init]) => init?.body);
  const body = bodies.find((sent) => sent instanceof URLSearchParams && sent.has("code_verifier"));
  const verifier = body instanceof URLSearchParams ? body.get("code_verifier") : null;
  expect(
    createHash("sha256")
      .update(verifier ?? "")
      .digest("base64url"),
  ).toBe(new URL(url).searchParams.get("code_challenge"));
});
