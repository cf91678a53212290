import type { Page } from "@playwright/test";

import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { expectHydrated } from "./hydration.ts";
import { openRoom } from "./room.ts";
import { openAs } from "./sign-in.ts";
import { expectStory, findRichEditor } from "./story.ts";

const SCREENS = ["/login", "/register"];

const CLOSED =
  "Firebase: The popup has been closed by the user before finalizing the operation. (auth/popup-closed-by-user).";
const BLOCKED =
  "Firebase: Unable to establish a connection with the popup. It may have been blocked by the browser. (auth/popup-blocked).";
const DECLINED =
  "Firebase: The user did not grant your application the permissions it requested. (auth/user-cancelled).";

test.describe("with JavaScript", () => {
  test.use({ javaScriptEnabled: true });
  // With scripts, Google opens in a pop-up.
  describeGoogle(openPopup);
  for (const screen of SCREENS) describeSignIn(screen, openPopup);
  describeRoomError(openPopup);

  test("signing in from the room changes only the panel and keeps unsaved text", async ({
    page,
    person,
  }) => {
    await openAs(page, person, "/create");
    await (await findRichEditor(page)).fill("Once upon a time");
    await page.getByRole("button", { name: "Sign out" }).click();
    await markPage(page);

    await choose(await openPopup(page, "Sign in with Google"), "Ana Reyes");

    await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
    await expect(page.getByText("Ana Reyes", { exact: true })).toBeVisible();
    await expectStory(page, "Once upon a time");
    await expectMarked(page);
  });

  test("the page continues without a reload, and the pop-up closes", async ({ page }) => {
    await page.goto("/login");
    await markPage(page);

    const popup = await openPopup(page, "Continue with google");
    await choose(popup, "Ana Reyes");

    await expect(page).toHaveURL("/profile");
    await expect(page.getByRole("navigation").getByText("Sign in")).toHaveCount(0);
    await expectMarked(page);
    await expect.poll(() => popup.isClosed()).toBe(true);
  });

  for (const screen of SCREENS) {
    test(`a closed pop-up is reported: ${screen}`, async ({ page }) => {
      await page.goto(screen);

      const popup = await openPopup(page, "Continue with google");
      await expect(page.getByText("Continue in the Google window.")).toBeVisible();
      await popup.close();

      await expect(page.getByRole("alert")).toHaveText(CLOSED);
      await expect(page.getByText("You can also use e-mail and password.")).toBeVisible();
      await expectAccessible(page);

      // Another sign-in clears the error and succeeds.
      const another = await openPopup(page, "Continue with google");
      await expect(page.getByRole("alert")).toHaveCount(0);
      await choose(another, "Ana Reyes");
      await expect(page).toHaveURL("/profile");
    });
  }

  test("offers to continue in the same window when a pop-up is blocked", async ({ page }) => {
    await blockPopups(page);
    await page.goto("/register");
    await page.getByRole("button", { name: "Continue with google" }).click();
    await expect(page.getByRole("alert")).toHaveText(BLOCKED);
    await expectAccessible(page);

    await page.getByRole("button", { name: "Continue in this window" }).click();
    await choose(page, "Ana Reyes");

    await expect(page).toHaveURL("/profile");
  });

  test("a pop-up that a policy disconnects from the page still signs in", async ({ page }) => {
    await page.addInitScript(() => {
      const open = window.open.bind(window);
      window.open = (...args) => {
        open(...args);
        return { closed: true, focus() {} } as Window;
      };
      document.hasFocus = () => false;
    });
    await page.goto("/login");
    const popup = await openPopup(page, "Continue with google");
    await expectAccessible(page);
    await expect(page.getByRole("alert")).toHaveCount(0);

    await choose(popup, "Ana Reyes");

    await expect(page).toHaveURL("/profile");
  });

  test("a sign-in with a password clears Google's error", async ({ page, person }) => {
    await page.goto("/login");
    await (await openPopup(page, "Continue with google")).close();
    await expect(page.getByRole("alert")).toHaveText(CLOSED);

    await page.getByLabel("E-mail").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill("not the password");
    await page.getByRole("button", { name: "Login" }).click();

    await expect(page.getByRole("alert")).toHaveText("Invalid password");
  });

  test("a pop-up has links of its own when its page was closed", async ({ page }) => {
    await page.goto("/login");
    const popup = await openPopup(page, "Continue with google");
    await page.close();

    await choose(popup, "Ana Reyes");

    await expect(popup.getByRole("heading", { name: "You're signed in" })).toBeVisible();
    await expectAccessible(popup);
    await popup.getByRole("link", { name: "go to your profile" }).click();
    await expect(popup).toHaveURL("/profile");
  });

  test("the Google emulator's page is accessible and says that it is not Google", async ({
    page,
  }) => {
    await page.goto("/login");
    const popup = await openPopup(page, "Continue with google");

    await expect(popup.getByText("This isn't Google.")).toBeVisible();
    await expectAccessible(popup);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  describeSignIn("/login", openPage);
  describeRoomError(openPage);

  test("signing in from the room returns to the page", async ({ page }) => {
    await page.goto("/read/the-understudy-moon");
    await openRoom(page);
    await page.getByRole("button", { name: "Sign in with Google" }).click();
    await choose(page, "Ana Reyes");

    await expect(page).toHaveURL("/read/the-understudy-moon#room");
    await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
  });
});

/** Returns Google's page. */
type OpenGoogle = (page: Page, button: string) => Promise<Page>;

/** Tests that run with and without JavaScript. */
function describeSignIn(screen: string, open: OpenGoogle) {
  test(`signing in leads to the profile: ${screen}`, async ({ page }) => {
    await page.goto(screen);

    await choose(await open(page, "Continue with google"), "Joon Park");

    await expect(page).toHaveURL("/profile");
    await expect(page.getByText("joon@example.com")).toBeVisible();
    await page.reload();
    await expect(page.getByText("joon@example.com")).toBeVisible();
  });
}

/** Tests that run with and without JavaScript. */
function describeRoomError(open: OpenGoogle) {
  test("in the room an error shows in the panel", async ({ page }) => {
    await page.goto("/home");
    await openRoom(page);

    const google = await open(page, "Sign in with Google");
    await google.getByRole("button", { name: "Cancel" }).click();

    await expect(page.getByLabel("The room").getByRole("alert")).toHaveText(DECLINED);
  });
}

/** Tests with JavaScript. Vitest tests the same pages without it. */
function describeGoogle(open: OpenGoogle) {
  for (const screen of SCREENS) {
    test(`declining at Google is reported: ${screen}`, async ({ page }) => {
      await page.goto(screen);

      const google = await open(page, "Continue with google");
      await google.getByRole("button", { name: "Cancel" }).click();

      await expect(page).toHaveURL(screen);
      await expect(page.getByRole("alert")).toHaveText(DECLINED);
      await expect(page.getByText("You can also use e-mail and password.")).toBeVisible();
    });
  }

  test("an unverified address with a password is explained", async ({ page, person }) => {
    await page.goto("/login");

    const google = await open(page, "Continue with google");
    await google.getByLabel("Name").fill("Robin");
    await google.getByLabel("E-mail").fill(person.email);
    await google.getByLabel("Google has verified this address").uncheck();
    await google.getByRole("button", { name: "Continue" }).click();

    await expect(page.getByRole("alert")).toContainText(
      "(auth/account-exists-with-different-credential).",
    );
    await expect(
      page.getByText("Sign in with your password first, then link Google on your profile."),
    ).toBeVisible();
  });

  test("Google can be linked and unlinked on the profile", async ({ page, person }) => {
    await openAs(page, person, "/profile?tab=security");

    const declined = await open(page, "Link Google");
    await declined.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByRole("alert")).toHaveText(DECLINED);
    await expect(page.getByText("Nothing was changed.")).toBeVisible();

    await choose(await open(page, "Link Google"), "Ana Reyes");
    await expect(page.getByText("Google is linked.")).toBeVisible();
    await expect(page.getByText("You can sign in with Google as ana@example.com")).toBeVisible();

    await page.getByRole("button", { name: "Unlink Google" }).click();
    await expect(page.getByText("Google is unlinked.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Link Google", exact: true })).toBeVisible();
  });
}

async function openPage(page: Page, button: string): Promise<Page> {
  await page.getByRole("button", { name: button }).click();
  return page;
}

async function openPopup(page: Page, button: string): Promise<Page> {
  await expectHydrated(page);
  const opening = page.waitForEvent("popup");
  await page.getByRole("button", { name: button }).click();
  const popup = await opening;
  await popup.getByRole("heading", { name: "Choose an account" }).waitFor();
  return popup;
}

async function choose(google: Page, person: string): Promise<void> {
  await google.getByRole("button", { name: person }).click();
}

/** Acts as a browser that blocks pop-ups. */
async function blockPopups(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.open = () => null;
  });
}

/** Sets a flag on `window` that a reload would remove. */
async function markPage(page: Page): Promise<void> {
  await page.evaluate(() => Object.assign(window, { isMarked: true }));
}

async function expectMarked(page: Page): Promise<void> {
  expect(await page.evaluate(() => "isMarked" in window)).toBe(true);
}
