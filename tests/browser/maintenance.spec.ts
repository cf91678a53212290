import { expectAccessible } from "./axe.ts";
import { test as base } from "./changed-app.ts";
import { expect } from "./fixtures.ts";
import { toggleMaintenance } from "./maintenance-switch.ts";
import { openAs } from "./sign-in.ts";
import { expectStory, findRichEditor } from "./story.ts";

const PAGES = ["/", "/home", "/login", "/register", "/profile", "/create", "/read/a-book"];
const FORM_TARGETS = ["/logout", "/theme", "/consent", "/firebase-token", "/no/such/page"];

const OFFLINE_MESSAGE =
  "Inkglade is down for maintenance. Nothing was lost; try again in a few minutes.";

const test = base.extend<{ startMaintenance: () => Promise<void> }>({
  startMaintenance: async ({ app, allowError }, use) => {
    let isOn = false;
    await use(async () => {
      isOn = true;
      allowError(/status of 503/);
      await toggleMaintenance(app.url);
    });
    if (isOn) await toggleMaintenance(app.url);
  },
});

// In one worker, so that the app starts only once with these options.
test.describe.configure({ mode: "default" });

test.describe("with JavaScript", () => {
  test.use({ javaScriptEnabled: true });
  describeMaintenance();

  test("the page is accessible", async ({ page, startMaintenance }) => {
    await startMaintenance();
    await page.goto("/home");

    // axe reports the page's automatic reload, which is intended.
    await page.locator("meta[http-equiv=refresh]").evaluate((meta) => meta.remove());
    await expectAccessible(page);
  });

  test("following a link shows the maintenance page at the link's URL", async ({
    page,
    startMaintenance,
  }) => {
    await page.goto("/home");
    await startMaintenance();

    await page.getByRole("link", { name: "Sign in" }).click();

    await expect(page.getByText("We'll be online soon!")).toBeVisible();
    await expect(page).toHaveURL("/login");
  });

  test("an unsent message waits and is sent after the maintenance", async ({
    page,
    person,
    startMaintenance,
  }) => {
    await openAs(page, person, "/create");
    await (await findRichEditor(page)).fill("Once upon a time");
    await startMaintenance();

    await page.getByPlaceholder("Type a message…").fill("Do not lose me");
    await page.getByRole("button", { name: "Send" }).click();

    await expect(page.locator("article")).toHaveText(/Waiting for connection.*Do not lose me/);
    await expect(page.getByText("Inkglade is down for maintenance.")).toBeVisible();
    await expectStory(page, "Once upon a time");
  });

  test("a failed sign-in keeps what was typed", async ({ page, startMaintenance }) => {
    await page.goto("/login");
    await startMaintenance();
    await page.getByLabel("E-mail").fill("ana@example.com");

    await page.getByRole("button", { name: "Login" }).click();

    await expect(page.getByRole("alert")).toBeVisible();
    await expect(page.getByText(OFFLINE_MESSAGE)).toBeVisible();
    await expect(page.getByLabel("E-mail")).toHaveValue("ana@example.com");
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });
  describeMaintenance();

  test("submitting a form shows the maintenance page, and Back keeps what was typed", async ({
    page,
    startMaintenance,
  }) => {
    await page.goto("/register");
    await startMaintenance();
    await page.getByLabel("E-mail").fill("ana@example.com");
    await page.getByRole("button", { name: "Register" }).click();
    await expect(page.getByText("We'll be online soon!")).toBeVisible();

    await page.goBack();

    await expect(page.getByLabel("E-mail")).toHaveValue("ana@example.com");
  });
});

test("every path responds with 503 to every method", async ({ app, startMaintenance }) => {
  await startMaintenance();
  for (const path of [...PAGES, ...FORM_TARGETS]) {
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

/** Tests that run with and without JavaScript. */
function describeMaintenance() {
  test("every page shows only the maintenance page", async ({ page, startMaintenance }) => {
    await startMaintenance();
    for (const path of PAGES) {
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

  test("the page fills the window, and its spinner turns", async ({ page, startMaintenance }) => {
    await startMaintenance();
    await page.goto("/home");
    const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };

    expect(await page.getByRole("main").boundingBox()).toEqual({ x: 0, y: 0, width, height });
    await expect(page.getByRole("status")).toHaveCSS("animation-duration", "1s");
    await expect(page.getByRole("status")).toHaveCSS("animation-timing-function", "linear");

    await page.emulateMedia({ reducedMotion: "reduce" });
    await expect(page.getByRole("status")).toHaveCSS("animation-duration", "3s");
  });
}
