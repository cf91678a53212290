import type { Page } from "@playwright/test";

import { createFailingProvider, errorCatalogue } from "#tests/support/error-catalogue.ts";
import { expectAccessible } from "./axe.ts";
import { expect } from "./fixtures.ts";
import { test } from "./provider.ts";

/** Rejects every request, or does not respond. */
const failing = createFailingProvider();

test.beforeAll(({ provider }) => {
  provider.respond = failing.respond;
});

// Each test waits at its end for the app's responses.
test.afterEach(() => failing.rejectPending());

/**
 * A message of each screen, one with a hint and a link, an unknown code, and no code. The server's tests have the
 * whole catalogue.
 */
const SHOWN_CODES = new Set([
  "wrong-password",
  "email-already-in-use",
  "invalid-credential",
  "brand-new",
  "",
]);

// One worker starts one app for all tests of this file.
test.describe.configure({ mode: "default" });

const password = "secret1";
const UNANSWERED = "silence@example.com";

const screens = [
  { path: "/login", button: "Login", words: "signIn" },
  { path: "/register", button: "Register", words: "signUp" },
] as const;

test.describe("with JavaScript", () => {
  test.use({ javaScriptEnabled: true });
  describeErrorsWithScripts();
  describeHints();

  for (const { path, button } of screens) {
    test(`a slow provider is reported and can be retried on ${path}`, async ({
      page,
      allowError,
    }) => {
      allowError(/ERR_TIMED_OUT/);
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
      await page.goto(path);
      await page.route(`**${path}.data`, (route) => route.abort("timedout"));
      await attempt(page, button, UNANSWERED);
      await expect(page.getByText("Nothing was lost; try again.")).toBeVisible();
      await expect(page.getByText("Still trying…")).toBeHidden();
    });

    test(`nothing that was typed is lost without a connection on ${path}`, async ({
      page,
      allowError,
    }) => {
      allowError(/ERR_INTERNET_DISCONNECTED/);
      await page.goto(path);
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
    });
  }

  test("an error with a hint is accessible on both screens", async ({ page }) => {
    const index = errorCatalogue.findIndex(({ code }) => code === "invalid-credential");
    for (const { path, button } of screens) {
      await page.goto(path);
      await attempt(page, button, `${index}@example.com`);
      await expect(page.getByText("reset your password", { exact: true })).toBeVisible();

      await expectAccessible(page);
    }
  });

  test("a failed server is not reported as a failed network", async ({ page, allowError }) => {
    // Remix logs that it cannot parse the response.
    allowError(/status of 502|^SyntaxError/);
    await page.goto("/login");
    await page.route("**/login.data", (route) =>
      route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" }),
    );

    await attempt(page, "Login", UNANSWERED);

    await expect(
      page.getByText("Inkglade didn't respond. Nothing was lost; try again."),
    ).toBeVisible();
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  describeHints();
});

/** Tests that also run in Vitest, without JavaScript. */
function describeErrorsWithScripts() {
  for (const { path, button, words } of screens) {
    test(`an error of the provider shows the right message on ${path}`, async ({ page }) => {
      await page.goto(path);
      for (const [index, row] of errorCatalogue.entries()) {
        if (!SHOWN_CODES.has(row.code)) continue;
        await attempt(page, button, `${index}@example.com`);

        const { message, hint } = row[words];
        await expect(page.getByRole("alert")).toHaveText(message);
        await expect(page.getByRole("alert")).toHaveCount(1);
        await expect(page.locator("[data-severity=error]")).toHaveText(message + (hint ?? ""));
        await expect(page.getByLabel("E-mail")).toHaveValue(`${index}@example.com`);
      }
    });
  }
}

/** Tests that run with and without JavaScript. */
function describeHints() {
  test("a hint links to the password reset", async ({ page }) => {
    const index = errorCatalogue.findIndex(({ code }) => code === "invalid-credential");
    await page.goto("/login");
    await attempt(page, "Login", `${index}@example.com`);

    await page.getByRole("button", { name: "reset your password" }).click();

    await expect(page).toHaveURL("/login?reset=1");
    await expect(page.getByLabel("E-mail")).toHaveValue(`${index}@example.com`);
  });
}

async function attempt(page: Page, button: string, email: string) {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  if (button === "Register") await page.getByLabel("Confirm password").fill(password);
  await page.getByRole("button", { name: button }).click();
}
