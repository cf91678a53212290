import type { Page } from "@playwright/test";

import { expect } from "./fixtures.ts";

/**
 * Waits until the page is hydrated. Before, keys, drags and clicks that only scripts handle are lost. Links and plain forms
 * do not need this.
 */
export async function expectHydrated(page: Page): Promise<void> {
  await expect(page.locator("html")).toHaveAttribute("data-auth-loading", "false");
}

/** Presses a key, and waits until the scripts that load at the first interaction have replaced the server's HTML. */
export async function expectLateScripts(page: Page): Promise<void> {
  await page.keyboard.press("Shift");
  await expect(page.locator("[data-late]")).toHaveCount(0);
}

/** Opens a page, and waits until it is hydrated. */
export async function openHydrated(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expectHydrated(page);
}
