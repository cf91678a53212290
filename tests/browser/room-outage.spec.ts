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

/** Signs in while the messages of the room can't be loaded. */
async function signInDuringOutage(page: Page, app: TestApp, person: TestAccount) {
  await fillRoom(app.firebase, person, 1);
  network.break(FIRESTORE);
  await openAs(page, person, "/favicon.svg");
  // The server shows the messages that it has just loaded for another test.
  await expect
    .poll(async () => (await page.request.get("/home")).text())
    .toContain("reach the room right now. Nothing was lost;");
}

test.describe("with JavaScript", () => {
  test("opens the room once it can be loaded, and its messages when the user tries again", async ({
    page,
    context,
    app,
    person,
  }) => {
    await signInDuringOutage(page, app, person);
    await page.goto("/profile");
    await context.route("**/rooms/general", (route) => route.abort());
    await page.getByRole("link", { name: /^Room/ }).first().click();
    await expect(page.getByText("We can't open the room right now.")).toBeVisible();

    await context.unroute("**/rooms/general");
    await page.getByRole("button", { name: "Try again" }).press("Enter");
    await expect(page.getByRole("log")).toBeVisible();
    await expect(page.getByRole("dialog", { name: "The room" })).toBeFocused();

    // On the home page, the page's loader loads the messages.
    await page.getByRole("link", { name: "Home" }).click();
    await expect(page).toHaveURL("/home");
    const retry = page.getByRole("log").getByRole("button", { name: "Try again" });
    await retry.press("Enter");
    await expect(retry).not.toHaveAttribute("aria-busy");
    await expect(page.getByText(NO_ROOM)).toBeVisible();

    network.repair();
    await retry.press("Enter");
    await expect(page.locator("article")).toHaveText(/Message 1/);
    await expect(page.getByRole("log")).toBeFocused();
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the link to try again loads the page with the room, as often as it is followed", async ({
    page,
    app,
    person,
  }) => {
    await signInDuringOutage(page, app, person);
    await page.goto("/create");
    await expect(page.getByText(NO_ROOM)).toBeVisible();
    await expect(page.getByRole("log").getByRole("link")).toHaveCount(0);

    await page.goto("/home#room");
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
});
