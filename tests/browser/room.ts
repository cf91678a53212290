import type { Browser, Page } from "@playwright/test";

import type { TestAccount } from "#tests/support/firebase.ts";
import { expect, type TestApp } from "./fixtures.ts";
import { openAs } from "./sign-in.ts";

export async function sendMessage(page: Page, text: string) {
  await page.getByPlaceholder("Type a message…").fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
}

/** Opens the room beside the page; without scripts, at its end. */
export async function openRoom(page: Page) {
  await page.getByRole("banner").getByRole("link", { name: /^Room/ }).click();
  await expect(page.getByRole("region", { name: "The room", exact: true })).toBeVisible();
}

/** Waits until the room receives new messages. */
export async function expectLive(page: Page) {
  await expect(page.getByRole("region", { name: "The room", exact: true })).toHaveAttribute(
    "data-live",
    "live",
  );
}

/** Opens the room on /create as another user, in a new browser context. */
export async function openRoomAs(browser: Browser, app: TestApp, person: TestAccount) {
  const context = await browser.newContext({ baseURL: app.url });
  const page = await context.newPage();
  await openAs(page, person, "/create");
  await expectLive(page);
  return { page, [Symbol.asyncDispose]: () => context.close() };
}
