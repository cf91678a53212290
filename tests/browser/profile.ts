import type { Page } from "@playwright/test";

import { expect } from "./fixtures.ts";
import { say } from "./room.ts";

/** Says something in the room at Create, and waits until it is there. */
export async function speak(page: Page, text: string) {
  await page.goto("/create");
  await say(page, text);
  await expect(page.getByRole("log").getByText(text)).toBeVisible();
}

export async function changePassword(page: Page, current: string, next: string) {
  await page.getByLabel("Current password", { exact: true }).fill(current);
  await page.getByLabel("New password", { exact: true }).fill(next);
  await page.getByRole("button", { name: "Change password" }).click();
}
