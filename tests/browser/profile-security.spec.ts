import type { Page, Route } from "@playwright/test";

import { nextSecond } from "#tests/support/next-second.ts";
import { expect, test } from "./fixtures.ts";
import { changePassword, postMessage } from "./profile.ts";
import { openRoom } from "./room.ts";
import { readDatabase } from "#tests/support/database-values.ts";
import { openAs, signIn } from "./sign-in.ts";

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";

test.describe("with JavaScript", () => {
  test.use({ javaScriptEnabled: true });
  describeSecurity();
  describeDeletion();

  test("the first invalid field has the focus", async ({ page, person }) => {
    await openAs(page, person, "/profile?tab=security");

    await page.getByRole("button", { name: "Change password" }).click();

    await expect(page.getByLabel("Current password", { exact: true })).toBeFocused();
  });

  test("a success clears the passwords and is announced each time", async ({ page, person }) => {
    await openAs(page, person, "/profile?tab=security");
    const form = page.getByRole("region", { name: "Where you're signed in" });
    const password = form.getByLabel("Password", { exact: true });
    // Ignores the message of the previous submit.
    const status = form.locator("output > span:not([data-old])");

    for (const _time of [1, 2]) {
      await password.fill(person.password);
      await form.getByRole("button", { name: "Sign out everywhere else" }).click();

      await expect(password).toHaveValue("");
      await expect(status).toHaveText("You're signed out everywhere else.");
      await status.evaluate((words) => words.setAttribute("data-old", ""));
    }

    await changePassword(page, person.password, "another horse");
    await expect(page.getByText("Password changed.")).toBeVisible();
    await expect(page.getByLabel("Current password", { exact: true })).toHaveValue("");
    await expect(page.getByLabel("New password", { exact: true })).toHaveValue("");
  });

  test("a page learns that its session was ended elsewhere, and what was typed is there after signing in", async ({
    page,
    person,
    browser,
    app,
  }) => {
    await using other = await browser.newContext({ baseURL: app.url, userAgent: FIREFOX });
    const elsewhere = await other.newPage();
    await openAs(elsewhere, person, "/profile?tab=security");
    const summaries: Route[] = [];
    await page.route("**/rooms/general/summary", (route) => void summaries.push(route), {
      times: 1,
    });
    await openAs(page, person, "/profile");
    await page.getByLabel("Name", { exact: true }).fill("Ana Reyes");
    await page.getByLabel("A line about you").fill("Writes at night.");
    await expect.poll(() => summaries.length).toBe(1);
    await elsewhere.reload();

    await elsewhere.getByRole("button", { name: /^Sign out .* on / }).click();
    await expect(elsewhere.getByText("Browser signed out.")).toBeVisible();
    await Promise.all(summaries.map((route) => route.continue()));

    await expect(page).toHaveURL("/login");
    await expect(page.getByText("You were signed out for your security.")).toBeVisible();
    await page.getByLabel("E-mail").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill(person.password);
    await page.getByRole("button", { name: "Login" }).click();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Ana Reyes");
    await expect(page.getByLabel("A line about you")).toHaveValue("Writes at night.");
    await expect(page.getByText("What you typed is still here.")).toHaveCount(2);
  });

  test("deleting the account leaves no presence record, even with other tabs open", async ({
    page,
    person,
    browser,
    app,
  }) => {
    const readRecord = () => readDatabase(app, `status/${person.localId}`);
    const otherTab = await page.context().newPage();
    await openAs(otherTab, person, "/create");
    await expect.poll(readRecord).toMatchObject({ state: "online" });
    await using other = await browser.newContext({ baseURL: app.url });
    const elsewhere = await other.newPage();
    await openAs(elsewhere, person, "/create");
    await expect(elsewhere.locator("[data-live=live]")).toBeVisible();

    await page.goto("/profile?tab=security");
    await page.getByLabel(/^Type your e-mail/).fill(person.email);
    await deleteAccount(page, person.password);
    await expect(page.getByText("Your account has been deleted")).toBeVisible();
    await expect(otherTab.getByRole("button", { name: "Sign in with Google" })).toBeVisible();
    await otherTab.close();
    await elsewhere.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await elsewhere.close();

    expect(await readRecord()).toBeNull();
  });

  test("presence in the room continues after a new password", async ({ page, person }) => {
    await openAs(page, person, "/profile");
    await page.getByRole("link", { name: "Home", exact: true }).click();
    await openRoom(page);
    await expect(page.locator("[data-live=live]")).toBeVisible();
    await page.getByRole("link", { name: "Profile", exact: true }).click();
    await page.getByRole("link", { name: "Security" }).click();
    await changePassword(page, person.password, "another horse");
    await expect(page.getByText("Password changed.")).toBeVisible();

    await page.getByRole("button", { name: "Close the room" }).click();
    const token = page.waitForResponse("**/firebase-token");
    await openRoom(page);

    expect((await token).status()).toBe(200);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  describeDeletion();
});

/** Tests that run with and without JavaScript. */
function describeDeletion() {
  test("deletes the account and its messages after the e-mail and password", async ({
    page,
    person,
  }) => {
    await openAs(page, person, "/profile");
    await postMessage(page, "Gone soon");
    await page.goto("/profile?tab=security");

    await page.getByLabel(/^Type your e-mail/).fill(person.email);
    await deleteAccount(page, "wrong horse");
    await expect(page.getByRole("alert")).toHaveText("Invalid password");
    await deleteAccount(page, person.password);

    await expect(page).toHaveURL("/home");
    await expect(page.getByText("Your account has been deleted")).toBeVisible();
    await openRoom(page);
    await expect(page.getByText("Nobody has spoken yet.")).toBeVisible();
    await page.goto("/profile");
    await expect(page).toHaveURL("/login");
  });
}

/** Tests with JavaScript. Vitest tests the same pages without it. */
function describeSecurity() {
  test("a new password works at once, and a wrong current password is rejected", async ({
    page,
    person,
  }) => {
    await openAs(page, person, "/profile");
    await page.getByRole("link", { name: "Security" }).click();
    await changePassword(page, "wrong horse", "another horse");
    await expect(page.getByRole("alert")).toHaveText("Invalid password");

    await changePassword(page, person.password, "another horse");
    await expect(page.getByText("Password changed.")).toBeVisible();

    await page.getByRole("button", { name: "LogOut" }).click();
    await expect(page).toHaveURL("/home");
    await signIn(page, { ...person, password: "another horse" });
  });

  test("signing out everywhere else signs the other browser out", async ({
    page,
    person,
    browser,
    app,
    javaScriptEnabled,
  }) => {
    await using other = await browser.newContext({ baseURL: app.url, javaScriptEnabled });
    const otherPage = await other.newPage();
    await signIn(otherPage, person);
    await openAs(page, person, "/profile?tab=security");
    const form = page.getByRole("region", { name: "Where you're signed in" });
    await form.getByLabel("Password", { exact: true }).fill(person.password);
    await nextSecond();
    await form.getByRole("button", { name: "Sign out everywhere else" }).click();
    await expect(page.getByText("You're signed out everywhere else.")).toBeVisible();

    await otherPage.goto("/profile");
    await expect(otherPage).toHaveURL("/login");
    await page.goto("/profile");
    await expect(page).toHaveURL("/profile");
  });

  test("ends another browser's session, which is signed out at its next action", async ({
    page,
    person,
    browser,
    app,
    javaScriptEnabled,
  }) => {
    await using other = await browser.newContext({
      baseURL: app.url,
      javaScriptEnabled,
      userAgent: FIREFOX,
    });
    const otherPage = await other.newPage();
    // Otherwise the page may learn of the end before the user submits.
    await otherPage.route("**/rooms/general/summary", (route) => route.fulfill({ json: {} }));
    await openAs(otherPage, person, "/profile");
    await openAs(page, person, "/profile?tab=security");
    const list = page.getByRole("region", { name: "Where you're signed in" }).getByRole("list");
    await expect(list.getByRole("listitem").first()).toContainText("This browser");

    await list.getByRole("button", { name: "Sign out Firefox on Windows" }).click();
    await expect(page.getByText("Browser signed out.")).toBeVisible();
    await expect(list.getByRole("listitem")).toHaveCount(1);

    await otherPage.getByLabel("Name", { exact: true }).fill("Thief");
    await otherPage.getByRole("button", { name: "Save", exact: true }).click();
    await expect(otherPage).toHaveURL("/login");
    await expect(otherPage.getByText("You were signed out for your security.")).toBeVisible();
  });

  test("messages can be kept without the name", async ({ page, person }) => {
    await openAs(page, person, "/profile");
    await postMessage(page, "Still here");
    await page.goto("/profile?tab=security");

    await page.getByRole("radio", { name: /^Keep as/ }).check();
    await page.getByLabel(/^Type your e-mail/).fill(person.email);
    await deleteAccount(page, person.password);

    await expect(page).toHaveURL("/home");
    await openRoom(page);
    const message = page.getByRole("log").getByRole("listitem").filter({ hasText: "Still here" });
    await expect(message).toContainText("Anonymous");
    await expect(page.getByText(person.displayName)).toHaveCount(0);
  });
}

async function deleteAccount(page: Page, password: string) {
  const form = page.getByRole("region", { name: "Delete account" });
  await form.getByLabel("Password", { exact: true }).fill(password);
  await form.getByRole("button", { name: "Delete account" }).click();
}
