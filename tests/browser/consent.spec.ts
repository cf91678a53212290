import type { BrowserContext, Page } from "@playwright/test";

import { expectHydrated, openHydrated } from "./hydration.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { openAs } from "./sign-in.ts";
import { expectStory, findRichEditor } from "./story.ts";

// In one worker, so that the app is started once with these options.
test.describe.configure({ mode: "default" });

test.use({ appVariables: { FIREBASE_APP_ID: "1:2:web:3", FIREBASE_MEASUREMENT_ID: "G-TEST" } });

test.describe("with JavaScript", () => {
  test.use({ javaScriptEnabled: true });
  describeConsent();

  test("nothing is asked of an analytics host before a yes, and from the next page on after it", async ({
    page,
    context,
  }) => {
    const asked = await mockGoogle(context);
    await visit(page);
    expect(asked).toEqual([]);

    await page.getByRole("button", { name: "Allow" }).click();
    await expect(page.getByText("You allow us to count page views")).toBeFocused();
    expect(asked).toEqual([]);

    await page.goto("/home");
    await expect.poll(() => asked).toContain("www.googletagmanager.com");
  });

  test("what is being typed survives the answer", async ({ page, person }) => {
    await openAs(page, person, "/create");
    await expectHydrated(page);
    await (await findRichEditor(page)).fill("Once upon a time");

    await page.getByRole("button", { name: "Decline" }).click();

    await expect(page.getByText("We don't count your page views.")).toBeVisible();
    await expectStory(page, "Once upon a time");
  });

  test("after a no, no analytics host is asked", async ({ page, context }) => {
    const asked = await mockGoogle(context);
    await openHydrated(page, "/home");
    await page.getByRole("button", { name: "Decline" }).click();
    await expect(page.getByText("We don't count your page views.")).toBeVisible();

    await visit(page);

    expect(asked).toEqual([]);
  });

  test("Global Privacy Control that only scripts see is heard", async ({ page, context }) => {
    const asked = await mockGoogle(context);
    await agree(context);
    await page.addInitScript(() => {
      Object.defineProperty(navigator, "globalPrivacyControl", { value: true });
    });

    await visit(page);

    expect(asked).toEqual([]);
  });

  test("the question is accessible", async ({ page }) => {
    await page.goto("/read/a-book");

    await expectAccessible(page);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  describeConsent();
});

test.describe("with Global Privacy Control", () => {
  test.use({ extraHTTPHeaders: { "Sec-GPC": "1" } });

  test("nobody is asked, and no analytics host is", async ({ page, context }) => {
    const asked = await mockGoogle(context);
    await agree(context);

    await visit(page);

    await expect(page.getByRole("button", { name: "Allow" })).toBeHidden();
    expect(asked).toEqual([]);
  });
});

/** What consent promises with and without JavaScript. */
function describeConsent() {
  test("the question stands at the end of the page, once", async ({ page, context }) => {
    await mockGoogle(context);
    await page.goto("/read/a-book");
    const question = page.getByText("Can we count page views");
    await expect(question).toBeVisible();
    await expect(page.locator("main > :last-child")).toContainText("Can we count page views");

    await page.getByRole("button", { name: "Decline" }).click();
    await expect(question).toBeHidden();
    await expect(page).toHaveURL("/read/a-book");

    await page.goto("/home");
    await expect(page.getByRole("region", { name: "Page view counting" })).toBeHidden();
  });

  test("a yes can be taken back on the profile", async ({ page, context, person }) => {
    await mockGoogle(context);
    await agree(context);
    await openAs(page, person, "/profile");

    await page.getByRole("button", { name: "Stop counting" }).click();

    await expect(page.getByText("We don't count your page views.")).toBeVisible();
    await page.reload();
    await expect(page.getByRole("button", { name: "Allow counting" })).toBeVisible();
  });
}

/** Opens a page and waits until its scripts have nothing more to ask. */
async function visit(page: Page) {
  await openHydrated(page, "/home");
  await page.waitForLoadState("networkidle");
}

async function agree(context: BrowserContext) {
  await context.addCookies([{ name: "analytics", value: "yes", domain: "127.0.0.1", path: "/" }]);
}

/** Answers in place of every host but the app's, and returns the names of those that were asked. */
async function mockGoogle(context: BrowserContext) {
  const asked: string[] = [];
  await context.route(
    ({ hostname }) => hostname !== "127.0.0.1",
    async (route) => {
      const { hostname } = new URL(route.request().url());
      asked.push(hostname);
      const isScript = route.request().resourceType() === "script";
      await route.fulfill(
        isScript
          ? { contentType: "text/javascript", body: "" }
          : { json: getMockResponse(hostname) },
      );
    },
  );
  return asked;
}

function getMockResponse(hostname: string): object {
  if (hostname === "firebase.googleapis.com") {
    return { measurementId: "G-TEST", appId: "1:2:web:3" };
  }
  const authToken = { token: "token", expiresIn: "604800s" };
  return { fid: "cAAAAAAAAAAAAAAAAAAAAA", refreshToken: "refresh", authToken };
}
