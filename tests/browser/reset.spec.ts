import type { Page } from "@playwright/test";

import { readLink } from "#tests/support/mail.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { openAs } from "./sign-in.ts";
import { expectTimeoutMessages, openWithClock } from "./timeouts.ts";

test.describe("with JavaScript", () => {
  describeLink();

  test("every screen of an e-mail link is accessible, and loses nothing on a timeout or offline", async ({
    page,
    person,
    app,
    allowError,
  }) => {
    allowError(/ERR_TIMED_OUT|ERR_INTERNET_DISCONNECTED/);
    const email = page.getByLabel("E-mail");
    const password = page.getByLabel("New password", { exact: true });
    // tests/browser/screens.spec.ts checks the first screen with axe.
    await openWithClock(page, "/login?reset=1");
    await askForLink(page, "");
    await expect(email).toHaveAccessibleDescription("Email is required");
    await expect(email).toBeFocused();
    await expectAccessible(page);
    await email.fill(person.email);
    await expectTimeoutMessages(page, "Send reset link", "**/login.data?*");
    await expect(email).toHaveValue(person.email);
    await page.getByRole("button", { name: "Send reset link" }).click();
    await expectSent(page);
    await expectAccessible(page);

    const link = await readLink(app.firebase, person.email);
    await page.goto(link);
    await expectAccessible(page);
    await password.fill("another horse");
    await expectTimeoutMessages(page, "Set password", "**/login.data?*");
    await expect(password).toHaveValue("another horse");
    await page.context().setOffline(true);
    await setPassword(page, "another horse");
    await expect(page.getByText("You seem to be offline.")).toBeVisible();
    await page.context().setOffline(false);

    await page.goto(link.replace("oobCode=", "oobCode=x"));
    await expect(page.getByRole("alert")).toBeVisible();
    await expectAccessible(page);
    await page.goto("/login?mode=verifyEmail&oobCode=x");
    await expectAccessible(page);
    await expectTimeoutMessages(page, "Confirm e-mail", "**/login.data?*");
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  describeLink();
});

/** Tests that run with and without JavaScript. */
function describeLink() {
  test("a link from an e-mail replaces a forgotten password once", async ({
    page,
    person,
    app,
  }) => {
    await page.goto("/login");
    await page.getByLabel("E-mail").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill("secret1");
    await page.getByRole("button", { name: "Forgot your password?" }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText("Reset your password");
    await expect(page).toHaveURL("/login?reset=1");
    await expect(page.getByLabel("E-mail")).toHaveValue(person.email);
    expect(await page.content()).not.toContain("secret1");
    await askForLink(page, person.email);
    await expectSent(page);
    const link = await readLink(app.firebase, person.email);

    await page.goto(link);
    await expect(page.getByLabel("E-mail")).toHaveValue(person.email);
    await setPassword(page, "short");
    await expect(page.getByLabel("New password", { exact: true })).toHaveAccessibleDescription(
      "At least 6 characters. Password must be at least 6 characters",
    );
    await setPassword(page, "another horse");

    await expect(page).toHaveURL("/profile");
    await expect(page.getByText("Password changed.")).toBeVisible();
    await page.reload();
    await expect(page.getByText("Password changed.")).toBeHidden();

    await openAs(page, { ...person, password: "another horse" }, link);
    await expect(page.getByRole("alert")).toContainText("auth/invalid-action-code");
    await expect(
      page.getByText("This link has been used or is too old. Ask for a new one."),
    ).toBeVisible();
    await page.getByRole("link", { name: "Ask for a new link" }).click();
    await expect(page).toHaveURL("/login?reset=1");

    // An unknown address gets the same response.
    await askForLink(page, "nobody@example.com");
    await expectSent(page);
  });
}

async function askForLink(page: Page, email: string) {
  await page.getByLabel("E-mail").fill(email);
  await page.getByRole("button", { name: "Send reset link" }).click();
}

async function expectSent(page: Page) {
  await expect(page).toHaveURL("/login?reset=sent");
  const sent = page.getByRole("status").filter({ hasText: "a reset link" });
  await expect(sent).toContainText("If that address has an account, a reset link is on its way.");
}

async function setPassword(page: Page, password: string) {
  await page.getByLabel("New password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Set password" }).click();
}
