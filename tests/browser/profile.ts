import type { Page } from "@playwright/test";

import { expect } from "./fixtures.ts";
import { sendMessage } from "./room.ts";

/** Sends a message on /create, and waits until it is shown. */
export async function postMessage(page: Page, text: string) {
  await page.goto("/create");
  await sendMessage(page, text);
  // A message gets its time and its final name when it is stored.
  const message = page.getByRole("log").getByRole("listitem").filter({ hasText: text });
  await expect(message.getByRole("time")).toBeVisible();
}

export async function changePassword(page: Page, current: string, next: string) {
  await page.getByLabel("Current password", { exact: true }).fill(current);
  await page.getByLabel("New password", { exact: true }).fill(next);
  await page.getByRole("button", { name: "Change password" }).click();
}
