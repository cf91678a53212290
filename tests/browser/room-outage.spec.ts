import type { Page } from "@playwright/test";

import { fillRoom } from "#tests/support/fill-room.ts";
import type { TestAccount } from "#tests/support/firebase.ts";
import { network, test, type Hop } from "./faulty-app.ts";
import { expect, type TestApp } from "./fixtures.ts";
import { openAs } from "./sign-in.ts";

const NO_ROOM = "We can't reach the room right now. Nothing was lost; try again in a moment.";

const FIRESTORE: Hop = {
  name: "Firestore",
  matches: ({ url }) => url.includes("/v1/") || url.includes("/Listen/channel"),
  faults: [],
  rest: "error",
};

test.beforeEach(({ allowError }) => {
  allowError(
    /blocked by CORS policy|status of 50\d|net::ERR_|WebChannelConnection|Could not reach/,
  );
  allowError(/^server: /);
});

test.afterEach(() => network.repair());

/** Opens the room while its messages can't be loaded. */
async function openInOutage(page: Page, app: TestApp, person: TestAccount, path: string) {
  await fillRoom(app.firebase, person, 1);
  network.break(FIRESTORE);
  await openAs(page, person, path);
  // The server shows the messages that it has just loaded for another test.
  await expect(async () => {
    await page.reload();
    await expect(page.getByText(NO_ROOM)).toBeVisible({ timeout: 1000 });
  }).toPass();
}

test.describe("with JavaScript", () => {
  test.use({ javaScriptEnabled: true });

  test("loads the room again at once, without losing the focus", async ({ page, app, person }) => {
    await openInOutage(page, app, person, "/home#room");
    const retry = page.getByRole("log").getByRole("button", { name: "Try again" });
    await retry.press("Enter");
    await expect(retry).not.toHaveAttribute("aria-busy");
    await expect(page.getByText(NO_ROOM)).toBeVisible();

    network.repair();
    await retry.press("Enter");

    await expect(page.locator("article")).toHaveText(/Message 1/);
    await expect(page.getByRole("log")).toBeFocused();
  });

  test("opens the room once it can be loaded, without losing the focus", async ({
    page,
    context,
    person,
  }) => {
    await openAs(page, person, "/profile");
    await context.route("**/rooms/general", (route) => route.abort());
    await page.getByRole("link", { name: /^Room/ }).first().click();
    await expect(page.getByText("We can't open the room right now.")).toBeVisible();

    await context.unroute("**/rooms/general");
    await page.getByRole("button", { name: "Try again" }).press("Enter");

    await expect(page.getByRole("log")).toBeVisible();
    await expect(page.getByRole("dialog", { name: "The room" })).toBeFocused();
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the link to try again loads the page with the room, as often as it is followed", async ({
    page,
    app,
    person,
  }) => {
    await openInOutage(page, app, person, "/home#room");
    const retry = page.getByRole("log").getByRole("link", { name: "Try again" });
    await retry.click();
    await expect(page).toHaveURL("/home?retry=1#room");
    await expect(page.getByText(NO_ROOM)).toBeInViewport();

    network.repair();
    await retry.click();

    await expect(page).toHaveURL("/home#room");
    await expect(page.locator("article")).toHaveText(/Message 1/);
    await expect(page.locator("article")).toBeInViewport();
  });

  test("offers no link beside the editor, because following it would lose the text", async ({
    page,
    app,
    person,
  }) => {
    await openInOutage(page, app, person, "/create");
    await expect(page.getByRole("log").getByRole("link")).toHaveCount(0);
  });
});
