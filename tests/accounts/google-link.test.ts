import { expect, test } from "vitest";

import { loader as callback } from "#app/routes/auth.google.callback.ts";
import { action as logout } from "#app/routes/logout.ts";
import { action as profileAction, loader as profileLoader } from "#app/routes/profile.tsx";
import { chooseAtGoogle, type Choice } from "#tests/support/google-page.ts";
import {
  completeGoogleSignIn,
  POPUP_ID,
  OUTDATED,
  readPopup,
  openErrorPage,
  startGoogleSignIn,
} from "#tests/support/google-sign-in.ts";
import {
  signIn,
  startApp,
  toCookieHeader,
  type Outcome,
  type TestApp,
} from "#tests/support/routes.ts";

const ANA: Choice = { person: "ana@example.com" };

test("linking Google keeps the password and the address", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);

  const response = await completeGoogleSignIn(app, { screen: "link" }, ANA, cookie);

  expect(response.headers.get("Location")).toBe("/profile?tab=security#google-flash");
  expect(await signIn(app, person)).toContain("__session=");
  const withGoogle = await completeGoogleSignIn(app, { screen: "sign-in" }, ANA);
  expect(
    (await app.send(profileLoader, "/profile", { cookie: toCookieHeader(withGoogle.headers) }))
      .data,
  ).toMatchObject({ user: { uid: person.localId, email: person.email } });
});

test("a linked Google account can be unlinked, unless it is the only way to sign in", async () => {
  await using app = await startApp();
  const path = "/profile?tab=security";
  const form = { intent: "unlink-google" };
  const cookie = await signIn(app, await app.firebase.addAccount());
  expect((await app.send(profileLoader, path, { cookie })).data).toMatchObject({
    security: { googleEmail: null, isGoogleOffered: true },
  });

  const linked = await completeGoogleSignIn(app, { screen: "link" }, ANA, cookie);
  const linkedCookie = toCookieHeader(linked.headers);
  expect((await app.send(profileLoader, path, { cookie: linkedCookie })).data).toMatchObject({
    flash: "google-linked",
    security: { googleEmail: "ana@example.com", hasPassword: true },
  });

  const unlinked = await app.send(profileAction, path, { form, cookie: linkedCookie });
  expect(unlinked.headers.get("Location")).toBe(`${path}#google-flash`);
  expect((await app.send(profileLoader, path, { cookie })).data).toMatchObject({
    security: { googleEmail: null },
  });

  const googleCookie = toCookieHeader(
    (await completeGoogleSignIn(app, { screen: "sign-in" }, ANA)).headers,
  );
  const rejected = await app.send(profileAction, path, { form, cookie: googleCookie });
  expect(rejected).toMatchObject({
    status: 400,
    data: { form: "unlink-google", banner: { message: "Google is your only way to sign in." } },
  });
  expect((await app.send(profileLoader, path, { cookie: googleCookie })).data).toMatchObject({
    security: { googleEmail: "ana@example.com", hasPassword: false },
  });
});

test("a Google account that belongs to another user cannot be linked", async () => {
  await using app = await startApp();
  await completeGoogleSignIn(app, { screen: "sign-in" }, ANA);
  const cookie = await signIn(app, await app.firebase.addAccount());

  const response = await completeGoogleSignIn(app, { screen: "link" }, ANA, cookie);

  expect(response.headers.get("Location")).toBe("/profile?tab=security#google-flash");
  expect((await openErrorPage(app, response)).page.data).toMatchObject({
    googleError: {
      screen: "link",
      message: expect.stringContaining("auth/credential-already-in-use"),
      hint: "Sign in with that Google account, or link another one.",
    },
  });
});

test("links nothing when another user has signed in meanwhile", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const other = await signIn(app, await app.firebase.addAccount());

  const { url, cookie: startCookie } = await startGoogleSignIn(
    app,
    { screen: "link", popupId: POPUP_ID },
    cookie,
  );
  const callbackUrl = await chooseAtGoogle(url, ANA);
  const swappedCookie = startCookie.replace(cookie, other);
  const response = await app.send(callback, callbackUrl, { cookie: swappedCookie });
  expect(await readPopup(response)).toMatchObject({ status: 400, outcome: { error: OUTDATED } });
});

const SIGNED_OUT = {
  message: expect.stringMatching(/\(auth\/(user-token-expired|invalid-user-token)\)\.$/),
  hint: "You were signed out for your security. Sign in again; your text is safe.",
};

/** Ways in which a session can end while the user links Google. Each returns the last response. */
const sessionEnds = {
  "before the button is pressed": async (app: TestApp, form: Record<string, string>) => {
    const person = await app.firebase.addAccount();
    const session = await signIn(app, person);
    await app.firebase.endAccount(person, "revoked");
    return (await startGoogleSignIn(app, form, session)).response;
  },
  "while Google's page is open": async (app: TestApp, form: Record<string, string>) => {
    const person = await app.firebase.addAccount();
    const { url, cookie } = await startGoogleSignIn(app, form, await signIn(app, person));
    await app.firebase.endAccount(person, "deleted");
    return app.send(callback, await chooseAtGoogle(url, ANA), { cookie });
  },
  "by LogOut in another tab": async (app: TestApp, form: Record<string, string>) => {
    const session = await signIn(app, await app.firebase.addAccount());
    const { url, cookie } = await startGoogleSignIn(app, form, session);
    const remaining = cookie.replace(`${session}; `, "");
    return app.send(callback, await chooseAtGoogle(url, ANA), { cookie: remaining });
  },
} satisfies Record<string, (app: TestApp, form: Record<string, string>) => Promise<Outcome>>;

test.each(Object.entries(sessionEnds))(
  "asks the user to sign in again, and links nothing, when the session ends %s",
  async (_when, link) => {
    await using app = await startApp();

    const inPopup = await link(app, { screen: "link", popupId: POPUP_ID });
    expect(await readPopup(inPopup)).toMatchObject({
      status: 400,
      outcome: { popupId: POPUP_ID, error: SIGNED_OUT },
      html: expect.stringContaining('<a href="/login">go to Sign In</a>'),
    });

    const onPage = await link(app, { screen: "link" });
    expect([onPage.status, onPage.headers.get("Location")]).toEqual([303, "/login"]);
    for (const { headers } of [inPopup, onPage]) {
      expect(headers.getSetCookie().join()).toContain("__session=; Max-Age=0");
    }
    const { page } = await openErrorPage(app, onPage);
    expect(page.data).toMatchObject({
      user: null,
      googleError: { screen: "sign-in", ...SIGNED_OUT },
    });

    const withGoogle = await completeGoogleSignIn(app, { screen: "sign-in" }, ANA);
    const cookie = toCookieHeader(withGoogle.headers);
    expect((await app.send(profileLoader, "/profile", { cookie })).data).toMatchObject({
      user: { email: "ana@example.com" },
      security: { hasPassword: false },
    });
  },
);

test("links nothing when the user has signed out meanwhile", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  const otherInstance = app.withVariables({});
  const started = await startGoogleSignIn(otherInstance, { screen: "link" }, cookie);
  await app.send(logout, "/logout", { form: {}, cookie });

  const callbackUrl = await chooseAtGoogle(started.url, ANA);
  const { headers } = await otherInstance.send(callback, callbackUrl, { cookie: started.cookie });

  expect(headers.get("Location")).toBe("/login");
  const newCookie = await signIn(app, person);
  const path = "/profile?tab=security";
  expect((await app.send(profileLoader, path, { cookie: newCookie })).data).toMatchObject({
    security: { googleEmail: null },
  });
});
