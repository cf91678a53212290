import { expect, test } from "vitest";

import { loader as rootLoader } from "#app/root.tsx";
import * as splatRoute from "#app/routes/$.ts";
import { loader as indexLoader } from "#app/routes/_index.ts";
import { loader as createLoader } from "#app/routes/create.tsx";
import { loader as homeLoader } from "#app/routes/home.tsx";
import { action as logout } from "#app/routes/logout.ts";
import { loader as profileLoader } from "#app/routes/profile.tsx";
import { loader as readLoader } from "#app/routes/read.$id.tsx";
import { action as setTheme } from "#app/routes/theme.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { signIn, startApp } from "#tests/support/routes.ts";

const page = { headers: { Accept: "text/html" } };

test("the root path redirects to /home", async () => {
  await using app = await startApp();

  const response = await app.send(indexLoader, "/?from=somewhere", page);

  expect(response.status).toBe(302);
  expect(response.headers.get("Location")).toBe("/home");
});

test.each(["/assets/nope.svg", "/assets/nope", "/favicon.ico"])(
  "the missing file %s is a 404",
  async (path) => {
    await using app = await startApp();

    expect(await app.send(splatRoute.loader, path, page)).toMatchObject({ status: 404 });
  },
);

test("a missing image is a 404", async () => {
  await using app = await startApp();

  const headers = { Accept: "image/avif,*/*;q=0.8", "Sec-Fetch-Dest": "image" };

  expect(await app.send(splatRoute.loader, "/covers/nope", { headers })).toMatchObject({
    status: 404,
  });
});

test("a form sent to an unknown path is a 404", async () => {
  await using app = await startApp();

  expect(await app.send(splatRoute.action, "/nope", { form: {} })).toMatchObject({ status: 404 });
});

test.each([
  ["/home/", "/home"],
  ["/read/a-book/?x=1", "/read/a-book?x=1"],
  ["//evil.example/", "/evil.example"],
])("%s redirects to %s", async (path, to) => {
  await using app = await startApp();

  const response = await app.send(rootLoader, `http://localhost${path}`);

  expect(response.headers.get("Location")).toBe(to);
});

test.each([
  ["/profile", profileLoader],
  ["/create", createLoader],
])("%s redirects to Sign In if the user is signed out", async (path, loader) => {
  await using app = await startApp();

  const response = await app.send(loader, path, page);

  expect(response.status).toBe(302);
  expect(response.headers.get("Location")).toBe("/login");
});

test("/create opens for a signed-in user", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());

  expect(await app.send(createLoader, "/create", { cookie })).toMatchObject({ status: 200 });
});

test.each([
  ["/home", homeLoader],
  ["/read/anything", readLoader],
])("%s responds while the database is unavailable", async (path, loader) => {
  expectConsoleError();
  await using app = await startApp({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });

  const response = await app.send(loader, path);

  expect(response.data).toMatchObject({ room: { feed: { status: "unavailable" } } });
});

test("signing out deletes the cookie and redirects to /home", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());

  const response = await app.send(logout, "/logout", { form: {}, cookie });

  expect(response.status).toBe(303);
  expect(response.headers.get("Location")).toBe("/home");
  expect(response.headers.get("Set-Cookie")).toMatch(/^__session=; Max-Age=0/);
});

test.each([
  "https://evil.example/",
  "//evil.example",
  String.raw`/\evil.example`,
  "/\t/evil.example",
])("does not redirect to %j", async (returnTo) => {
  await using app = await startApp();

  for (const [action, path, form] of [
    [logout, "/logout", { returnTo }],
    [setTheme, "/theme", { returnTo, theme: "dark" }],
  ] as const) {
    const response = await app.send(action, path, { form });
    expect(response.headers.get("Location")).toBe("/home");
  }
});

test("stores the theme and redirects back to the page", async () => {
  await using app = await startApp();

  const form = { theme: "dark", returnTo: "/read/a-book" };
  const response = await app.send(setTheme, "/theme", { form });

  expect(response.headers.get("Location")).toBe("/read/a-book");
  const cookie = response.headers.get("Set-Cookie") ?? "";
  expect(await app.send(rootLoader, "/home", { cookie })).toMatchObject({
    data: { theme: "dark" },
  });
});

test("rejects an unknown theme", async () => {
  await using app = await startApp();

  const form = { theme: "plaid", returnTo: "/home" };

  expect(await app.send(setTheme, "/theme", { form })).toMatchObject({ status: 400 });
});
