import { fileURLToPath } from "node:url";

import { expect, test as base, type Page } from "@playwright/test";
import { createServer } from "vite";

interface GalleryFixtures {
  /** Fails the test for every error the page logs. */
  quietPage: void;
}

/** A page of the gallery of components, each of which is quiet. */
export const test = base.extend<GalleryFixtures, { galleryUrl: string }>({
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

export async function openGallery(page: Page) {
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Gallery of parts" })).toBeVisible({
    // The first page waits until Vite has put all parts together.
    timeout: 20_000,
  });
}

/** However slow the machine, no toast goes before it was looked at. */
export async function openGalleryWithPausedClock(page: Page) {
  await page.clock.install({ time: 0 });
  await openGallery(page);
  await page.clock.pauseAt(3_600_000);
}

/** A button of the gallery, where some names occur once more in a disabled state. */
export function button(page: Page, name: string) {
  return page.getByRole("button", { name, exact: true, disabled: false }).first();
}

export function menuItem(page: Page, name: string) {
  return page.getByRole("menuitem", { name });
}

export async function pressKeyOn(page: Page, name: string, keyboardKey: string) {
  await button(page, name).focus();
  await page.keyboard.press(keyboardKey);
}

/** Unlike `focus()`, the way a person gets there, which tooltips ask for. */
export async function focusByKeyboard(page: Page, name: string) {
  await button(page, name).focus();
  await page.keyboard.press("Shift+Tab");
  await waitForScrollEvents(page);
  await page.keyboard.press("Tab");
  await expect(button(page, name)).toBeFocused();
}

/** Waits until nothing scrolls any more: that closes a tooltip. The news of it comes with the next frame. */
async function waitForScrollEvents(page: Page) {
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

/** Waits until what opens stands still: half faded in, its colours are not its own. */
export async function expectOpened(
  page: Page,
  role: "alertdialog" | "dialog" | "menu" | "tooltip",
) {
  const opened = page.getByRole(role).first();
  await expect(opened).toBeVisible();
  await opened.evaluate(async (element) => {
    const moving = document
      .getAnimations()
      .filter(({ effect }) => effect instanceof KeyframeEffect && effect.target?.contains(element));
    await Promise.all(moving.map(({ finished }) => finished));
  });
}

function fromRoot(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
