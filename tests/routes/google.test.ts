import { createHash } from "node:crypto";

import { expect, test, vi } from "vitest";

import { loader as rootLoader } from "#app/root.tsx";
import { loader as callback } from "#app/routes/auth.google.callback.ts";
import { action as start, loader as startPage } from "#app/routes/auth.google.ts";
import { action as profileAction, loader as profileLoader } from "#app/routes/profile.tsx";
import { chooseAtGoogle, type Choice } from "#tests/support/google.ts";
import {
  signIn,
  startApp,
  toCookieHeader,
  type Outcome,
  type TestApp,
} from "#tests/support/routes.ts";

const ANA: Choice = { person: "ana@example.com" };
const FLOW = "0123456789abcdef";

const OUTDATED = {
  message:
    "Firebase: The supplied auth credential is incorrect, malformed or has expired. (auth/invalid-credential).",
  hint: "This sign-in was not started here, or too long ago. Nothing was changed; try again.",
};

/** Presses a Google button. */
async function press(app: TestApp, form: Record<string, string>, cookie = "") {
  const response = await app.send(start, "/auth/google", { form, cookie });
  const cookies = [cookie, toCookieHeader(response.headers)].filter(Boolean).join("; ");
  return { response, url: response.headers.get("Location") ?? "", cookie: cookies };
}

/** Presses a Google button, chooses at Google and comes back. */
async function goThrough(
  app: TestApp,
  form: Record<string, string>,
  choice: Choice,
  signedIn = "",
): Promise<Outcome> {
  const { url, cookie } = await press(app, form, signedIn);
  return app.send(callback, await chooseAtGoogle(url, choice), { cookie });
}

/** Returns what the page says to which a refusal led, and its status. */
async function readRefusal(app: TestApp, { headers }: Outcome) {
  const cookie = toCookieHeader(headers);
  const page = await app.send(rootLoader, headers.get("Location") ?? "", { cookie });
  return { status: page.status, page };
}

/** Returns what a pop-up tells its page. */
async function readPopup(response: Outcome) {
  if (!(response instanceof Response)) throw new TypeError("Expected a page");
  const [, outcome = "null"] = /const outcome = (.*);/.exec(await response.text()) ?? [];
  const value: unknown = JSON.parse(outcome);
  return { status: response.status, outcome: value };
}

test("the button leads to Google with a state, PKCE and a nonce, none of which the browser can read", async () => {
  await using app = await startApp();

  const { response, url } = await press(app, { screen: "sign-in", returnTo: "/login" });

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
  expect(cookie).toMatch(
    /^google=[\w.-]+; Max-Age=600; Path=\/auth\/google\/callback; HttpOnly; SameSite=Lax$/,
  );
  for (const name of ["state", "nonce", "code_challenge"]) {
    expect(cookie).not.toContain(searchParams.get(name));
  }
});

test("on https the cookie and the way back are on https too", async () => {
  await using app = await startApp();

  const response = await app.send(start, "https://inkglade.example/auth/google", {
    form: { screen: "sign-in" },
  });

  expect(response.headers.get("Set-Cookie")).toContain("; Secure");
  expect(new URL(response.headers.get("Location") ?? "").searchParams.get("redirect_uri")).toBe(
    "https://inkglade.example/auth/google/callback",
  );
});

