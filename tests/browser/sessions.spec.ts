import type { Page } from "@playwright/test";

import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { expectHydrated } from "./hydration.ts";
import { openRoom } from "./room.ts";
import { readDatabase } from "#tests/support/database-values.ts";
import { openAs, signIn } from "./sign-in.ts";
import { expectStory, findRichEditor, findStory } from "./story.ts";

test.describe("with JavaScript", () => {
  test.use({ javaScriptEnabled: true });
  describeReturnTo(async (page) => {
    await expectHydrated(page);
    const opened = page.waitForEvent("popup");
    await page.getByRole("button", { name: "Continue with google" }).click();
    return opened;
  });
  describeReturnToWithScripts();

  test("signing out in one tab signs the others out and keeps unsaved text", async ({
    page,
    context,
    person,
  }) => {
    await openAs(page, person, "/profile");
    const home = await context.newPage();
    await home.goto("/home");
    const create = await context.newPage();
    await create.goto("/create");
    await (await findRichEditor(create)).fill("Once upon a time");
    const profile = await context.newPage();
    await profile.goto("/profile");

    await page.getByRole("button", { name: "LogOut" }).click();
    await expect(page).toHaveURL("/home");

    await expect(profile).toHaveURL("/login");
    await expect(home.getByRole("link", { name: "Sign in", exact: true })).toBeVisible();
    await expect(create.getByRole("button", { name: "Sign in with Google" })).toBeVisible();
    await expectStory(create, "Once upon a time");
    await expect(create).toHaveURL(/\/create(\?draft=\w+)?$/);
  });

  test("the profile is accessible with the link to Create", async ({ page, person }) => {
    await openCreate(page);
    await signIn(page, person);
    await expect(page.getByRole("link", { name: "Continue to Create" })).toBeVisible();

    await expectAccessible(page);
  });

  test("the same page continues after signing in from another tab", async ({
    page,
    context,
    person,
  }) => {
    await openAs(page, person, "/create");
    await context.clearCookies({ name: "__session" });
    const message = page.getByPlaceholder("Type a message…");
    await message.fill("Do not lose me");
    await page.getByRole("button", { name: "Send" }).click();
    await expect(page.getByText("Not authenticated")).toBeVisible();

    const other = await context.newPage();
    await signIn(other, person);

    await expect(message).toHaveValue("Do not lose me");
    await page.getByRole("button", { name: "Send" }).click();
    await expect(page.getByRole("log")).toContainText("Do not lose me");
    await expect(page.getByRole("button", { name: "Sign out" })).toBeVisible();
  });

  test("keeps the page and its text when saving without a session", async ({
    page,
    context,
    person,
  }) => {
    await openAs(page, person, "/create");
    await findRichEditor(page);
    const save = page.getByRole("button", { name: "Save draft" });
    await findStory(page).fill("One");
    await save.click();
    await expect(page.getByText("Saved to your account")).toBeVisible();
    await context.clearCookies({ name: "__session" });
    await findStory(page).fill("One, two");
    await save.click();

    await expect(page.getByText("You were signed out. Your text is safe.")).toBeVisible();
    await signIn(await context.newPage(), person);
    await save.click();
    await expect(page.getByText("Saved to your account")).toBeVisible();
    await expectStory(page, "One, two");
  });

  test("each tab works alone without BroadcastChannel", async ({ page, person }) => {
    await page.addInitScript(() => {
      window.BroadcastChannel = class extends BroadcastChannel {
        constructor(name: string) {
          super(name);
          throw new DOMException("The operation is insecure.", "SecurityError");
        }
      };
    });

    await signIn(page, person);
    await page.getByRole("button", { name: "LogOut" }).click();

    await expect(page).toHaveURL("/home");
    await expectHydrated(page);
  });

  test("a page restored from the back/forward cache revalidates", async ({ page, person }) => {
    await signIn(page, person);
    await expect(page.getByText(person.email)).toBeVisible();
    await expectHydrated(page);
    await page.context().clearCookies({ name: "__session" });

    await page.evaluate(() =>
      window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })),
    );

    await expect(page).toHaveURL("/login");
  });

  test("LogOut on the profile ends the browser's Firebase sign-in", async ({
    page,
    person,
    app,
  }) => {
    const readState = () => readDatabase(app, `status/${person.localId}/state`);
    const listens: string[] = [];
    page.on("request", (request) => {
      if (!request.url().includes("/Listen/channel")) return;
      listens.push(decodeURIComponent(`${request.url()} ${request.postData() ?? ""}`));
    });
    await signIn(page, person);
    await page.getByRole("link", { name: "Home" }).click();
    await openRoom(page);
    await expect.poll(readState).toBe("online");
    await expect.poll(() => listens.some((body) => body.includes("Authorization"))).toBe(true);

    // The SDK's persistence is in memory, and set before the sign-in, so nothing is stored.
    const stored = await page.evaluate(async () => [
      ...(await indexedDB.databases()).map(({ name }) => name),
      ...Object.keys(localStorage),
      ...Object.keys(sessionStorage),
    ]);
    expect(stored.filter((name) => /^firebase(LocalStorageDb|:)/.test(name ?? ""))).toEqual([]);

    await page.getByRole("link", { name: "Profile" }).click();
    await page.getByRole("button", { name: "LogOut" }).click();
    await expect(page).toHaveURL("/home");
    await expect.poll(readState).toBe("offline");

    await page.getByRole("button", { name: "Close the room" }).click();
    listens.length = 0;
    await openRoom(page);
    await expect(page.locator("[data-live=live]")).toBeVisible();
    expect(listens.length).toBeGreaterThan(0);
    expect(listens.join("\n")).not.toContain("Authorization");
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  describeReturnTo(async (page) => {
    await page.getByRole("button", { name: "Continue with google" }).click();
    return page;
  });
});

