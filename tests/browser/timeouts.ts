import type { Page, Route } from "@playwright/test";

import { expect } from "./fixtures.ts";

/** Opens a page with a clock that the test can advance. */
export async function openWithClock(page: Page, path: string): Promise<void> {
  await page.clock.install();
  await page.goto(path);
}

/** Submits a form that gets no response, and expects a message after 5 s and another one after the timeout. */
export async function expectTimeoutMessages(
  page: Page,
  button: string,
  address: string,
): Promise<void> {
  const pending: Route[] = [];
  await page.route(address, (route) => void pending.push(route));
  await page.getByRole("button", { name: button, exact: true }).click();
  await expect.poll(() => pending.length).toBe(1);
  await expect(page.getByText("Still trying…")).toBeHidden();

  await page.clock.fastForward(5100);
  await expect(page.getByText("Still trying…")).toBeVisible();

  for (const route of pending) await route.abort("timedout");
  await expect(page.getByText("Nothing was lost; try again.")).toBeVisible();
  await expect(page.getByText("Still trying…")).toBeHidden();
  await page.unroute(address);
}
