import { expectHydrated, openHydrated } from "./hydration.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test as base } from "./fixtures.ts";
import { openAs } from "./sign-in.ts";
import { expectStory, findRichEditor } from "./story.ts";
import { createRootWithSwitch, toggleMaintenance } from "./maintenance-switch.ts";

const ADDRESSES = ["/", "/home", "/login", "/register", "/profile", "/create", "/read/a-book"];
const TARGETS = ["/logout", "/theme", "/consent", "/firebase-token", "/no/such/page"];

const CLOSED = "Inkglade is closed for maintenance. Nothing was lost; try again in a few minutes.";

const test = base.extend<{ beginMaintenance: () => Promise<void> }>({
  appRoot: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads from the pattern that nothing is needed
    async ({}, use) => {
      await using root = await createRootWithSwitch();
      await use(root.folder);
    },
    { scope: "worker" },
  ],

  beginMaintenance: async ({ app, allowError }, use) => {
    let isOn = false;
    await use(async () => {
      isOn = true;
      allowError(/status of 503/);
      await toggleMaintenance(app.url);
    });
    if (isOn) await toggleMaintenance(app.url);
  },
});

// In one worker, so that the app is started once with these options.
test.describe.configure({ mode: "default" });

test.describe("with JavaScript", () => {
  test.use({ javaScriptEnabled: true });
  describeMaintenance();

  test("the screen is accessible", async ({ page, beginMaintenance }) => {
    await beginMaintenance();
    await page.goto("/home");

    // The screen refreshes itself on purpose, which axe advises against.
    await page.locator("meta[http-equiv=refresh]").evaluate((meta) => meta.remove());
    await expectAccessible(page);
  });

  test("whoever follows a link gets the screen, at the address of the link", async ({
    page,
    beginMaintenance,
  }) => {
    await page.goto("/home");
    await beginMaintenance();

    await page.getByRole("link", { name: "Sign in" }).click();

    await expect(page.getByText("We'll be online soon!")).toBeVisible();
    await expect(page).toHaveURL("/login");
  });

  test("a message that was being written comes back to its box", async ({
    page,
    person,
    beginMaintenance,
  }) => {
    await openAs(page, person, "/create");
    await expectHydrated(page);
    await (await findRichEditor(page)).fill("Once upon a time");
    await beginMaintenance();

    await page.getByPlaceholder("Type a message…").fill("Do not lose me");
    await page.getByRole("button", { name: "Send" }).click();

    await expect(page.getByText("Not sent.", { exact: true })).toBeVisible();
    await expect(page.getByText(CLOSED)).toBeVisible();
    await expect(page.getByPlaceholder("Type a message…")).toHaveValue("Do not lose me");
    await expectStory(page, "Once upon a time");
  });

  test("an attempt to sign in keeps what was typed", async ({ page, beginMaintenance }) => {
    await openHydrated(page, "/login");
    await beginMaintenance();
    await page.getByLabel("E-mail").fill("ana@example.com");

    await page.getByRole("button", { name: "Login" }).click();

    await expect(page.getByRole("alert")).toBeVisible();
    await expect(page.getByText(CLOSED)).toBeVisible();
    await expect(page.getByLabel("E-mail")).toHaveValue("ana@example.com");
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  describeMaintenance();

  test("a form that is sent gets the screen, and the way back what was typed", async ({
    page,
    beginMaintenance,
  }) => {
    await page.goto("/register");
    await beginMaintenance();
    await page.getByLabel("E-mail").fill("ana@example.com");
    await page.getByRole("button", { name: "Register" }).click();
    await expect(page.getByText("We'll be online soon!")).toBeVisible();

    await page.goBack();

    await expect(page.getByLabel("E-mail")).toHaveValue("ana@example.com");
  });
});

test("every address, whatever is asked or sent, answers 503", async ({ app, beginMaintenance }) => {
  await beginMaintenance();
  for (const path of [...ADDRESSES, ...TARGETS]) {
    const data = path === "/" ? "/_root.data" : `${path}.data`;
    for (const method of ["GET", "HEAD", "POST"]) {
      for (const target of [path, `${path}?x=1`, data]) {
        const headers = { Origin: app.url, Accept: "text/html" };
        const response = await fetch(app.url + target, { method, headers, redirect: "manual" });
        expect(response.status, `${method} ${target}`).toBe(503);
        expect(response.headers.get("Retry-After")).toBe("600");
        expect(response.headers.get("Cache-Control")).toBe("no-store");
      }
    }
  }
});

/** What the screen promises with and without JavaScript. */
function describeMaintenance() {
  test("every page is the screen and nothing else", async ({ page, beginMaintenance }) => {
    await beginMaintenance();
    for (const path of ADDRESSES) {
      await page.goto(path);

      await expect(page).toHaveTitle("Inkglade");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Inkglade");
      await expect(page.getByText("We'll be online soon!")).toBeVisible();
      await expect(page.getByRole("status")).toHaveText("Loading");
      await expect(page.locator("a, button, header, script")).toHaveCount(0);
      await expect(page.getByRole("main")).toHaveCSS("background-image", /^radial-gradient/);
      await expect(page.locator("meta[http-equiv=refresh]")).toHaveAttribute("content", "60");
    }
  });

  test("the screen fills the window, and its loader turns", async ({ page, beginMaintenance }) => {
    await beginMaintenance();
    await page.goto("/home");
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };

    expect(await page.getByRole("main").boundingBox()).toEqual({ x: 0, y: 0, width, height });
    await expect(page.getByRole("status")).toHaveCSS("animation-duration", "1s");
    await expect(page.getByRole("status")).toHaveCSS("animation-timing-function", "linear");

    await page.emulateMedia({ reducedMotion: "reduce" });
    await expect(page.getByRole("status")).toHaveCSS("animation-duration", "3s");
  });
}
