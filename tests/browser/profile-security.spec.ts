import type { APIRequestContext, Page, Route } from "@playwright/test";

import { nextSecond } from "#tests/support/next-second.ts";
import { expect, test } from "./fixtures.ts";
import { changePassword } from "./profile.ts";
import { openRoom, openRoomAs, sendMessage, signInSender } from "./room.ts";
import { readDatabase } from "#tests/support/database-values.ts";
import { openAs, startSession } from "./sign-in.ts";

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";

test.describe("with JavaScript", () => {
  test("signs the other browsers out, which clears the password and is announced each time", async ({
    page,
    person,
    browser,
    app,
  }) => {
    await using other = await browser.newContext({ baseURL: app.url });
    await startSession(other, person);
    await openAs(page, person, "/profile?tab=security");
    const form = page.getByRole("region", { name: "Where you're signed in" });
    const password = form.getByLabel("Password", { exact: true });
    // Ignores the message of the previous submit.
    const status = form.locator("output > span:not([data-old])");
    await expectProfile(other.request, "/profile");
    await nextSecond();

    for (const _time of [1, 2]) {
      await password.fill(person.password);
      await form.getByRole("button", { name: "Sign out everywhere else" }).click();

      await expect(password).toHaveValue("");
      await expect(status).toHaveText("You're signed out everywhere else.");
      await status.evaluate((words) => words.setAttribute("data-old", ""));
    }

    await expectProfile(other.request, "/login");
    await expectProfile(page.request, "/profile");
  });

  test("rejects a wrong current password, and a new password works at once", async ({
    page,
    person,
  }) => {
    await openAs(page, person, "/profile#room");
    await expect(page.locator("[data-live=live]")).toBeVisible();
    await page.getByRole("link", { name: "Security" }).click();

    await page.getByRole("button", { name: "Change password" }).click();
    await expect(page.getByLabel("Current password", { exact: true })).toBeFocused();
    await changePassword(page, "wrong horse", "another horse");
    await expectWrongPassword(page);
    await changePassword(page, person.password, "another horse");
    await expect(page.getByText("Password changed.")).toBeVisible();
    await expect(page.getByLabel("Current password", { exact: true })).toHaveValue("");
    await expect(page.getByLabel("New password", { exact: true })).toHaveValue("");

    await page.getByRole("button", { name: "Close the room" }).click();
    const token = page.waitForResponse("**/firebase-token");
    await openRoom(page);
    expect((await token).status()).toBe(200);
    await startSession(page, { ...person, password: "another horse" });
  });

  test("signing out another browser ends its session, and keeps what was typed there", async ({
    page,
    person,
    browser,
    app,
  }) => {
    await using other = await browser.newContext({ baseURL: app.url, userAgent: FIREFOX });
    const otherPage = await other.newPage();
    const summaries: Route[] = [];
    await otherPage.route("**/rooms/general/summary", (route) => void summaries.push(route), {
      times: 1,
    });
    await openAs(otherPage, person, "/profile");
    await openAs(page, person, "/profile?tab=security");
    const list = page.getByRole("region", { name: "Where you're signed in" }).getByRole("list");
    const endOther = async () => {
      await expect(list.getByRole("listitem")).toHaveText([/This browser/, /Firefox on Windows/]);
      await list.getByRole("button", { name: "Sign out Firefox on Windows" }).click();
      await expect(page.getByText("Browser signed out.")).toBeVisible();
      await expect(list.getByRole("listitem")).toHaveCount(1);
    };
    const name = otherPage.getByLabel("Name", { exact: true });
    await name.fill("Ana Reyes");
    await otherPage.getByLabel("A line about you").fill("Writes at night.");
    await expect.poll(() => summaries.length).toBe(1);

    await endOther();
    // From now on the page can learn of an end only when the user acts.
    await otherPage.route("**/rooms/general/summary", (route) => route.fulfill({ json: {} }));
    await Promise.all(summaries.map((route) => route.continue()));

    await expect(otherPage).toHaveURL("/login");
    await expect(otherPage.getByText("You were signed out for your security.")).toBeVisible();
    await otherPage.getByLabel("E-mail").fill(person.email);
    await otherPage.getByLabel("Password", { exact: true }).fill(person.password);
    await otherPage.getByRole("button", { name: "Login" }).click();
    await expect(name).toHaveValue("Ana Reyes");
    await expect(otherPage.getByLabel("A line about you")).toHaveValue("Writes at night.");
    await expect(otherPage.getByText("What you typed is still here.")).toHaveCount(2);

    await page.reload();
    await endOther();
    await name.fill("Thief");
    await otherPage.getByRole("button", { name: "Save", exact: true }).click();
    await expect(otherPage).toHaveURL("/login");
    await expect(otherPage.getByText("You were signed out for your security.")).toBeVisible();
  });

  test("deleting the account deletes its messages and presence, even with other tabs open", async ({
    page,
    person,
    browser,
    app,
  }) => {
    const readRecord = () => readDatabase(app, `status/${person.localId}`);
    const otherTab = await page.context().newPage();
    // The room of /create is not open beside other pages.
    await openAs(otherTab, person, "/create");
    await expect.poll(readRecord).toMatchObject({ state: "online" });
    await sendMessage(otherTab, "Gone soon");
    await using elsewhere = await openRoomAs(browser, app, person);
    await expect(elsewhere.page.getByRole("article")).toHaveText([/Gone soon/]);

    await page.goto("/profile?tab=security");
    await page.getByLabel(/^Type your e-mail/).fill(person.email);
    await deleteAccount(page, person.password);
    await expect(page).toHaveURL("/home");
    await expect(page.getByText("Your account has been deleted")).toBeVisible();
    await expect(otherTab.getByRole("button", { name: "Sign in with Google" })).toBeVisible();
    await expect(otherTab.getByText("Nobody has spoken yet.")).toBeVisible();
    await otherTab.close();
    await elsewhere.page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await elsewhere.page.close();

    expect(await readRecord()).toBeNull();
  });

  test("deletes the account after the e-mail and password, and keeps its messages without the name", async ({
    page,
    person,
    app,
  }) => {
    await using sender = await signInSender(app, person);
    await sender.send("Still here");
    await openAs(page, person, "/profile?tab=security");

    await page.getByRole("radio", { name: /^Keep as/ }).check();
    await page.getByLabel(/^Type your e-mail/).fill(person.email);
    await deleteAccount(page, "wrong horse");
    await expectWrongPassword(page);
    await deleteAccount(page, person.password);

    await expect(page).toHaveURL("/home");
    await expect(page.getByText("Your account has been deleted")).toBeVisible();
    await openRoom(page);
    const message = page.getByRole("log").getByRole("listitem").filter({ hasText: "Still here" });
    await expect(message).toContainText("Anonymous");
    await expect(page.getByText(person.displayName)).toHaveCount(0);
    await expectProfile(page.request, "/login");
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("deletes the account and its messages after the e-mail and password", async ({
    page,
    person,
    app,
  }) => {
    await using sender = await signInSender(app, person);
    await sender.send("Gone soon");
    await openAs(page, person, "/profile?tab=security");

    await page.getByLabel(/^Type your e-mail/).fill(person.email);
    await deleteAccount(page, "wrong horse");
    await expectWrongPassword(page);
    await deleteAccount(page, person.password);

    await expect(page).toHaveURL("/home");
    await expect(page.getByText("Your account has been deleted")).toBeVisible();
    await openRoom(page);
    await expect(page.getByText("Nobody has spoken yet.")).toBeVisible();
    await expectProfile(page.request, "/login");
  });
});

/** Expects the error of a wrong password at its field, which has the focus. */
async function expectWrongPassword(page: Page) {
  const field = page.locator("[name=currentPassword][aria-invalid]");
  await expect(field).toHaveAccessibleDescription("Invalid password");
  await expect(field).toBeFocused();
}

/** Expects a request for the profile to lead to this page. */
async function expectProfile(request: APIRequestContext, path: string) {
  const response = await request.get("/profile");
  expect(new URL(response.url()).pathname).toBe(path);
}

async function deleteAccount(page: Page, password: string) {
  const form = page.getByRole("region", { name: "Delete account" });
  await form.getByLabel("Password", { exact: true }).fill(password);
  await form.getByRole("button", { name: "Delete account" }).click();
}
