import type { Page } from "@playwright/test";

import type { TestAccount } from "#tests/support/firebase.ts";
import { readMails } from "#tests/support/mail.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { changePassword, postMessage } from "./profile.ts";
import { openAs } from "./sign-in.ts";
import { expectTimeoutMessages, openWithClock } from "./timeouts.ts";

const PHOTO = "https://pictures.example/ana.svg";
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1H0z"/></svg>';

test.describe("with JavaScript", () => {
  test.use({ javaScriptEnabled: true });
  describeProfile();
  describeSuccess(1280, 800);
  describeSuccess(360, 640);

  test("a photo is previewed before saving", async ({ page, person, allowError }) => {
    allowError(/ERR_FAILED|ERR_NAME_NOT_RESOLVED/);
    await servePictures(page);
    await openAs(page, person, "/profile");
    const address = page.getByLabel("Photo link (URL)");

    await address.fill(PHOTO);
    await expect(page.getByText("This is how your photo will look.")).toBeVisible();

    await address.fill("https://nowhere.example/none.png");
    await expect(page.getByText("We can't load a photo from this link")).toBeVisible();
  });

  test("a slow form shows that it is still trying, and loses nothing on a timeout", async ({
    page,
    person,
    allowError,
  }) => {
    allowError(/ERR_TIMED_OUT/);
    await openAs(page, person, "/theme");
    await openWithClock(page, "/profile");
    const name = page.getByLabel("Name", { exact: true });
    await name.fill("Ana Reyes");

    await expectTimeoutMessages(page, "Save", "**/profile.data?*");
    await expect(name).toHaveValue("Ana Reyes");
    await expectTimeoutMessages(page, "Send again", "**/profile.data");
    await expect(name).toHaveValue("Ana Reyes");
  });

  test("unsaved values stay when another browser tab signs out or another profile tab is opened", async ({
    page,
    context,
    person,
  }) => {
    await openAs(page, person, "/profile");
    const name = page.getByLabel("Name", { exact: true });
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
    await fillSignIn(page, person);

    await expect(name).toHaveValue("Ana Reyes");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
    await expect(page.getByText("It isn't saved yet.")).toBeHidden();
  });

  test("saving keeps the focus on the button and is announced", async ({ page, person }) => {
    await openAs(page, person, "/profile");
    const response = page
      .getByRole("region", { name: "Name and photo" })
      .getByRole("status")
      .last();
    await response.evaluate((element) => Object.assign(window, { response: element }));

    await page.getByLabel("Name", { exact: true }).fill(" Ana Reyes ");
    await page.getByRole("button", { name: "Save", exact: true }).focus();
    await page.keyboard.press("Enter");

    await expect(response).toContainText("Saved.");
    expect(await response.evaluate((element) => element === Reflect.get(window, "response"))).toBe(
      true,
    );
    await expect(page.getByRole("button", { name: "Save", exact: true })).toBeFocused();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Ana Reyes");
  });

  test("keeps the typed values when offline", async ({ page, person, allowError }) => {
    allowError(/ERR_INTERNET_DISCONNECTED/);
    await openAs(page, person, "/profile");
    await page.getByLabel("Name", { exact: true }).fill("Ana Reyes");
    await page.context().setOffline(true);

    await page.getByRole("button", { name: "Save", exact: true }).click();

    await expect(page.getByText("You seem to be offline.")).toBeVisible();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Ana Reyes");
  });

  test("every tab of the profile is accessible with errors", async ({ page, person }) => {
    await openAs(page, person, "/profile");
    await page.getByLabel("Photo link (URL)").fill("nonsense");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.locator("[aria-invalid]")).toBeVisible();
    await expectAccessible(page);

    await page.goto("/profile?tab=security");
    await changePassword(page, "wrong horse", "another horse");
    await expect(page.getByRole("alert")).toHaveText("Invalid password");
    await page.getByRole("button", { name: "Delete account" }).click();
    await expect(page.getByLabel(/^Type your e-mail/)).toHaveAccessibleDescription(
      "Email is required",
    );
    await expectAccessible(page);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  describeSuccess(360, 640);
});

/** Tests that run with and without JavaScript. */
function describeSuccess(width: number, height: number) {
  test(`a form's success shows next to its button, in a window of ${width} pixels`, async ({
    page,
    person,
  }) => {
    await page.setViewportSize({ width, height });
    await openAs(page, person, "/profile");
    await page.getByLabel("Name", { exact: true }).fill("Ana Reyes");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText("Saved.", { exact: true })).toBeInViewport({ ratio: 1 });
    await expect(page.getByRole("button", { name: "Save", exact: true })).toBeInViewport({
      ratio: 1,
    });

    await page.goto("/profile?tab=security");
    await changePassword(page, person.password, "another horse");
    await expect(page.getByText("Password changed.")).toBeInViewport({ ratio: 1 });
    await changePassword(page, "wrong horse", "third horse");
    await expect(page.getByText("Invalid password")).toBeInViewport({ ratio: 1 });
  });
}

