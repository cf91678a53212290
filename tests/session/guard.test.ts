import { expect, test } from "vitest";

import { loader as createLoader } from "#app/routes/create.tsx";
import { action as loginAction } from "#app/routes/login.tsx";
import { loader as profileLoader } from "#app/routes/profile.tsx";
import { signIn, startApp, toCookieHeader, type TestApp } from "#tests/support/routes.ts";

/** Opens the profile with these cookies, and returns what is offered there. */
async function readWish(app: TestApp, cookie: string) {
  const { data, headers } = await app.send(profileLoader, "/profile", { cookie });
  return { wish: (data as { wish: unknown }).wish, headers };
}

test("the guard answers with Sign In's plain address, and remembers the way", async () => {
  await using app = await startApp();

  const response = await app.send(createLoader, "/create?draft=7");

  expect(response.status).toBe(302);
  expect(response.headers.get("Location")).toBe("/login");
  expect(response.headers.getSetCookie()).toEqual([
    "wish=%2Fcreate%3Fdraft%3D7; Max-Age=1800; Path=/; HttpOnly; SameSite=Lax",
  ]);
});

test("a cookie that cannot be read is removed on the same way", async () => {
  await using app = await startApp();

  const { headers } = await app.send(createLoader, "/create", { cookie: "__session=nonsense" });

  expect(headers.getSetCookie().map((cookie) => cookie.split("=")[0])).toEqual([
    "__session",
    "wish",
  ]);
});

test("success leads to the profile all the same, which offers the way on once", async () => {
  await using app = await startApp();
  const { email, password } = await app.firebase.addAccount();
  const { headers } = await app.send(createLoader, "/create?draft=7");
  const wishCookie = toCookieHeader(headers);

  const success = await app.send(loginAction, "/login", {
    form: { email, password },
    cookie: wishCookie,
  });
  expect(success.headers.get("Location")).toBe("/profile");

  const session = toCookieHeader(success.headers);
  const first = await readWish(app, `${session}; ${wishCookie}`);
  expect(first.wish).toEqual({ to: "/create?draft=7", place: "Create" });
  expect(first.headers.get("Set-Cookie")).toMatch(/^wish=; Max-Age=0/);
  expect((await readWish(app, session)).wish).toBeNull();
});

test("whoever wanted to go to the profile is offered nothing", async () => {
  await using app = await startApp();

  const response = await app.send(profileLoader, "/profile");

  expect(response.headers.get("Location")).toBe("/login");
  expect(response.headers.has("Set-Cookie")).toBe(false);
});

test.each([
  "https://evil.example/create",
  "//evil.example/create",
  "/create/../logout",
  "/create.evil.example",
  "/\\evil.example",
  "/logout",
  "javascript:alert(1)",
  "",
])("a forged wish for %j is none", async (to) => {
  await using app = await startApp();
  const session = await signIn(app, await app.firebase.addAccount());

  const { wish } = await readWish(app, `${session}; wish=${encodeURIComponent(to)}`);

  expect(wish).toBeNull();
});
