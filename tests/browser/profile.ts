import type { Page } from "@playwright/test";

export async function changePassword(page: Page, current: string, next: string) {
  await page.getByLabel("Current password", { exact: true }).fill(current);
  await page.getByLabel("New password", { exact: true }).fill(next);
  await page.getByRole("button", { name: "Change password" }).click();
}
