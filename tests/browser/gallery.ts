import { fileURLToPath } from "node:url";

import { test as base, type Page } from "@playwright/test";
import { build, preview, type InlineConfig } from "vite";

import { findFreePort } from "#emulator/ports.ts";
import { createTemporaryFolder, removeFolder } from "#emulator/temporary-folder.ts";
import { expect } from "./expect.ts";

interface GalleryFixtures {
  /** Fails the test if the page logs an error. */
  failOnConsoleErrors: void;
}

/** Builds and serves the component gallery. Tests fail if the page logs an error. */
export const test = base.extend<GalleryFixtures, { galleryUrl: string }>({
  galleryUrl: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the braces
    async ({}, use) => {
      const folder = await createTemporaryFolder("gallery");
      const options = {
        configFile: fromRoot("tests/gallery/vite.config.ts"),
        logLevel: "error",
        build: { outDir: folder, minify: false },
      } satisfies InlineConfig;
      // React's development build, which logs mistakes as errors.
      process.env.NODE_ENV = "development";
      await build({ ...options, mode: "development" });
      const server = await preview({ ...options, preview: { port: await findFreePort() } });
      const [url = ""] = server.resolvedUrls?.local ?? [];
      await use(url);
      await server.close();
      await removeFolder(folder);
    },
    { scope: "worker", timeout: 60_000 },
  ],

  baseURL: async ({ galleryUrl }, use) => {
    await use(galleryUrl);
  },

  failOnConsoleErrors: [
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
  await expect(page.getByRole("heading", { name: "Component gallery" })).toBeVisible();
}

/** Returns the enabled button with this name. Some names also occur in a disabled state. */
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

function fromRoot(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}