/** Tests with JavaScript; tests/profile/profile-without-scripts.test.ts tests the same without it. */
function describeProfile() {
  test("a user adds a name, and the next message shows it", async ({ page, addPerson }) => {
    await servePictures(page);
    await openAs(page, await addPerson(), "/profile");
    await expect(page.getByText("Not set")).toBeVisible();
    await postMessage(page, "Before");
    await page.goto("/profile");

    await page.getByRole("link", { name: "Add a name" }).click();
    await expect(page).toHaveURL("/profile?tab=name#display-name");
    await page.getByLabel("Name", { exact: true }).fill("Ana Reyes");
    await page.getByLabel("Photo link (URL)").fill(PHOTO);
    await page.getByRole("button", { name: "Save", exact: true }).click();

    await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
    await expect(page.getByRole("definition").filter({ hasText: "Ana Reyes" })).toBeVisible();
    await expect(page.getByRole("img", { name: "Your photo" })).toHaveAttribute("src", PHOTO);
    await postMessage(page, "After");
    const messages = page.getByRole("log").getByRole("listitem");
    await expect(messages.filter({ hasText: "Before" })).toContainText("Anonymous");
    await expect(messages.filter({ hasText: "After" })).toContainText("Ana Reyes");
  });

  test("a name that is too long is explained and stays in the form", async ({ page, person }) => {
    await openAs(page, person, "/profile");

    await page.getByLabel("Name", { exact: true }).fill("x".repeat(81));
    await page.getByRole("button", { name: "Save", exact: true }).click();

    const name = page.getByLabel("Name", { exact: true });
    await expect(name).toHaveAccessibleDescription("A name can have up to 80 characters");
    await expect(name).toHaveValue("x".repeat(81));
  });

  test("keeps a name that was submitted after the session had ended", async ({ page, person }) => {
    await openAs(page, person, "/profile");
    await page.getByLabel("Name", { exact: true }).fill("Ana Reyes");
    await page.context().clearCookies({ name: "__session" });
    await page.getByRole("button", { name: "Save", exact: true }).click();

    await expect(page).toHaveURL("/login");
    await expect(page.getByText("Sign in again; your text is safe.")).toBeVisible();
    await fillSignIn(page, person);

    await expect(page.getByLabel("Name", { exact: true })).toHaveValue("Ana Reyes");
    await expect(page.getByText("What you typed is still here.")).toBeVisible();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText("Saved.", { exact: true })).toBeVisible();
    await expect(page.getByText("What you typed is still here.")).toBeHidden();
  });

  test("the confirmation can be sent again, but not twice in a minute", async ({
    page,
    person,
    app,
  }) => {
    await openAs(page, person, "/profile");
    await expect(page.getByRole("heading", { name: "Confirm your e-mail" })).toBeVisible();

    await page.getByRole("button", { name: "Send again" }).click();
    await expect(page.getByText("We e-mailed you a link.")).toBeVisible();
    await page.getByRole("button", { name: "Send again" }).click();
    await expect(page.getByText("We already sent you a link.")).toBeVisible();

    expect(await readMails(app.firebase)).toHaveLength(1);
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
