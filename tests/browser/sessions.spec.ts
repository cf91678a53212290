import type { Page } from "@playwright/test";

import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { expectHydrated, openHydrated } from "./hydration.ts";
import { readDatabase } from "./read-database.ts";
import { openAs, signIn } from "./sign-in.ts";
import { expectStory, findRichEditor, findStory } from "./story.ts";

test.describe("with JavaScript", () => {
  test.use({ javaScriptEnabled: true });
  describeWayOn(async (page) => {
    await expectHydrated(page);
    const opened = page.waitForEvent("popup");
    await page.getByRole("button", { name: "Continue with google" }).click();
    return opened;
  });

  test("whoever signs out in one tab is signed out in the others, and keeps what they wrote", async ({
    page,
    context,
    person,
  }) => {
    await openAs(page, person, "/profile");
    await expectHydrated(page);
    const home = await context.newPage();
    await openHydrated(home, "/home");
    const create = await context.newPage();
    await openHydrated(create, "/create");
    await (await findRichEditor(create)).fill("Once upon a time");
    const profile = await context.newPage();
    await openHydrated(profile, "/profile");

    await page.getByRole("button", { name: "LogOut" }).click();
    await expect(page).toHaveURL("/home");

    await expect(profile).toHaveURL("/login");
    await expect(home.getByRole("link", { name: "Sign in", exact: true })).toBeVisible();
    await expect(create.getByRole("button", { name: "Sign in with Google" })).toBeVisible();
    await expectStory(create, "Once upon a time");
    await expect(create).toHaveURL(/\/create(\?draft=\w+)?$/);
  });

  test("the profile is accessible with the way on", async ({ page, person }) => {
    await openCreate(page);
    await signIn(page, person);
    await expect(page.getByRole("link", { name: "Continue to Create" })).toBeVisible();

    await expectAccessible(page);
  });

  test("whoever signs in again in another tab goes on where they were", async ({
    page,
    context,
    person,
  }) => {
    await openAs(page, person, "/create");
    await expectHydrated(page);
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

  test("whoever was signed out meanwhile stays with their words when they save", async ({
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

    await expect(page.getByText("You were signed out. Your text is still here")).toBeVisible();
    await signIn(await context.newPage(), person);
    await save.click();
    await expect(page.getByText("Saved to your account")).toBeVisible();
    await expectStory(page, "One, two");
  });

  test("where tabs may not talk to each other, each goes its own way", async ({ page, person }) => {
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

  test("a page that comes back as it was left is asked for anew", async ({ page, person }) => {
    await signIn(page, person);
    await expect(page.getByText(person.email)).toBeVisible();
    await expectHydrated(page);
    await page.context().clearCookies({ name: "__session" });

    await page.evaluate(() =>
      window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })),
    );

    await expect(page).toHaveURL("/login");
  });

  test("LogOut on the profile ends the browser's own sign-in to Firebase", async ({
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
    await page.getByText("The room", { exact: true }).click();
    await expect.poll(readState).toBe("online");
    await expect.poll(() => listens.some((body) => body.includes("Authorization"))).toBe(true);

    // It lives in memory: the mode is set before the sign-in, and nothing of it is stored.
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

    listens.length = 0;
    await page.getByText("The room", { exact: true }).click();
    await expect(page.locator("[data-live=live]")).toBeVisible();
    expect(listens.length).toBeGreaterThan(0);
    expect(listens.join("\n")).not.toContain("Authorization");
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  describeWayOn(async (page) => {
    await page.getByRole("button", { name: "Continue with google" }).click();
    return page;
  });
});

/** @param openGoogle returns the page on which Google asks who it is */
function describeWayOn(openGoogle: (page: Page) => Promise<Page>) {
  test("the way on is offered after Google as well", async ({ page }) => {
    await openCreate(page);

    const google = await openGoogle(page);
    await google.getByRole("button", { name: "Joon Park" }).click();

    await expect(page).toHaveURL("/profile");
    await expect(page.getByRole("link", { name: "Continue to Create" })).toBeVisible();
  });

  test("a browser in which nobody wanted anything is offered nothing", async ({ page, person }) => {
    await signIn(page, person);

    await expect(page.getByText(person.email)).toBeVisible();
    await expect(page.getByText("Continue to")).toHaveCount(0);
  });

  test("after Sign In the profile offers to go on to where somebody wanted to go, once", async ({
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
    const wayOn = page.getByRole("link", { name: "Continue to Create" });
    await expect(wayOn).toBeVisible();
    await page.reload();
    await expect(page.getByText(person.email)).toBeVisible();
    await expect(wayOn).toBeHidden();
  });

  test("the way on is offered after Sign Up as well, and leads there", async ({ page }, {
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

/** As a visitor follows the bar's link. */
async function openCreate(page: Page) {
  await page.goto("/home");
  await page.getByRole("navigation").getByRole("link", { name: "Create" }).click();
  await expect(page).toHaveURL("/login");
}
