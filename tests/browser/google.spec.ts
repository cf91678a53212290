import type { Page } from "@playwright/test";

import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { expectHydrated } from "./hydration.ts";
import { openRoom } from "./room.ts";
import { openAs, submitSignIn } from "./sign-in.ts";
import { expectStory, findRichEditor } from "./story.ts";

const CLOSED =
  "Firebase: The popup has been closed by the user before finalizing the operation. (auth/popup-closed-by-user).";
const BLOCKED =
  "Firebase: Unable to establish a connection with the popup. It may have been blocked by the browser. (auth/popup-blocked).";
const DECLINED =
  "Firebase: The user did not grant your application the permissions it requested. (auth/user-cancelled).";

// With scripts, Google opens in a pop-up.
test.describe("with JavaScript", () => {
  test("Sign In and Sign Up report a closed or declined Google sign-in, and offer another try", async ({
    page,
  }) => {
    const alert = page.getByRole("alert");
    // Create needs a user, so the profile will offer it.
    await page.request.get("/create", { maxRedirects: 0 });
    await page.goto("/login");
    await markPage(page);

    for (const screen of ["/login", "/register"]) {
      await test.step(screen, async () => {
        if (screen === "/register") {
          await page.getByRole("link", { name: "Don't have an account?" }).click();
          await expect(page.getByRole("heading", { name: "Sign Up" })).toBeVisible();
        }
        const closed = await openPopup(page, "Continue with google");
        await expect(page.getByText("Continue in the Google window.")).toBeVisible();
        await closed.close();
        await expect(alert).toHaveText(CLOSED);
        await expect(page.getByText("You can also use e-mail and password.")).toBeVisible();
        await expectAccessible(page);

        const declined = await openPopup(page, "Continue with google");
        await expect(alert).toHaveCount(0);
        await declined.getByRole("button", { name: "Cancel" }).click();
        await expect(page).toHaveURL(screen);
        await expect(alert).toHaveText(DECLINED);
        await expect(page.getByText("You can also use e-mail and password.")).toBeVisible();
      });
    }

    const popup = await openPopup(page, "Continue with google");
    await expect(alert).toHaveCount(0);
    await choose(popup, "Joon Park");
    await expect(page).toHaveURL("/profile");
    await expect(page.getByText("joon@example.com")).toBeVisible();
    await expect(page.getByRole("link", { name: "Continue to Create" })).toBeVisible();
    await expect(page.getByRole("navigation").getByText("Sign in")).toHaveCount(0);
    await expectMarked(page);
    await expect.poll(() => popup.isClosed()).toBe(true);
    await page.reload();
    await expect(page.getByText("joon@example.com")).toBeVisible();
  });

  test("signing in with Google in the room changes only the panel, and keeps unsaved text", async ({
    page,
    person,
  }) => {
    await openAs(page, person, "/create");
    await (await findRichEditor(page)).fill("Once upon a time");
    await page.getByRole("button", { name: "Sign out" }).click();
    await markPage(page);

    const declined = await openPopup(page, "Sign in with Google");
    await declined.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByLabel("The room").getByRole("alert")).toHaveText(DECLINED);

    await choose(await openPopup(page, "Sign in with Google"), "Ana Reyes");
    const room = page.getByRole("region", { name: "The room" });
    await expect(room.getByRole("button", { name: "Sign out" })).toBeVisible();
    await expect(room.getByText("Ana Reyes", { exact: true })).toBeVisible();
    await expectStory(page, "Once upon a time");
    await expectMarked(page);
  });

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

  test("an unverified address needs the password first; then Google can be linked and unlinked", async ({
    page,
    person,
  }) => {
    await page.goto("/login");

    const google = await openPopup(page, "Continue with google");
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

    await submitSignIn(page, { ...person, password: "not the password" });
    await expect(page.getByRole("alert")).toHaveText("Invalid password");
    await submitSignIn(page, person);
    await expect(page).toHaveURL("/profile");

    await page.getByRole("link", { name: "Security" }).click();
    const declined = await openPopup(page, "Link Google");
    await declined.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByRole("alert")).toHaveText(DECLINED);
    await expect(page.getByText("Nothing was changed.")).toBeVisible();

    await choose(await openPopup(page, "Link Google"), "Ana Reyes");
    await expect(page.getByText("Google is linked.")).toBeVisible();
    await expect(page.getByText("You can sign in with Google as ana@example.com")).toBeVisible();

    await page.getByRole("button", { name: "Unlink Google" }).click();
    await expect(page.getByText("Google is unlinked.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Link Google", exact: true })).toBeVisible();
  });

  test("a Google sign-in whose page was closed ends with a link to the profile", async ({
    page,
  }) => {
    await page.goto("/login");
    const popup = await openPopup(page, "Continue with google");
    await page.close();
    await expect(popup.getByText("This isn't Google.")).toBeVisible();
    await expectAccessible(popup);

    await choose(popup, "Ana Reyes");

    await expect(popup.getByRole("heading", { name: "You're signed in" })).toBeVisible();
    await expectAccessible(popup);
    await popup.getByRole("link", { name: "go to your profile" }).click();
    await expect(popup).toHaveURL("/profile");
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("signing in on Sign In leads to the profile, which offers the page that required it", async ({
    page,
  }) => {
    await page.goto("/home");
    await page.getByRole("navigation").getByRole("link", { name: "Create" }).click();
    await expect(page).toHaveURL("/login");
    await page.getByRole("button", { name: "Continue with google" }).click();
    await choose(page, "Joon Park");

    await expect(page).toHaveURL("/profile");
    await expect(page.getByText("joon@example.com")).toBeVisible();
    await expect(page.getByRole("link", { name: "Continue to Create" })).toBeVisible();
    await page.reload();
    await expect(page.getByText("joon@example.com")).toBeVisible();
  });

  test("in the room an error shows in the panel, and signing in returns to the page", async ({
    page,
  }) => {
    await page.goto("/read/the-understudy-moon");
    await openRoom(page);
    await page.getByRole("button", { name: "Sign in with Google" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await expect(page.getByLabel("The room").getByRole("alert")).toHaveText(DECLINED);

    await page.getByRole("button", { name: "Sign in with Google" }).click();
    await choose(page, "Ana Reyes");
    await expect(page).toHaveURL("/read/the-understudy-moon#room");
    await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
  });
});

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
