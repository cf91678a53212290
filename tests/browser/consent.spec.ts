import type { BrowserContext, Page } from "@playwright/test";

import { expectAccessible } from "./axe.ts";
import { test } from "./changed-app.ts";
import { expect } from "./fixtures.ts";
import { openAs } from "./sign-in.ts";
import { expectStory, findRichEditor } from "./story.ts";

// In one worker, so that the app starts only once with these options.
test.describe.configure({ mode: "default" });

test.describe("with JavaScript", () => {
  test("contacts analytics hosts only after consent, from the next page load on", async ({
    page,
    context,
    person,
  }) => {
    const requestedHosts = await mockGoogle(context);
    await openAs(page, person, "/create");
    await (await findRichEditor(page)).fill("Once upon a time");
    expect(requestedHosts).toEqual([]);

    await test.step("answering does not discard what the user is typing", async () => {
      await page.getByRole("button", { name: "Allow" }).click();
      await expect(page.getByText("You allow us to count page views")).toBeFocused();
      await expectStory(page, "Once upon a time");
      expect(requestedHosts).toEqual([]);
    });

    await page.goto("/profile");
    await expect.poll(() => requestedHosts).toContain("www.googletagmanager.com");
    await withdraw(page);
  });

  test("asks once, at the end of the page, and contacts no analytics host after the user declines", async ({
    page,
    context,
  }) => {
    const requestedHosts = await mockGoogle(context);
    await page.goto("/read/a-book");
    await expectQuestion(page);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Decline" }).click();
    await expect(page.getByText("We don't count your page views.")).toBeVisible();
    await expect(page.getByText("Can we count page views")).toBeHidden();
    await expect(page).toHaveURL("/read/a-book");

    await page.getByRole("link", { name: "Home", exact: true }).click();
    await expect(page).toHaveURL("/home");
    await expect(page.getByRole("region", { name: "Page view counting" })).toBeHidden();
    await visit(page);
    await expect(page.getByRole("region", { name: "Page view counting" })).toBeHidden();
    expect(requestedHosts).toEqual([]);
  });

  test("respects Global Privacy Control when only scripts can read it", async ({
    page,
    context,
  }) => {
    const requestedHosts = await mockGoogle(context);
    await giveConsent(context);
    await page.addInitScript(() => {
      Object.defineProperty(navigator, "globalPrivacyControl", { value: true });
    });

    await visit(page);

    expect(requestedHosts).toEqual([]);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("asks once, at the end of the page, and the profile withdraws consent", async ({
    page,
    context,
    person,
  }) => {
    await mockGoogle(context);
    await page.goto("/read/a-book");
    await expectQuestion(page);

    await page.getByRole("button", { name: "Decline" }).click();
    await expect(page.getByText("Can we count page views")).toBeHidden();
    await expect(page).toHaveURL("/read/a-book");

    await page.goto("/home");
    await expect(page.getByRole("region", { name: "Page view counting" })).toBeHidden();

    await giveConsent(context);
    await openAs(page, person, "/profile");
    await withdraw(page);
  });
});

async function expectQuestion(page: Page) {
  await expect(page.getByText("Can we count page views")).toBeVisible();
  await expect(page.locator("main > :last-child")).toContainText("Can we count page views");
}

async function withdraw(page: Page) {
  await page.getByRole("button", { name: "Stop counting" }).click();
  await expect(page.getByText("We don't count your page views.")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("button", { name: "Allow counting" })).toBeVisible();
}

/** Opens a page and waits until the network is idle. */
async function visit(page: Page) {
  await page.goto("/home");
  await page.waitForLoadState("networkidle");
}

async function giveConsent(context: BrowserContext) {
  await context.addCookies([{ name: "analytics", value: "yes", domain: "127.0.0.1", path: "/" }]);
}

/** Mocks every host but the app's, and returns the hosts that were requested. */
async function mockGoogle(context: BrowserContext) {
  const requestedHosts: string[] = [];
  await context.route(
    ({ hostname }) => hostname !== "127.0.0.1",
    async (route) => {
      const { hostname } = new URL(route.request().url());
      requestedHosts.push(hostname);
      const isScript = route.request().resourceType() === "script";
      await route.fulfill(
        isScript
          ? { contentType: "text/javascript", body: "" }
          : { json: getMockResponse(hostname) },
      );
    },
  );
  return requestedHosts;
}

function getMockResponse(hostname: string): object {
  if (hostname === "firebase.googleapis.com") {
    return { measurementId: "G-TEST", appId: "1:2:web:3" };
  }
  const authToken = { token: "token", expiresIn: "604800s" };
  return { fid: "cAAAAAAAAAAAAAAAAAAAAA", refreshToken: "refresh", authToken };
}
