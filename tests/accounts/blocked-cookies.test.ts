import { expect, test } from "vitest";

import { loader as createLoader } from "#app/routes/create.tsx";
import { readBanner, startPlainBrowser } from "#tests/support/plain-browser.ts";
import { createPlainBrowser } from "#tests/support/plain-requests.ts";
import { startApp } from "#tests/support/routes.ts";

const SENTENCE =
  "Your browser blocks cookies.Signing in needs them. Allow cookies for this site, then try again.";

/** The cookies of a browser that blocks them. */
class NoCookies extends Map<string, string> {
  override set(): this {
    return this;
  }
}

test("without scripts, Sign In says that the browser blocks cookies when the session was lost", async () => {
  await using app = await startPlainBrowser();
  const { email, password } = await app.firebase.addAccount();
  const browser = createPlainBrowser(app.handle, "http://localhost", new NoCookies());

  const login = await browser.get("/login");
  expect(readBanner(login)).toBe("");
  const signedIn = await browser.submit(login, "Login", { email, password });
  expect(readBanner(signedIn)).toBe(SENTENCE);
  expect(signedIn.html).toContain("<title>Sign In");

  const signedUp = await browser.submit(await browser.get("/register"), "Register", {
    email: "new@example.com",
    password: "a secret",
    confirmPassword: "a secret",
  });
  expect(readBanner(signedUp)).toBe(SENTENCE);
});

test("Sign In shows only the error of the attempt where cookies are blocked", async () => {
  await using app = await startPlainBrowser();
  const { email } = await app.firebase.addAccount();
  const browser = createPlainBrowser(app.handle, "http://localhost", new NoCookies());

  const page = await browser.get("/login?cookies=check");
  expect(readBanner(page)).toBe(SENTENCE);
  const failed = await browser.submit(page, "Login", { email, password: "wrong" });
  expect(failed.html.match(/data-severity="error"/g)).toHaveLength(1);
  expect(readBanner(failed)).toContain("Invalid password");
});

test("a browser that has sent a cookie is not checked for blocked cookies", async () => {
  await using app = await startApp();
  const headers = { Referer: "http://localhost/login" };

  const location = async (cookie?: string) =>
    (await app.send(createLoader, "/create", { headers, cookie })).headers.get("Location");

  expect(await location("theme=dark")).toBe("/login");
  expect(await location()).toBe("/login?cookies=check");
});

test("a browser that accepts cookies gets Sign In without the message about blocked cookies", async () => {
  await using app = await startPlainBrowser();
  const { email, password } = await app.firebase.addAccount();

  const guarded = await app.follow(await app.get("/login"), "Create");

  expect(guarded.path).toBe("/login");
  expect(readBanner(guarded)).toBe("");
  const signedIn = await app.submit(guarded, "Login", { email, password });
  expect(signedIn.path).toBe("/profile");
  expect(signedIn.html).toContain("/create");
});
