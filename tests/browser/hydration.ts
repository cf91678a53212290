import type { Page } from "@playwright/test";

import { expect } from "./fixtures.ts";

/**
 * Waits until the page is hydrated. Before, keys, drags and clicks that only scripts handle are lost. Links and plain forms
 * do not need this.
 */
export async function expectHydrated(page: Page): Promise<void> {
  await expect(page.locator("html")).toHaveAttribute("data-auth-loading", "false");
}

/** Opens a page, and waits until it is hydrated. */
export async function openHydrated(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expectHydrated(page);
}