test.each(["sign-in", "sign-up"])(
  "from the screen %s it signs in to the profile",
  async (screen) => {
    await using app = await startApp();

    const response = await goThrough(app, { screen, returnTo: "/login" }, ANA);

    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe("/profile");
    expect(response.headers.getSetCookie()).toEqual([
      "google=; Max-Age=0; Path=/auth/google/callback; HttpOnly; SameSite=Lax",
      expect.stringMatching(/^__session=.+; Max-Age=1209600; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    const cookie = toCookieHeader(response.headers);
    expect((await app.send(profileLoader, "/profile", { cookie })).data).toMatchObject({
      account: { email: "ana@example.com", displayName: "Ana Reyes" },
    });
  },
);

test("from the room it leads back to the page the room is on", async () => {
  await using app = await startApp();

  const form = { screen: "room", returnTo: "/read/the-understudy-moon?part=2#top" };
  const response = await goThrough(app, form, ANA);

  expect(response.headers.get("Location")).toBe("/read/the-understudy-moon?part=2#room");
});

test.each(["https://evil.example/", "//evil.example", String.raw`/\evil.example`, "javascript:1"])(
  "nobody is led away to %s",
  async (returnTo) => {
    await using app = await startApp();

    const response = await goThrough(app, { screen: "room", returnTo }, ANA);

    expect(response.headers.get("Location")).toBe("/home#room");
  },
);

test("a pop-up stays, and tells its page and nobody else's", async () => {
  await using app = await startApp();

  const response = await goThrough(app, { screen: "sign-in", flow: FLOW }, ANA);

  expect(await readPopup(response)).toMatchObject({
    status: 200,
    outcome: { flow: FLOW, refusal: null },
  });
  expect(response.headers.getSetCookie().join()).toContain("__session=");
});

test("a photo and a name of Google's are the account's", async () => {
  await using app = await startApp();

  const response = await goThrough(app, { screen: "sign-in" }, { person: "mira@example.com" });

  const cookie = toCookieHeader(response.headers);
  expect((await app.send(profileLoader, "/profile", { cookie })).data).toMatchObject({
    account: { displayName: "Mira Oduya", photoURL: expect.stringMatching(/^https:/) },
  });
});

test("an address that Google has verified takes over the account that has it", async () => {
  await using app = await startApp();
  const { localId } = await app.firebase.addAccount({ email: "ana@example.com" });

  const response = await goThrough(app, { screen: "sign-in" }, ANA);

  const cookie = toCookieHeader(response.headers);
  expect((await app.send(profileLoader, "/profile", { cookie })).data).toMatchObject({
    account: { uid: localId, displayName: "Ana Reyes" },
  });
});

test("one that Google has not verified is refused where it has a password, with the way out", async () => {
  await using app = await startApp();
  await app.firebase.addAccount({ email: "ana@example.com" });

  const choice = { name: "Not Ana", email: "ana@example.com" };
  const response = await goThrough(app, { screen: "sign-in" }, choice);

  expect(response.headers.get("Location")).toBe("/login");
  expect(response.headers.getSetCookie().join()).not.toContain("__session=");
  expect(await readRefusal(app, response)).toMatchObject({
    status: 400,
    page: {
      data: {
        account: null,
        refusal: {
          screen: "sign-in",
          message: expect.stringContaining("(auth/account-exists-with-different-credential)."),
          hint: "Sign in with your password first, then link Google on your profile.",
        },
      },
    },
  });
});

test.each([
  ["sign-in", "/login"],
  ["sign-up", "/register"],
  ["room", "/read/1?q=2#room"],
])(
  "whoever refuses at Google comes back to the screen %s and reads so, once",
  async (screen, to) => {
    await using app = await startApp();

    const response = await goThrough(app, { screen, returnTo: "/read/1?q=2" }, { refuse: "true" });

    expect(response).toMatchObject({ status: 303 });
    expect(response.headers.get("Location")).toBe(to);
    const { page } = await readRefusal(app, response);
    expect(page.data).toMatchObject({
      refusal: {
        screen,
        message:
          "Firebase: The user did not grant your application the permissions it requested. (auth/user-cancelled).",
        hint: "You can also use e-mail and password.",
      },
    });
    expect(page.headers.get("Set-Cookie")).toMatch(/^refusal=; Max-Age=0/);
  },
);

test("a pop-up tells its page of a refusal", async () => {
  await using app = await startApp();

  const response = await goThrough(app, { screen: "room", flow: FLOW }, { refuse: "true" });

  expect(await readPopup(response)).toMatchObject({
    status: 400,
    outcome: { flow: FLOW, refusal: { message: expect.stringContaining("auth/user-cancelled") } },
  });
});

test("an answer counts once", async () => {
  await using app = await startApp();
  const { url, cookie } = await press(app, { screen: "sign-in" });
  const answer = await chooseAtGoogle(url, ANA);
  await app.send(callback, answer, { cookie });

  // A browser has forgotten the cookie; whoever kept it gets no further.
  for (const kept of ["", cookie]) {
    const response = await app.send(callback, answer, { cookie: kept });

    expect(response.headers.getSetCookie().join()).not.toContain("__session=");
    expect((await readRefusal(app, response)).page.data).toMatchObject({ refusal: OUTDATED });
  }
});

test("another browser's answer signs nobody in", async () => {
  await using app = await startApp();
  const mine = await press(app, { screen: "sign-up" });
  const theirs = await press(app, { screen: "sign-in", flow: FLOW });
  const answer = await chooseAtGoogle(theirs.url, ANA);

  const response = await app.send(callback, answer, { cookie: mine.cookie });

  expect(await readPopup(response)).toMatchObject({
    status: 400,
    outcome: { flow: FLOW, refusal: OUTDATED },
  });
  // What this browser is about goes on.
  expect(response.headers.getSetCookie()).toEqual([]);
});

test("an answer that says it comes from elsewhere is refused", async () => {
  await using app = await startApp();
  const { url, cookie } = await press(app, { screen: "sign-in", flow: FLOW });
  const answer = new URL(await chooseAtGoogle(url, ANA));
  answer.searchParams.set("iss", "https://evil.example");

  const response = await app.send(callback, answer.href, { cookie });

  expect(await readPopup(response)).toMatchObject({ status: 400, outcome: { refusal: OUTDATED } });
});

test("a code without the browser that asked for it is worth nothing", async () => {
  await using app = await startApp();
  const victim = await press(app, { screen: "sign-in", flow: FLOW });
  const code = new URL(await chooseAtGoogle(victim.url, ANA)).searchParams.get("code") ?? "";
  const thief = await press(app, { screen: "sign-in", flow: FLOW });
  const answer = new URL(await chooseAtGoogle(thief.url, ANA));
  answer.searchParams.set("code", code);

  const response = await app.send(callback, answer.href, { cookie: thief.cookie });

  expect(await readPopup(response)).toMatchObject({ status: 400, outcome: { refusal: OUTDATED } });
});

test("a Google that cannot be reached loses nothing and says so", async () => {
  await using app = await startApp();
  const { url, cookie } = await press(app, { screen: "sign-in" });
  const answer = await chooseAtGoogle(url, ANA);
  await using gone = await startApp({ GOOGLE_EMULATOR_HOST: "127.0.0.1:1" });

  const response = await gone.send(callback, answer, { cookie });

  expect(await readRefusal(gone, response)).toMatchObject({
    status: 503,
    page: { data: { refusal: { hint: expect.stringContaining("Nothing was lost") } } },
  });
});

test("a Firebase that cannot be reached loses nothing and says so", async () => {
  await using app = await startApp({ FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1" });

  const response = await goThrough(app, { screen: "sign-in", flow: FLOW }, ANA);

  expect(await readPopup(response)).toMatchObject({
    status: 503,
    outcome: { refusal: { message: expect.stringContaining("auth/network-request-failed") } },
  });
});

test("a disabled account is not passed off as anything else", async () => {
  await using app = await startApp();
  await app.firebase.addAccount({ email: "ana@example.com", disabled: true });

  const response = await goThrough(app, { screen: "sign-in", flow: FLOW }, ANA);

  expect(await readPopup(response)).toMatchObject({
    status: 400,
    outcome: { refusal: { message: expect.stringContaining("auth/user-disabled") } },
  });
});

test("a deployment without Google says so on the screen, and in the pop-up", async () => {
  await using app = await startApp({ GOOGLE_EMULATOR_HOST: "" });

  const page = await press(app, { screen: "sign-up" });
  const popup = await press(app, { screen: "sign-up", flow: FLOW });

  const message = expect.stringContaining("auth/operation-not-allowed");
  expect(page.url).toBe("/register");
  expect((await readRefusal(app, page.response)).page.data).toMatchObject({
    refusal: { screen: "sign-up", message, hint: "You can use e-mail and password." },
  });
  expect(await readPopup(popup.response)).toMatchObject({
    status: 400,
    outcome: { flow: FLOW, refusal: { message } },
  });
});

test("one address starts no more than thirty sign-ins a minute", async () => {
  await using app = await startApp();
  const headers = { "CF-Connecting-IP": "203.0.113.7" };
  const again = () =>
    app.send(start, "/auth/google", { form: { screen: "sign-in", flow: FLOW }, headers });

  for (let count = 0; count < 30; count += 1) expect((await again()).status).toBe(303);

  expect(await readPopup(await again())).toMatchObject({
    status: 429,
    outcome: { refusal: { message: expect.stringContaining("auth/too-many-requests") } },
  });
});

test("an account that links Google keeps its password and its address", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);

  const response = await goThrough(app, { screen: "link" }, ANA, cookie);

  expect(response.headers.get("Location")).toBe("/profile?tab=security");
  expect(await signIn(app, person)).toContain("__session=");
  const withGoogle = await goThrough(app, { screen: "sign-in" }, ANA);
  expect(
    (await app.send(profileLoader, "/profile", { cookie: toCookieHeader(withGoogle.headers) }))
      .data,
  ).toMatchObject({ account: { uid: person.localId, email: person.email } });
});

test("what is linked shows on the profile and can be unlinked, but never the only way in", async () => {
  await using app = await startApp();
  const path = "/profile?tab=security";
  const form = { intent: "unlink-google" };
  const cookie = await signIn(app, await app.firebase.addAccount());
  expect((await app.send(profileLoader, path, { cookie })).data).toMatchObject({
    security: { googleEmail: null, isGoogleOffered: true },
  });

  const linked = await goThrough(app, { screen: "link" }, ANA, cookie);
  const linkedCookie = toCookieHeader(linked.headers);
  expect((await app.send(profileLoader, path, { cookie: linkedCookie })).data).toMatchObject({
    notice: "google-linked",
    security: { googleEmail: "ana@example.com", hasPassword: true },
  });

  const unlinked = await app.send(profileAction, path, { form, cookie: linkedCookie });
  expect(unlinked.headers.get("Location")).toBe(path);
  expect((await app.send(profileLoader, path, { cookie })).data).toMatchObject({
    security: { googleEmail: null },
  });

  const newcomer = toCookieHeader((await goThrough(app, { screen: "sign-in" }, ANA)).headers);
  const refused = await app.send(profileAction, path, { form, cookie: newcomer });
  expect(refused).toMatchObject({
    status: 400,
    data: { form: "unlink-google", banner: { message: "Google is your only way in." } },
  });
  expect((await app.send(profileLoader, path, { cookie: newcomer })).data).toMatchObject({
    security: { googleEmail: "ana@example.com", hasPassword: false },
  });
});

test("a Google account that belongs to somebody else cannot be linked", async () => {
  await using app = await startApp();
  await goThrough(app, { screen: "sign-in" }, ANA);
  const cookie = await signIn(app, await app.firebase.addAccount());

  const response = await goThrough(app, { screen: "link" }, ANA, cookie);

  expect(response.headers.get("Location")).toBe("/profile?tab=security");
  expect((await readRefusal(app, response)).page.data).toMatchObject({
    refusal: {
      screen: "link",
      message: expect.stringContaining("auth/credential-already-in-use"),
      hint: "Sign in with that Google account, or link another one.",
    },
  });
});

test("nothing is linked for whoever is signed out, or became somebody else on the way", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const other = await signIn(app, await app.firebase.addAccount());

  expect((await press(app, { screen: "link" })).url).toBe("/login");

  const { url, cookie: begun } = await press(app, { screen: "link", flow: FLOW }, cookie);
  const answer = await chooseAtGoogle(url, ANA);
  const swapped = begun.replace(cookie, other);
  const response = await app.send(callback, answer, { cookie: swapped });
  expect(await readPopup(response)).toMatchObject({ status: 400, outcome: { refusal: OUTDATED } });
});

test("without an answer of Google's there is no page", async () => {
  await using app = await startApp();

  for (const [loader, path] of [
    [startPage, "/auth/google"],
    [callback, "/auth/google/callback"],
  ] as const) {
    const response = await app.send(loader, path);
    expect(response.headers.get("Location")).toBe("/home");
  }
});

test("PKCE's challenge is the hash of what goes to the token endpoint", async () => {
  await using app = await startApp();
  const { url, cookie } = await press(app, { screen: "sign-in" });
  const answer = await chooseAtGoogle(url, ANA);
  const calls = vi.spyOn(globalThis, "fetch");

  await app.send(callback, answer, { cookie });

  const bodies = calls.mock.calls.map(([, init]) => init?.body);
  const body = bodies.find((sent) => sent instanceof URLSearchParams && sent.has("code_verifier"));
  const verifier = body instanceof URLSearchParams ? body.get("code_verifier") : null;
  expect(
    createHash("sha256")
      .update(verifier ?? "")
      .digest("base64url"),
  ).toBe(new URL(url).searchParams.get("code_challenge"));
});
