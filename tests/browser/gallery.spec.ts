import { fileURLToPath } from "node:url";

import { expect, test as base, type Page } from "@playwright/test";
import { createServer } from "vite";

import { expectAccessible } from "./axe.ts";

interface GalleryFixtures {
  /** Fails the test for every error the page logs. */
  quietPage: void;
}

const test = base.extend<GalleryFixtures, { galleryUrl: string }>({
  galleryUrl: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the braces
    async ({}, use, { workerIndex }) => {
      const server = await createServer({
        configFile: fromRoot("tests/gallery/vite.config.ts"),
        // Somebody may be looking at the gallery meanwhile, with a cache of theirs, and so may another worker.
        cacheDir: fromRoot(`node_modules/.vite-gallery-test/${workerIndex}`),
        optimizeDeps: { force: true },
        server: { port: 0, hmr: false, watch: null },
        logLevel: "error",
      });
      await server.listen();
      const [url = ""] = server.resolvedUrls?.local ?? [];
      await use(url);
      await server.close();
    },
    { scope: "worker", timeout: 60_000 },
  ],

  baseURL: async ({ galleryUrl }, use) => {
    await use(galleryUrl);
  },

  quietPage: [
    async ({ page }, use) => {
      const errors: string[] = [];
      page.on("console", (message) => {
        if (message.type() === "error") errors.push(message.text());
      });
      page.on("pageerror", (error) => errors.push(error.message));
      await use();
      expect(errors, "no errors are logged").toEqual([]);
    },
    { auto: true },
  ],
});

/**
 * Menus and tooltips hang over the page, in none of its landmarks. Nobody looks for them by one: the first
 * has the focus, the second describes what has it.
 */
const HANGING = { except: ["region"] };

for (const width of [360, 1280]) {
  test.describe(`at ${width} pixels`, () => {
    test.use({ viewport: { width, height: 800 } });
    // axe reads every part twice, which takes a busy machine long.
    test.describe.configure({ timeout: 90_000 });

    test("every part is accessible and nothing scrolls sideways", async ({ page }) => {
      await openGallery(page);

      await expectAccessible(page);

      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    });

    test("a dialog is accessible", async ({ page }) => {
      await openGallery(page);
      await pressKey(page, "Rename…", "Enter");
      await expectSettled(page, "dialog");

      await expectAccessible(page);
    });

    test("a menu is accessible", async ({ page }) => {
      await openGallery(page);
      await pressKey(page, "Story", "Enter");
      await expectSettled(page, "menu");

      await expectAccessible(page, HANGING);
    });

    test("a tooltip and a toast are accessible", async ({ page }) => {
      await openGallery(page);
      await key(page, "Error").press("Enter");
      await focusByKeyboard(page, "Use the dark theme");
      await expectSettled(page, "tooltip");

      await expectAccessible(page, HANGING);
    });

    test("a toast is as wide as it may be, and inside the window", async ({ page }) => {
      await openGallery(page);

      await key(page, "Error").click();

      const box = await page.getByRole("alertdialog").boundingBox();
      expect(box?.width).toBe(Math.min(400, width - 32));
      expect(box?.x).toBe(width - 16 - Math.min(400, width - 32));
    });
  });
}

test("a dialog keeps the focus inside, closes by Escape and gives the focus back", async ({
  page,
}) => {
  await openGallery(page);
  await pressKey(page, "Rename…", "Enter");
  const dialog = page.getByRole("dialog", { name: "Rename this draft" });
  await expect(dialog).toBeFocused();

  for (const name of ["Close", "Title", "Cancel", "Rename", "Close"]) {
    await page.keyboard.press("Tab");
    await expect(page.locator(":focus")).toHaveAccessibleName(name);
  }
  await page.keyboard.press("Shift+Tab");
  await expect(dialog.getByRole("button", { name: "Rename" })).toBeFocused();

  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await expect(key(page, "Rename…")).toBeFocused();
});

test("a press outside closes a dialog, but not a question", async ({ page }) => {
  await openGallery(page);
  await pressKey(page, "Rename…", "Space");
  await expectSettled(page, "dialog");
  await page.mouse.click(5, 5);
  await expect(page.getByRole("dialog")).toBeHidden();

  await pressKey(page, "Delete…", "Space");
  const question = page.getByRole("alertdialog", { name: "Delete this draft?" });
  await expectSettled(page, "alertdialog");
  await page.mouse.click(5, 5);
  await expect(question).toBeVisible();
  // The press took the focus out, and it is brought back before the next frame.
  await expect(question).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(question).toBeHidden();
});

test("a long dialog scrolls in the window with its close key in sight", async ({ page }) => {
  await openGallery(page);
  await pressKey(page, "House rules", "Enter");
  const dialog = page.getByRole("dialog");

  await page.keyboard.press("End");

  await expect(dialog.getByText("Rule 24")).toBeInViewport();
  await expect(dialog.getByRole("button", { name: "Close" })).toBeInViewport();
});

