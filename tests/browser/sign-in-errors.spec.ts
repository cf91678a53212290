import type { Page, Route } from "@playwright/test";

import { createFailingProvider, errorCatalogue } from "#tests/support/error-catalogue.ts";
import { expectAccessible } from "./axe.ts";
import { test } from "./changed-app.ts";
import { expect } from "./fixtures.ts";

/** Rejects every request, or does not respond. */
const failing = createFailingProvider();

test.beforeAll(({ provider }) => {
  provider.respond = failing.respond;
});

test.afterAll(({ provider }) => {
  delete provider.respond;
});

// Each test waits at its end for the app's responses.
test.afterEach(() => failing.rejectPending());

/** Its hint links to the password reset. */
const HINT_CODE = "invalid-credential";

/** A message with a hint and a link, and one without. The server's tests have the whole catalogue. */
const SHOWN_CODES = new Set([HINT_CODE, ""]);

// One worker starts one app for all tests of this file.
test.describe.configure({ mode: "default" });

const password = "secret1";
const UNANSWERED = "silence@example.com";

const screens = [
  { path: "/login", button: "Login" },
  { path: "/register", button: "Register" },
];

test.describe("with JavaScript", () => {
  test("Sign Up and Sign In show the provider's errors, and Enter signs in again", async ({
    page,
  }) => {
    await page.goto("/register");
    await expectMessages(page, "Register", "signUp");

    await page.getByRole("link", { name: "Already have an account?" }).click();
    await expect(page.getByRole("heading", { name: "Sign In" })).toBeVisible();
    await expectMessages(page, "Login", "signIn");

    await expectHintToReset(page);
    await page.goto("/login");
    await expectEnterToSignIn(page);
  });

  for (const { path, button } of screens) {
    test(`loses nothing that was typed on ${path} when a service or the connection fails`, async ({
      page,
      allowError,
    }) => {
      // Remix logs that it cannot parse the response.
      allowError(/ERR_TIMED_OUT|ERR_INTERNET_DISCONNECTED|status of 502|^SyntaxError/);
      const pending: Route[] = [];
      await page.route(`**${path}.data`, (route) => void pending.push(route));
      await page.clock.install({ time: 0 });
      await page.goto(path);
      await page.clock.pauseAt(60_000);
      await attempt(page, button, UNANSWERED);
      await expect(page.getByRole("button", { name: button })).toHaveAttribute("aria-busy", "true");

      await page.clock.fastForward(4900);
      await expect(page.getByText("Still trying…")).toBeHidden();
      await page.clock.fastForward(200);
      await expect(page.getByText("Still trying…")).toBeVisible();
      await page.clock.resume();
      await expectAccessible(page);

      // Simulates the server's response after its timeout of 30 s.
      for (const route of pending) await route.abort("timedout");
      await expect(page.getByText("Nothing was lost; try again.")).toBeVisible();
      await expect(page.getByText("Still trying…")).toBeHidden();
      await page.unroute(`**${path}.data`);

      await page.context().setOffline(true);
      await attempt(page, button, UNANSWERED);
      await expect(page.getByRole("alert")).toHaveText(/auth\/network-request-failed/);
      await expect(
        page.getByText("You seem to be offline. Nothing was lost; try again."),
      ).toBeVisible();
      await expect(page.getByLabel("E-mail")).toHaveValue(UNANSWERED);
      await expect(page.getByLabel("Password", { exact: true })).toHaveValue(password);
      await expect(page.getByRole("button", { name: button })).toBeEnabled();

      await page.context().setOffline(false);
      await page.getByLabel("E-mail").fill("0@example.com");
      await page.getByRole("button", { name: button }).click();
      await expect(page.getByRole("alert")).not.toContainText("network-request-failed");
      await expect(page.getByLabel("Password", { exact: true })).toHaveValue(password);

      await page.route(`**${path}.data`, (route) =>
        route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" }),
      );
      await attempt(page, button, UNANSWERED);
      await expect(
        page.getByText("Inkglade didn't respond. Nothing was lost; try again."),
      ).toBeVisible();
    });
  }
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a hint links to the password reset, and Enter signs in again", async ({ page }) => {
    await page.goto("/login");
    await expectHintToReset(page);
    await page.goto("/login");
    await expectEnterToSignIn(page);
  });
});

/** Submits the form for each code, and expects its message. Expects a message with a hint to be accessible. */
async function expectMessages(page: Page, button: string, words: "signIn" | "signUp") {
  for (const [index, row] of errorCatalogue.entries()) {
    if (!SHOWN_CODES.has(row.code)) continue;
    await attempt(page, button, `${index}@example.com`);

    const { message, hint } = row[words];
    await expect(page.getByRole("alert")).toHaveText(message);
    await expect(page.getByRole("alert")).toHaveCount(1);
    await expect(page.locator("[data-severity=error]")).toHaveText(message + (hint ?? ""));
    await expect(page.getByLabel("E-mail")).toHaveValue(`${index}@example.com`);
    if (row.code === HINT_CODE) await expectAccessible(page);
  }
}

/** Submits Sign In, and follows the hint of its error. */
async function expectHintToReset(page: Page) {
  await failWithHint(page);

  await page.getByRole("link", { name: "reset your password" }).click();

  await expect(page).toHaveURL("/login?reset=1");
}

/** Submits Sign In, and then again with Enter. Expects the second submit to sign in, not to reset the password. */
async function expectEnterToSignIn(page: Page) {
  await failWithHint(page);
  await expect(page.getByText("reset your password")).toBeVisible();

  const posted = page.waitForRequest(
    (request) => request.method() === "POST" && request.url().includes("/login"),
  );
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");

  const { pathname, search } = new URL((await posted).url());
  expect(pathname + search).toMatch(/^\/login(\.data)?$/);
  await expect(page.getByText("reset your password")).toBeVisible();
}

async function failWithHint(page: Page) {
  const index = errorCatalogue.findIndex(({ code }) => code === HINT_CODE);
  await attempt(page, "Login", `${index}@example.com`);
}

async function attempt(page: Page, button: string, email: string) {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  if (button === "Register") await page.getByLabel("Confirm password").fill(password);
  await page.getByRole("button", { name: button }).click();
}