/** Tests that also run in Vitest, without JavaScript. */
function describeReturnToWithScripts() {
  test("after Sign In the profile offers the page that required it, once", async ({
    page,
    person,
  }) => {
    await openCreate(page);
    await page.getByLabel("E-mail").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill("not the password");
    await page.getByRole("button", { name: "Login" }).click();
    await expect(page.getByRole("alert")).toHaveText("Invalid password");
    await page.getByLabel("Password", { exact: true }).fill(person.password);
    await page.getByRole("button", { name: "Login" }).click();

    await expect(page).toHaveURL("/profile");
    const continueLink = page.getByRole("link", { name: "Continue to Create" });
    await expect(continueLink).toBeVisible();
    await page.reload();
    await expect(page.getByText(person.email)).toBeVisible();
    await expect(continueLink).toBeHidden();
  });

  test("the link to Create is offered after Sign Up and leads there", async ({ page }, {
    testId,
  }) => {
    await openCreate(page);
    await page.getByRole("link", { name: "Don't have an account?" }).click();
    await expect(page).toHaveURL("/register");
    await page.getByLabel("E-mail").fill(`${testId}@example.com`);
    await page.getByLabel("Password", { exact: true }).fill("secret1");
    await page.getByLabel("Confirm password").fill("secret1");
    await page.getByRole("button", { name: "Register" }).click();

    await expect(page).toHaveURL("/profile");
    await page.getByRole("link", { name: "Continue to Create" }).click();
    await expect(page).toHaveURL("/create");
  });
}

/** @param openGoogle returns Google's page */
function describeReturnTo(openGoogle: (page: Page) => Promise<Page>) {
  test("the link to Create is offered after Google sign-in", async ({ page }) => {
    await openCreate(page);

    const google = await openGoogle(page);
    await google.getByRole("button", { name: "Joon Park" }).click();

    await expect(page).toHaveURL("/profile");
    await expect(page.getByRole("link", { name: "Continue to Create" })).toBeVisible();
  });

  test("the room's sign-in link leads back to the room", async ({ page, person }) => {
    await followSignInLink(page);

    await page.getByLabel("E-mail").fill(person.email);
    await page.getByLabel("Password", { exact: true }).fill(person.password);
    await page.getByRole("button", { name: "Login" }).click();

    await expect(page).toHaveURL("/home#room");
    await expect(page.getByPlaceholder("Type a message…")).toBeVisible();
    await signOutAndIn(page, person);
  });

  test("the room's sign-in link leads back to the room after Google sign-in", async ({ page }) => {
    await followSignInLink(page);

    const google = await openGoogle(page);
    await google.getByRole("button", { name: "Joon Park" }).click();

    await expect(page).toHaveURL("/home#room");
    await expect(page.getByPlaceholder("Type a message…")).toBeVisible();
  });
}

/** Signs out and in again, and expects that this leads to the profile and not to an earlier page. */
async function signOutAndIn(page: Page, person: { email: string; password: string }) {
  await page.goto("/profile");
  await page.getByRole("button", { name: "LogOut" }).click();
  await expect(page.getByRole("navigation").getByRole("link", { name: "Sign in" })).toBeVisible();
  await signIn(page, person);
}

/** Opens Home and follows the link in its room. */
async function followSignInLink(page: Page) {
  await page.goto("/home");
  await openRoom(page);
  await page.getByRole("link", { name: "sign in", exact: true }).click();
  await expect(page).toHaveURL("/login");
}

/** Follows the link in the header. */
async function openCreate(page: Page) {
  await page.goto("/home");
  await page.getByRole("navigation").getByRole("link", { name: "Create" }).click();
  await expect(page).toHaveURL("/login");
}