test("arrows move in a menu, disabled items are passed, Enter acts", async ({ page }) => {
  await openGallery(page);
  await pressKey(page, "Story", "ArrowDown");
  await expect(item(page, "Edit")).toBeFocused();

  await page.keyboard.press("ArrowDown");
  await expect(item(page, "Copy the link")).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(item(page, "Delete")).toBeFocused();
  await page.keyboard.press("Home");
  await page.keyboard.press("c");
  await expect(item(page, "Copy the link")).toBeFocused();
  await page.keyboard.press("Enter");

  await expect(page.getByText("Last act: copied.")).toBeVisible();
  await expect(page.getByRole("menu")).toBeHidden();
  await expect(key(page, "Story")).toBeFocused();
});

test("a menu item opens a dialog, and Escape leads back to the key of the menu", async ({
  page,
}) => {
  await openGallery(page);
  await pressKey(page, "More for this story", "Enter");
  await expect(item(page, "Share")).toBeFocused();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Report this story" })).toBeFocused();

  await page.keyboard.press("Escape");

  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(key(page, "More for this story")).toBeFocused();
});

test("a select changes by its arrows and letters", async ({ page }) => {
  await openGallery(page);
  const select = page.getByLabel("Paper", { exact: true });
  await select.focus();

  await page.keyboard.press("ArrowUp");
  await expect(select).toHaveValue("white");
  await page.keyboard.press("n");
  await expect(select).toHaveValue("night");
});

test("arrows choose tabs around the disabled one, and Tab goes into the panel", async ({
  page,
}) => {
  await openGallery(page);
  const tabs = page.getByRole("tablist", { name: "Your things" });
  await tabs.getByRole("tab", { name: "Stories" }).focus();

  await page.keyboard.press("ArrowRight");
  await expect(tabs.getByRole("tab", { name: "Drafts" })).toBeFocused();
  await expect(page.getByText("Nothing here yet. Start with a first line.")).toBeVisible();
  await page.keyboard.press("ArrowRight");
  await expect(tabs.getByRole("tab", { name: "Stories" })).toBeFocused();

  await page.keyboard.press("Tab");
  await expect(page.getByRole("tabpanel").first()).toBeFocused();
});

test("a tooltip shows on focus, describes what has it, and Escape closes it", async ({ page }) => {
  await openGallery(page);

  await focusByKeyboard(page, "Use the dark theme");

  const tooltip = page.getByRole("tooltip", { name: "Dark" });
  await expect(tooltip).toBeVisible();
  await expect(key(page, "Use the dark theme")).toHaveAccessibleDescription("Dark");
  await page.keyboard.press("Escape");
  await expect(tooltip).toBeHidden();
  await expect(key(page, "Use the dark theme")).toBeFocused();
});

test("a tooltip is at most 200 pixels wide", async ({ page }) => {
  await openGallery(page);
  // A pointer comes from somewhere; React Aria takes one that is just there for the page moving under it.
  await page.mouse.move(5, 5);
  await page.getByRole("link", { name: "The Glass Apiary" }).hover();

  await expect(page.getByRole("tooltip")).toBeVisible();

  expect((await page.getByRole("tooltip").boundingBox())?.width).toBeLessThanOrEqual(200);
});

test("a toast goes after its life, but waits while it is pointed at", async ({ page }) => {
  await openGalleryInStoppedTime(page);
  await key(page, "Info").click();
  const toast = page.getByText("Somebody joined the room.");

  await toast.hover();
  await page.clock.runFor(60_000);
  await expect(toast).toBeVisible();

  await page.mouse.move(5, 5);
  await page.clock.runFor(6_000);
  await expect(toast).toBeHidden();
});

