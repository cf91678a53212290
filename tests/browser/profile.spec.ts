import type { Page } from "@playwright/test";

import type { TestAccount } from "#tests/support/firebase.ts";
import { readMails } from "#tests/support/mail.ts";
import { nextSecond } from "#tests/support/next-second.ts";
import { expectAlive, openAlive } from "./alive.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { expectPatience, openWithClock } from "./patience.ts";
import { readDatabase } from "./read-database.ts";
import { openAs, signIn } from "./sign-in.ts";

const PHOTO = "https://pictures.example/ana.svg";
const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1H0z"/></svg>';

test.describe("with JavaScript", () => {
  test.use({ javaScriptEnabled: true });
  describeProfile();

  test("a photo is looked at before it is taken", async ({ page, person, allowError }) => {
    allowError(/ERR_FAILED|ERR_NAME_NOT_RESOLVED/);
    await servePictures(page);
    await openAs(page, person, "/profile");
    await expectAlive(page);
    const address = page.getByLabel("Photo address");

    await address.fill(PHOTO);
    await expect(page.getByText("This is how it will look.")).toBeVisible();

    await address.fill("https://nowhere.example/none.png");
    await expect(page.getByText("There is no picture at this address")).toBeVisible();
  });

  test("the first fault of a form has the focus", async ({ page, person }) => {
    await openAs(page, person, "/profile?tab=security");
    await expectAlive(page);

    await page.getByRole("button", { name: "Change the password" }).click();

    await expect(page.getByLabel("Current password", { exact: true })).toBeFocused();
  });

  test("a form that takes long says that it is still trying, and loses nothing when time is up", async ({
    page,
    person,
    allowError,
  }) => {
    allowError(/ERR_TIMED_OUT/);
    await openAs(page, person, "/theme");
    await openWithClock(page, "/profile");
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("Ana Reyes");

    await expectPatience(page, "Save", "**/profile.data?*");
    await expect(name).toHaveValue("Ana Reyes");
    await expectPatience(page, "Send again", "**/profile.data");
    await expect(name).toHaveValue("Ana Reyes");
  });

  test("a success leaves no password in its form, and is told each time", async ({
    page,
    person,
  }) => {
    await openAs(page, person, "/profile?tab=security");
    await expectAlive(page);
    const form = page.getByRole("region", { name: "Where you are signed in" });
    const password = form.getByLabel("Password", { exact: true });
    const notice = page.getByText("You are signed out everywhere else.");

    for (const _time of [1, 2]) {
      await password.fill(person.password);
      await form.getByRole("button", { name: "Sign out everywhere else" }).click();

      await expect(notice).toBeVisible();
      await expect(password).toHaveValue("");
      await page.getByRole("button", { name: "Close" }).click();
      await expect(notice).toBeHidden();
    }

    await changePassword(page, person.password, "another horse");
    await expect(page.getByText("Your new password is set.")).toBeVisible();
    await expect(page.getByLabel("Current password", { exact: true })).toHaveValue("");
    await expect(page.getByLabel("New password", { exact: true })).toHaveValue("");
  });

  test("what is typed and not saved stays when another tab signs out, or the form is left", async ({
    page,
    context,
    person,
  }) => {
    await openAs(page, person, "/profile");
    await expectAlive(page);
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("Ana Reyes");
    await page.getByRole("link", { name: "Security" }).click();
    await expect(name).toBeHidden();
    await page.getByRole("link", { name: "Name and photo" }).click();
    await expect(name).toHaveValue("Ana Reyes");
    await expect(page.getByText("It is not saved yet.")).toBeVisible();

    const other = await context.newPage();
    await openAlive(other, "/profile");
    await other.getByRole("button", { name: "LogOut" }).click();
    await expect(page).toHaveURL("/login");
    await fillSignIn(page, person);

    await expect(name).toHaveValue("Ana Reyes");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
    await expect(page.getByText("It is not saved yet.")).toBeHidden();
  });

  test("whoever deletes their account leaves no record of presence, whatever else is open", async ({
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

    await openAlive(page, "/profile?tab=security");
    await page.getByLabel(/^Type your e-mail/).fill(person.email);
    await deleteAccount(page, person.password);
    await expect(page.getByText("Your account is deleted")).toBeVisible();
    await expect(otherTab.getByRole("button", { name: "Sign in with Google" })).toBeVisible();
    await otherTab.close();
    await elsewhere.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await elsewhere.close();

    expect(await readRecord()).toBeNull();
  });

  test("offline, what was typed stays", async ({ page, person, allowError }) => {
    allowError(/ERR_INTERNET_DISCONNECTED|Failed to fetch manifest patches/);
    await openAs(page, person, "/profile");
    await expectAlive(page);
    await page.getByLabel("Name", { exact: true }).fill("Ana Reyes");
    await page.context().setOffline(true);

    await page.getByRole("button", { name: "Save" }).click();

    await expect(page.getByText("You seem to be offline.")).toBeVisible();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Ana Reyes");
  });

  test("whoever was in the room sees others there after a new password as before", async ({
    page,
    person,
  }) => {
    await openAs(page, person, "/profile");
    await expectAlive(page);
    await page.getByRole("link", { name: "Home", exact: true }).click();
    await page.getByText("The room", { exact: true }).click();
    await expect(page.locator("[data-live=live]")).toBeVisible();
    await page.getByRole("link", { name: "Profile", exact: true }).click();
    await page.getByRole("link", { name: "Security" }).click();
    await changePassword(page, person.password, "another horse");
    await expect(page.getByText("Your new password is set.")).toBeVisible();

    await page.getByRole("link", { name: "Home", exact: true }).click();
    const token = page.waitForResponse("**/firebase-token");
    await page.getByText("The room", { exact: true }).click();

    expect((await token).status()).toBe(200);
  });

  test("every part of the profile is accessible, at rest and refused", async ({ page, person }) => {
    await openAs(page, person, "/profile");
    await expectAccessible(page);
    await page.getByLabel("Photo address").fill("nonsense");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.locator("[aria-invalid]")).toBeVisible();
    await expectAccessible(page);

    await page.goto("/profile?tab=security");
    await expectAccessible(page);
    await changePassword(page, "wrong horse", "another horse");
    await expect(page.getByRole("alert")).toHaveText("Invalid password");
    await page.getByRole("button", { name: "Delete my account" }).click();
    await expect(page.getByLabel(/^Type your e-mail/)).toHaveAccessibleDescription(
      "Email is required",
    );
    await expectAccessible(page);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  describeProfile();
});

/** What the profile promises with and without JavaScript. */
function describeProfile() {
  test("who has no name adds one, and the next message carries it", async ({ page, addPerson }) => {
    await servePictures(page);
    await openAs(page, await addPerson(), "/profile");
    await expect(page.getByText("Not set")).toBeVisible();
    await say(page, "Before");
    await page.goto("/profile");

    await page.getByRole("link", { name: "Add a name" }).click();
    await expect(page).toHaveURL("/profile?tab=name#display-name");
    await page.getByLabel("Name", { exact: true }).fill("Ana Reyes");
    await page.getByLabel("Photo address").fill(PHOTO);
    await page.getByRole("button", { name: "Save" }).click();

    await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
    await expect(page.getByRole("definition").filter({ hasText: "Ana Reyes" })).toBeVisible();
    await expect(page.getByRole("img", { name: "Your photo" })).toHaveAttribute("src", PHOTO);
    await say(page, "After");
    const messages = page.getByRole("log").getByRole("listitem");
    await expect(messages.filter({ hasText: "Before" })).toContainText("Anonymous");
    await expect(messages.filter({ hasText: "After" })).toContainText("Ana Reyes");
  });

  test("a name that is too long is explained, and kept", async ({ page, person }) => {
    await openAs(page, person, "/profile");

    await page.getByLabel("Name", { exact: true }).fill("x".repeat(81));
    await page.getByRole("button", { name: "Save" }).click();

    const name = page.getByLabel("Name", { exact: true });
    await expect(name).toHaveAccessibleDescription("A name holds at most 80 characters");
    await expect(name).toHaveValue("x".repeat(81));
  });

  test("a name that is sent after the session has ended is there after Sign In", async ({
    page,
    person,
  }) => {
    await openAs(page, person, "/profile");
    await page.getByLabel("Name", { exact: true }).fill("Ana Reyes");
    await page.context().clearCookies({ name: "__session" });
    await page.getByRole("button", { name: "Save" }).click();

    await expect(page).toHaveURL("/login");
    await expect(page.getByText("Sign in again; your text is kept.")).toBeVisible();
    await fillSignIn(page, person);

    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Ana Reyes");
    await expect(page.getByText("What you typed is still here.")).toBeVisible();
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
    await expect(page.getByText("What you typed is still here.")).toBeHidden();
  });

  test("the confirmation is sent again, but not twice in a minute", async ({
    page,
    person,
    app,
  }) => {
    await openAs(page, person, "/profile");
    await expect(page.getByRole("heading", { name: "Confirm your e-mail" })).toBeVisible();

    await page.getByRole("button", { name: "Send again" }).click();
    await expect(page.getByText("A link is on its way to you.")).toBeVisible();
    await page.getByRole("button", { name: "Send again" }).click();
    await expect(page.getByText("A link is on its way already.")).toBeVisible();

    expect(await readMails(app.firebase)).toHaveLength(1);
  });

  test("a new password is in force at once, and the old one is not", async ({ page, person }) => {
    await openAs(page, person, "/profile");
    await page.getByRole("link", { name: "Security" }).click();
    await changePassword(page, "wrong horse", "another horse");
    await expect(page.getByRole("alert")).toHaveText("Invalid password");

    await changePassword(page, person.password, "another horse");
    await expect(page.getByText("Your new password is set.")).toBeVisible();

    await page.getByRole("button", { name: "LogOut" }).click();
    await expect(page).toHaveURL("/home");
    await signIn(page, { ...person, password: "another horse" });
  });

  test("signing out everywhere else takes the other browser out", async ({
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
    const form = page.getByRole("region", { name: "Where you are signed in" });
    await form.getByLabel("Password", { exact: true }).fill(person.password);
    await nextSecond();
    await form.getByRole("button", { name: "Sign out everywhere else" }).click();
    await expect(page.getByText("You are signed out everywhere else.")).toBeVisible();

    await otherPage.goto("/profile");
    await expect(otherPage).toHaveURL("/login");
    await page.goto("/profile");
    await expect(page).toHaveURL("/profile");
  });

  test("one other browser is signed out from the list, and is out when it does something", async ({
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
    await openAs(otherPage, person, "/profile");
    await openAs(page, person, "/profile?tab=security");
    const list = page.getByRole("region", { name: "Where you are signed in" }).getByRole("list");
    await expect(list.getByRole("listitem").first()).toContainText("This browser");

    await list.getByRole("button", { name: "Sign out Firefox on Windows" }).click();
    await expect(page.getByText("That browser is signed out.")).toBeVisible();
    await expect(list.getByRole("listitem")).toHaveCount(1);

    await otherPage.getByLabel("Name", { exact: true }).fill("Thief");
    await otherPage.getByRole("button", { name: "Save" }).click();
    await expect(otherPage).toHaveURL("/login");
    await expect(otherPage.getByText("You were signed out for safety.")).toBeVisible();
  });

  test("an account is deleted after its e-mail and password, and its messages with it", async ({
    page,
    person,
  }) => {
    await openAs(page, person, "/profile");
    await say(page, "Gone soon");
    await page.goto("/profile?tab=security");

    await page.getByLabel(/^Type your e-mail/).fill(person.email);
    await deleteAccount(page, "wrong horse");
    await expect(page.getByRole("alert")).toHaveText("Invalid password");
    await deleteAccount(page, person.password);

    await expect(page).toHaveURL("/home");
    await expect(page.getByText("Your account is deleted")).toBeVisible();
    await page.getByText("The room", { exact: true }).click();
    await expect(page.getByText("Nobody has spoken yet.")).toBeVisible();
    await page.goto("/profile");
    await expect(page).toHaveURL("/login");
  });

  test("messages may stay without their name", async ({ page, person }) => {
    await openAs(page, person, "/profile");
    await say(page, "Still here");
    await page.goto("/profile?tab=security");

    await page.getByRole("radio", { name: /^Leave them/ }).check();
    await page.getByLabel(/^Type your e-mail/).fill(person.email);
    await deleteAccount(page, person.password);

    await expect(page).toHaveURL("/home");
    await page.getByText("The room", { exact: true }).click();
    const message = page.getByRole("log").getByRole("listitem").filter({ hasText: "Still here" });
    await expect(message).toContainText("Anonymous");
    await expect(page.getByText(person.displayName)).toHaveCount(0);
  });
}

async function fillSignIn(page: Page, { email, password }: TestAccount) {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Login" }).click();
  await expect(page).toHaveURL("/profile");
}

async function servePictures(page: Page) {
  await page.route(PHOTO, (route) =>
    route.fulfill({ contentType: "image/svg+xml", body: PICTURE }),
  );
}

async function say(page: Page, text: string) {
  await page.goto("/create");
  await page.getByPlaceholder("Type a message…").fill(text);
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("log").getByText(text)).toBeVisible();
}

async function changePassword(page: Page, current: string, next: string) {
  await page.getByLabel("Current password", { exact: true }).fill(current);
  await page.getByLabel("New password", { exact: true }).fill(next);
  await page.getByRole("button", { name: "Change the password" }).click();
}

async function deleteAccount(page: Page, password: string) {
  const form = page.getByRole("region", { name: "Delete the account" });
  await form.getByLabel("Password", { exact: true }).fill(password);
  await form.getByRole("button", { name: "Delete my account" }).click();
}
