import type { Page } from "@playwright/test";

import type { TestAccount } from "#tests/support/firebase.ts";
import { readMails } from "#tests/support/mail.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { changePassword } from "./profile.ts";
import { ROOM_PATH, sendMessage } from "./room.ts";
import { openAs } from "./sign-in.ts";
import { expectTimeoutMessages } from "./timeouts.ts";

const PHOTO = "https://pictures.example/ana.svg";
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1H0z"/></svg>';

test.describe("with JavaScript", () => {
  test("a user adds a name and a photo, which is previewed, and the next message shows them", async ({
    page,
    addPerson,
    allowError,
  }) => {
    allowError(/ERR_FAILED|ERR_NAME_NOT_RESOLVED/);
    await servePictures(page);
    await openAs(page, await addPerson(), ROOM_PATH);
    await expect(page.getByText("Not set")).toBeVisible();
    const messages = page.getByRole("log").getByRole("listitem");
    await sendMessage(page, "Before");
    // A message gets its time and its final name when it is stored.
    await expect(messages.filter({ hasText: "Before" }).getByRole("time")).toBeVisible();

    await page.getByRole("main").getByRole("link", { name: "Add a name" }).click();
    await expect(page).toHaveURL("/profile?tab=name#display-name");
    await page.getByLabel("Name", { exact: true }).fill("Ana Reyes");
    const address = page.getByLabel("Photo link (URL)");
    await address.fill("https://nowhere.example/none.png");
    await expect(page.getByText("We can't load a photo from this link")).toBeVisible();
    await address.fill(PHOTO);
    await expect(page.getByText("This is how your photo will look.")).toBeVisible();
    await page.getByRole("button", { name: "Save", exact: true }).click();

    await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
    await expect(page.getByRole("definition").filter({ hasText: "Ana Reyes" })).toBeVisible();
    await expect(page.getByRole("img", { name: "Your photo" })).toHaveAttribute("src", PHOTO);
    await sendMessage(page, "After");
    await expect(messages.filter({ hasText: "After" }).getByRole("time")).toBeVisible();
    await expect(messages.filter({ hasText: "Before" })).toContainText("Anonymous");
    await expect(messages.filter({ hasText: "After" })).toContainText("Ana Reyes");
  });

  test("saving keeps the focus on the button and is announced next to it", async ({
    page,
    person,
  }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    await openAs(page, person, "/profile");
    const name = page.getByLabel("Name", { exact: true });
    const save = page.getByRole("button", { name: "Save", exact: true });
    const response = page
      .getByRole("region", { name: "Name and photo" })
      .getByRole("status")
      .last();
    await response.evaluate((element) => Object.assign(window, { response: element }));
    await name.fill(" Ana Reyes ");
    await save.focus();
    await page.keyboard.press("Enter");

    await expect(response).toContainText("Saved.");
    expect(await response.evaluate((element) => element === Reflect.get(window, "response"))).toBe(
      true,
    );
    await expect(save).toBeFocused();
    await expect(name).toHaveValue("Ana Reyes");
    await expectSavedInView(page);
    await page.getByRole("link", { name: "Security" }).click();
    await expectPasswordInView(page, person.password, "another horse");

    await page.setViewportSize({ width: 360, height: 640 });
    await page.evaluate(() => scrollTo(0, 0));
    await expectPasswordInView(page, "another horse", "a third horse");
    await page.getByRole("link", { name: "Name and photo" }).click();
    await expect(page.getByText("Saved.", { exact: true })).toBeHidden();
    await name.fill("Ana R.");
    await save.click();
    await expectSavedInView(page);
  });

  test("a form that gets no response says so, and loses nothing that was typed", async ({
    page,
    person,
    app,
    allowError,
  }) => {
    allowError(/ERR_TIMED_OUT|ERR_INTERNET_DISCONNECTED/);
    await page.clock.install();
    await openAs(page, person, "/profile");
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("Ana Reyes");
    await expectTimeoutMessages(page, "Save", "**/profile.data?*");
    await expect(name).toHaveValue("Ana Reyes");
    await expectTimeoutMessages(page, "Send again", "**/profile.data");
    await expect(name).toHaveValue("Ana Reyes");

    await expect(page.getByRole("heading", { name: "Confirm your e-mail" })).toBeVisible();
    await page.getByRole("button", { name: "Send again" }).click();
    await expect(page.getByText("We e-mailed you a link.")).toBeVisible();
    await page.getByRole("button", { name: "Send again" }).click();
    await expect(page.getByText("We already sent you a link.")).toBeVisible();
    expect(await readMails(app.firebase)).toHaveLength(1);

    const save = page.getByRole("button", { name: "Save", exact: true });
    await save.click();
    await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
    await name.fill("Ana R.");
    await page.context().setOffline(true);
    await save.click();
    await expect(page.getByText("You seem to be offline.")).toBeVisible();
    await expect(page.getByText("Saved.", { exact: true })).toBeHidden();
    await expect(name).toHaveValue("Ana R.");
  });

  test("what is typed while the form is being saved stays", async ({ page, person }) => {
    await openAs(page, person, "/profile");
    const name = page.getByLabel("Name", { exact: true });
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route("**/profile.data?*", async (route) => {
      await held;
      await route.continue();
    });
    await name.fill("Ana Reyes");
    await name.press("Enter");
    await expect(page.getByRole("button", { name: "Save", exact: true })).toHaveAttribute(
      "aria-busy",
      "true",
    );
    await name.fill("Ana R.");

    release();

    await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
    await expect(name).toHaveValue("Ana R.");
  });

  test("unsaved values stay when another tab is opened or signs out, or the session has ended", async ({
    page,
    context,
    person,
  }) => {
    await openAs(page, person, "/profile");
    const name = page.getByLabel("Name", { exact: true });
    const save = page.getByRole("button", { name: "Save", exact: true });
    await name.fill("Ana Reyes");
    await page.getByRole("link", { name: "Security" }).click();
    await expect(name).toBeHidden();
    await page.getByRole("link", { name: "Name and photo" }).click();
    await expect(name).toHaveValue("Ana Reyes");
    await expect(page.getByText("It isn't saved yet.")).toBeVisible();

    const other = await context.newPage();
    await other.goto("/profile");
    await other.getByRole("button", { name: "LogOut" }).click();
    await expect(page).toHaveURL("/login");
    await other.close();
    await fillSignIn(page, person);
    await expect(name).toHaveValue("Ana Reyes");
    await save.click();
    await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
    await expect(page.getByText("It isn't saved yet.")).toBeHidden();

    await name.fill("Ana R.");
    await context.clearCookies({ name: "__session" });
    await save.click();
    await expect(page).toHaveURL("/login");
    await expect(page.getByText("Sign in again; your text is safe.")).toBeVisible();
    await fillSignIn(page, person);
    await expect(name).toHaveValue("Ana R.");
    await expect(page.getByText("What you typed is still here.")).toBeVisible();
    await name.fill("Ana R. Vale");
    await save.click();
    await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
    await expect(page.getByText("What you typed is still here.")).toBeHidden();
    await expect(name).toHaveValue("Ana R. Vale");
  });

  test("wrong values are explained and stay in the form, and every tab is accessible with errors", async ({
    page,
    person,
  }) => {
    await openAs(page, person, "/profile");
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("x".repeat(81));
    await page.getByLabel("Photo link (URL)").fill("nonsense");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(name).toHaveAccessibleDescription("A name can have up to 80 characters");
    await expect(name).toHaveValue("x".repeat(81));
    await expect(page.locator("[aria-invalid]")).toHaveCount(2);
    await expectAccessible(page);

    await page.getByRole("link", { name: "Security" }).click();
    await changePassword(page, "wrong horse", "another horse");
    await expect(page.getByLabel("Current password", { exact: true })).toHaveAccessibleDescription(
      "Invalid password",
    );
    await page.getByRole("button", { name: "Delete account" }).click();
    await expect(page.getByLabel(/^Type your e-mail/)).toHaveAccessibleDescription(
      "Email is required",
    );
    await expectAccessible(page);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  // tests/profile/profile-without-scripts.test.ts has the other tests without JavaScript.
  test("a form's success shows next to its button", async ({ page, person }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    await openAs(page, person, "/profile");
    await page.getByLabel("Name", { exact: true }).fill("Ana Reyes");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expectSavedInView(page);

    await page.getByRole("link", { name: "Security" }).click();
    await expectPasswordInView(page, person.password, "another horse");
  });
});

/** Expects the button and its success in the window. */
async function expectSavedInView(page: Page) {
  await expect(page.getByText("Saved.", { exact: true })).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole("button", { name: "Save", exact: true })).toBeInViewport({
    ratio: 1,
  });
}

/** Changes the password, and expects the success in the window, and then the error of a wrong one. */
async function expectPasswordInView(page: Page, current: string, next: string) {
  await changePassword(page, current, next);
  await expect(page.getByText("Password changed.")).toBeInViewport({ ratio: 1 });
  await changePassword(page, "wrong horse", "third horse");
  await expect(page.getByText("Invalid password")).toBeInViewport({ ratio: 1 });
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