test("a toast waits while it has the focus, which then goes back", async ({ page }) => {
  await openGalleryInStoppedTime(page);
  await pressKey(page, "Success", "Enter");
  const toast = page.getByRole("alertdialog", { name: "Draft saved." });
  await expect(toast).toBeVisible();

  await page.keyboard.press("F6");
  await expect(page.getByRole("region", { name: "1 message" })).toBeFocused();
  await page.clock.runFor(60_000);
  await expect(toast).toBeVisible();

  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(toast.getByRole("button", { name: "Close" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(toast).toBeHidden();
  await expect(key(page, "Success")).toBeFocused();
});

test("an error stays until it is closed", async ({ page }) => {
  await openGalleryInStoppedTime(page);
  await key(page, "Error").click();
  const toast = page.getByRole("alertdialog");
  await page.mouse.move(5, 5);

  await page.clock.runFor(600_000);

  await expect(toast.getByRole("alert")).toBeVisible();
  await toast.getByRole("button", { name: "Close" }).click();
  await expect(toast).toBeHidden();
});

test("Space ticks a checkbox and turns a switch", async ({ page }) => {
  await openGallery(page);
  const checkbox = page.getByRole("checkbox", { name: "Send me a letter every week" });
  const toggle = page.getByRole("switch", { name: "Sounds" });

  await checkbox.press("Space");
  await expect(checkbox).toBeChecked();
  await checkbox.press("Space");
  await expect(checkbox).not.toBeChecked();

  await toggle.press("Space");
  await expect(toggle).toBeChecked();
});

test("a checkbox for several says when only some are ticked", async ({ page }) => {
  await openGallery(page);
  const all = page.getByRole("checkbox", { name: "Everything" });
  await expect(all).toBeChecked({ indeterminate: true });

  await page.getByText("Quests").click();

  await expect(all).toBeChecked();
});

test("keys, fields and items are as high as they must be", async ({ page }) => {
  await openGallery(page);
  await pressKey(page, "Story", "Enter");
  await expectSettled(page, "menu");

  expect(await height(item(page, "Edit"))).toBeGreaterThanOrEqual(44);
  await page.keyboard.press("Escape");
  expect(await height(key(page, "More for this story"))).toBe(44);
  expect(await height(key(page, "Paragraph"))).toBe(36);
  expect(await height(page.getByLabel("Paper", { exact: true }))).toBe(46);
  expect(await height(page.getByRole("tab", { name: "Drafts" }).first())).toBeGreaterThanOrEqual(
    44,
  );
  expect(await height(page.locator("label", { hasText: "Sounds" }))).toBeGreaterThanOrEqual(44);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a form of all controls is filled in and sent", async ({ page }) => {
    await page.goto("/plain-form.html");
    await page.getByText("Send me a letter every week").click();
    await page.getByText("Keep my place in a story").click();
    await page.getByText("Sounds").click();
    await page.getByLabel("Paper").selectOption("night");
    await expect(page.getByRole("switch", { name: "Sounds" })).toBeChecked();

    await page.getByRole("button", { name: "Save" }).click();

    await expect(page).toHaveURL(
      /\?name=Robin\+Vale&paper=night&news=weekly&sound=on&intent=save$/,
    );
  });

  test("keys that could do nothing are not shown", async ({ page }) => {
    await page.goto("/plain-form.html");

    await expect(page.getByRole("button", { name: "Save" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Explain" })).toBeHidden();
    await expect(page.getByRole("button", { name: "More" })).toBeHidden();
  });
});

test("what was chosen before scripts ran is kept, and can be taken back", async ({ page }) => {
  let letScriptsIn = () => {};
  const scripts = new Promise<void>((resolve) => {
    letScriptsIn = resolve;
  });
  await page.route("**/plain-form-alive.tsx", async (route) => {
    await scripts;
    await route.continue();
  });
  await page.goto("/plain-form.html", { waitUntil: "commit" });
  const news = page.getByRole("checkbox", { name: "Send me a letter every week" });
  const sound = page.getByRole("switch", { name: "Sounds" });
  await page.getByText("Send me a letter every week").click();
  await page.getByText("Sounds").click();
  await page.getByLabel("Paper").selectOption("night");

  letScriptsIn();
  await expect(page.locator("#root")).toHaveAttribute("data-alive");

  // Everything is rendered anew when it is pointed at.
  await page.getByText("Send me a letter every week").hover();
  await expect(news).toBeChecked();
  await expect(sound).toBeChecked();
  await expect(page.getByLabel("Paper")).toHaveValue("night");

  await sound.press("Space");
  await expect(sound).not.toBeChecked();
  await page.getByRole("button", { name: "As before" }).click();
  await expect(news).not.toBeChecked();
});

async function openGallery(page: Page) {
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Gallery of parts" })).toBeVisible({
    // The first page waits until Vite has put all parts together.
    timeout: 20_000,
  });
}

/** However slow the machine, no toast goes before it was looked at. */
async function openGalleryInStoppedTime(page: Page) {
  await page.clock.install({ time: 0 });
  await openGallery(page);
  await page.clock.pauseAt(3_600_000);
}

/** A button of the gallery, where some names occur once more in a disabled state. */
function key(page: Page, name: string) {
  return page.getByRole("button", { name, exact: true, disabled: false }).first();
}

function item(page: Page, name: string) {
  return page.getByRole("menuitem", { name });
}

async function pressKey(page: Page, name: string, keyboardKey: string) {
  await key(page, name).focus();
  await page.keyboard.press(keyboardKey);
}

/** Unlike `focus()`, the way a person gets there, which tooltips ask for. */
async function focusByKeyboard(page: Page, name: string) {
  await key(page, name).focus();
  await page.keyboard.press("Shift+Tab");
  await expectStill(page);
  await page.keyboard.press("Tab");
  await expect(key(page, name)).toBeFocused();
}

/** Waits until nothing scrolls any more: that closes a tooltip. The news of it comes with the next frame. */
async function expectStill(page: Page) {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

/** Waits until what opens stands still: half faded in, its colours are not its own. */
async function expectSettled(page: Page, role: "alertdialog" | "dialog" | "menu" | "tooltip") {
  const opened = page.getByRole(role).first();
  await expect(opened).toBeVisible();
  await opened.evaluate(async (element) => {
    const moving = document
      .getAnimations()
      .filter(({ effect }) => effect instanceof KeyframeEffect && effect.target?.contains(element));
    await Promise.all(moving.map(({ finished }) => finished));
  });
}

async function height(locator: ReturnType<typeof item>) {
  return (await locator.boundingBox())?.height;
}

function fromRoot(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
