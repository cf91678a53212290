import { expect, test } from "vitest";

import { loader as createLoader } from "#app/routes/create.tsx";
import { action as loginAction, loader as loginLoader } from "#app/routes/login.tsx";
import { loader as profileLoader } from "#app/routes/profile.tsx";
import { action as registerAction } from "#app/routes/register.tsx";
import { getSignInPath } from "#app/session/return-to.ts";
import { completeGoogleSignIn } from "#tests/support/google-sign-in.ts";
import { signIn, startApp, toCookieHeader, type TestApp } from "#tests/support/routes.ts";

/** Opens the profile with these cookies, and returns the page that it offers. */
async function readReturnTo(app: TestApp, cookie: string) {
  const { data, headers } = await app.send(profileLoader, "/profile", { cookie });
  return { returnTo: (data as { returnTo: unknown }).returnTo, headers };
}

/** Follows the room's sign-in link, and returns the cookies. */
async function followSignInLink(app: TestApp, returnTo: string) {
  const response = await app.send(loginLoader, getSignInPath(returnTo, "chat"));
  expect([response.status, response.headers.get("Location")]).toEqual([302, "/login"]);
  return toCookieHeader(response.headers);
}

test("the guard redirects to the plain address of Sign In and remembers the page", async () => {
  await using app = await startApp();

  const response = await app.send(createLoader, "/create?draft=7");

  expect(response.status).toBe(302);
  expect(response.headers.get("Location")).toBe("/login");
  const [cookie = "", ...others] = response.headers.getSetCookie();
  expect(others).toEqual([]);
  const [, value = ""] =
    /^return-to=([^;]*); Max-Age=1800; Path=\/; HttpOnly; SameSite=Lax$/.exec(cookie) ?? [];
  expect(JSON.parse(decodeURIComponent(value))).toEqual({
    path: "/create?draft=7",
    isOffered: true,
    reason: "write",
  });
});

test("the guard also removes a session cookie that cannot be read", async () => {
  await using app = await startApp();

  const { headers } = await app.send(createLoader, "/create", { cookie: "__session=nonsense" });

  expect(headers.getSetCookie().map((cookie) => cookie.split("=")[0])).toEqual([
    "__session",
    "return-to",
  ]);
});

test("after the guard, sign-in leads to the profile, which offers the page once", async () => {
  await using app = await startApp();
  const { email, password } = await app.firebase.addAccount();
  const { headers } = await app.send(createLoader, "/create?draft=7");
  const returnTo = toCookieHeader(headers);

  const success = await app.send(loginAction, "/login", {
    form: { email, password },
    cookie: returnTo,
  });
  expect(success.headers.get("Location")).toBe("/profile");

  const session = toCookieHeader(success.headers);
  const first = await readReturnTo(app, `${session}; ${returnTo}`);
  expect(first.returnTo).toEqual({ path: "/create?draft=7", label: "Create" });
  expect(first.headers.get("Set-Cookie")).toMatch(/^return-to=; Max-Age=0/);
  expect((await readReturnTo(app, session)).returnTo).toBeNull();
});

test("requiring sign-in for the profile stores no page to return to", async () => {
  await using app = await startApp();

  const response = await app.send(profileLoader, "/profile");

  expect(response.headers.get("Location")).toBe("/login");
  expect(response.headers.has("Set-Cookie")).toBe(false);
});

test("asking for the profile forgets the page of an earlier sign-in link", async () => {
  await using app = await startApp();
  const cookie = await followSignInLink(app, ROOM);

  const { headers } = await app.send(profileLoader, "/profile", { cookie });
  expect(headers.get("Set-Cookie")).toMatch(/^return-to=; Max-Age=0/);
});

const ROOM = "/read/the-understudy-moon?part=2#room";

test.each(["password", "registration", "Google"])(
  "the room's sign-in link leads back to its page after sign-in by %s",
  async (way) => {
    await using app = await startApp();
    const { email, password } = await app.firebase.addAccount();
    const cookie = await followSignInLink(app, ROOM);
    const registration = { email: "new@example.com", password, confirmPassword: password };

    const response =
      way === "Google"
        ? await completeGoogleSignIn(
            app,
            { screen: "sign-in" },
            { person: "ana@example.com" },
            cookie,
          )
        : way === "password"
          ? await app.send(loginAction, "/login", { form: { email, password }, cookie })
          : await app.send(registerAction, "/register", { form: registration, cookie });

    expect([response.status, response.headers.get("Location")]).toEqual([303, ROOM]);
    const cookies = response.headers.getSetCookie().join("\n");
    expect(cookies).toContain("__session=");
    expect(cookies).toContain("return-to=; Max-Age=0");
  },
);

test("the room's sign-in link leads back to a page that needs sign-in too", async () => {
  await using app = await startApp();
  const { email, password } = await app.firebase.addAccount();
  const cookie = await followSignInLink(app, "/create?draft=7#room");

  const form = { email, password };
  const { headers } = await app.send(loginAction, "/login", { form, cookie });

  expect(headers.get("Location")).toBe("/create?draft=7#room");
});

test("a failed sign-in keeps the page to return to", async () => {
  await using app = await startApp();
  const { email } = await app.firebase.addAccount();
  const cookie = await followSignInLink(app, ROOM);

  const form = { email, password: "wrong-password" };
  const { status, headers } = await app.send(loginAction, "/login", { form, cookie });

  expect(status).toBe(400);
  expect(headers.getSetCookie()).toEqual([]);
});

const FOREIGN_PATHS = [
  "https://evil.example/create",
  "//evil.example/create",
  "/create/../logout",
  "/\\evil.example",
  "javascript:alert(1)",
  "",
];

test.each(FOREIGN_PATHS)("a sign-in link never leads to %j", async (path) => {
  await using app = await startApp();
  const { email, password } = await app.firebase.addAccount();
  const cookie = await followSignInLink(app, path);

  const { headers } = await app.send(loginAction, "/login", { form: { email, password }, cookie });

  const isLocal = path === "/create/../logout";
  expect(headers.get("Location")).toBe(isLocal ? "/logout" : "/profile");
});

test.each(FOREIGN_PATHS)("a forged cookie never leads to %j", async (path) => {
  await using app = await startApp();
  const { email, password } = await app.firebase.addAccount();
  const value = encodeURIComponent(JSON.stringify({ path, isOffered: false }));

  const { headers } = await app.send(loginAction, "/login", {
    form: { email, password },
    cookie: `return-to=${value}`,
  });

  expect(headers.get("Location")).toBe("/profile");
});

test.each([...FOREIGN_PATHS, "/create.evil.example", "/logout"])(
  "a forged cookie for %j is offered nowhere",
  async (path) => {
    await using app = await startApp();
    const session = await signIn(app, await app.firebase.addAccount());

    for (const value of [path, JSON.stringify({ path, isOffered: true })]) {
      const cookie = `${session}; return-to=${encodeURIComponent(value)}`;
      expect((await readReturnTo(app, cookie)).returnTo).toBeNull();
    }
  },
);
