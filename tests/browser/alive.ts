import type { Page } from "@playwright/test";

import { expect } from "./fixtures.ts";

/**
 * Waits until the page's scripts run. A key, a drag or a press of what only they answer is lost before; links and plain
 * forms work all the same.
 */
export async function expectAlive(page: Page): Promise<void> {
  await expect(page.locator("html")).toHaveAttribute("data-auth-loading", "false");
}

/** Opens a page, and waits until its scripts run. */
export async function openAlive(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expectAlive(page);
}
