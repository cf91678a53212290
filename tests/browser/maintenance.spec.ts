import type { Page } from "@playwright/test";

import { expectAccessible } from "./axe.ts";
import { test as base } from "./changed-app.ts";
import { expect } from "./fixtures.ts";
import { toggleMaintenance } from "./maintenance-switch.ts";
import { signInSender } from "./room.ts";
import { openAs } from "./sign-in.ts";
import { expectStory, findRichEditor } from "./story.ts";

const OFFLINE_MESSAGE =
  "Inkglade is down for maintenance. Nothing was lost; try again in a few minutes.";

interface Maintenance {
  start: () => Promise<void>;
  end: () => Promise<void>;
}

const test = base.extend<{ maintenance: Maintenance }>({
  maintenance: async ({ app, allowError }, use) => {
    let isOn = false;
    const toggle = async () => {
      isOn = !isOn;
      await toggleMaintenance(app.url);
    };
    await use({
      async start() {
        allowError(/status of 503/);
        await toggle();
      },
      end: toggle,
    });
    if (isOn) await toggle();
  },
});

// In one worker, so that the app starts only once with these options.
test.describe.configure({ mode: "default" });

test.describe("with JavaScript", () => {
  test("a failed sign-in keeps what was typed, and a link leads to the maintenance page at its URL", async ({
    page,
    app,
    maintenance,
  }) => {
    await page.goto("/login");
    await maintenance.start();
    await page.getByLabel("E-mail").fill("ana@example.com");
    await page.getByRole("button", { name: "Login" }).click();
    await expect(page.getByRole("alert")).toBeVisible();
    await expect(page.getByText(OFFLINE_MESSAGE)).toBeVisible();
    await expect(page.getByLabel("E-mail")).toHaveValue("ana@example.com");

    for (const method of ["GET", "HEAD", "POST"]) {
      const response = await page.request.fetch("/home", { method, headers: { Origin: app.url } });
      expect(response.status(), method).toBe(503);
      expect(response.headers()).toMatchObject({
        "retry-after": "600",
        "cache-control": "no-store",
      });
    }
    await page.getByRole("link", { name: "Home", exact: true }).click();
    await expectMaintenancePage(page);
    await expect(page).toHaveURL("/home");
    // axe reports the page's automatic reload, which is intended.
    await page.locator("meta[http-equiv=refresh]").evaluate((meta) => meta.remove());
    await expectAccessible(page);
  });

  test("an unsent message waits and is sent after the maintenance", async ({
    page,
    person,
    addPerson,
    app,
    maintenance,
  }) => {
    await using sender = await signInSender(app, await addPerson());
    await openAs(page, person, "/create");
    await (await findRichEditor(page)).fill("Once upon a time");
    await maintenance.start();

    await page.getByPlaceholder("Type a message…").fill("Do not lose me");
    await page.getByRole("button", { name: "Send" }).click();

    await expect(page.locator("article")).toHaveText(/Waiting for connection.*Do not lose me/);
    await expect(page.getByText("Inkglade is down for maintenance.")).toBeVisible();
    await expectStory(page, "Once upon a time");

    await maintenance.end();
    // Shows the page that the app responds again.
    await sender.send("We're back.");
    await expect(page.locator("article")).toHaveText([/We're back\./, /Do not lose me/]);
    await expect(page.locator("article time")).toHaveCount(2);
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("submitting a form shows the maintenance page, and Back keeps what was typed", async ({
    page,
    maintenance,
  }) => {
    await page.goto("/register");
    await maintenance.start();
    await page.getByLabel("E-mail").fill("ana@example.com");
    await page.getByRole("button", { name: "Register" }).click();
    await expectMaintenancePage(page);

    await page.goBack();
    await expect(page.getByLabel("E-mail")).toHaveValue("ana@example.com");
  });
});

/** Expects only the maintenance page, which fills the window, with a spinner that turns. */
async function expectMaintenancePage(page: Page) {
  await expect(page.getByText("We'll be online soon!")).toBeVisible();
  await expect(page).toHaveTitle("Inkglade");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Inkglade");
  await expect(page.locator("a, button, header, script")).toHaveCount(0);
  await expect(page.locator("meta[http-equiv=refresh]")).toHaveAttribute("content", "60");

  const main = page.getByRole("main");
  await expect(main).toHaveCSS("background-image", /^radial-gradient/);
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  expect(await main.boundingBox()).toEqual({ x: 0, y: 0, width, height });

  const spinner = page.getByRole("status");
  await expect(spinner).toHaveText("Loading");
  await expect(spinner).toHaveCSS("animation-duration", "1s");
  await expect(spinner).toHaveCSS("animation-timing-function", "linear");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await expect(spinner).toHaveCSS("animation-duration", "3s");
}
