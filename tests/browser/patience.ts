import type { Page, Route } from "@playwright/test";

import { expectAlive, openAlive } from "./alive.ts";
import { expect } from "./fixtures.ts";

/** Opens a page whose clock can be put forward. */
export async function openWithClock(page: Page, path: string): Promise<void> {
  await page.clock.install();
  await openAlive(page, path);
}

/** Presses a button whose form nobody answers, and expects its page to say so: after 5 s, and when time is up. */
export async function expectPatience(page: Page, button: string, address: string): Promise<void> {
  await expectAlive(page);
  const held: Route[] = [];
  await page.route(address, (route) => void held.push(route));
  await page.getByRole("button", { name: button }).click();
  await expect.poll(() => held.length).toBe(1);
  await expect(page.getByText("Still trying…")).toBeHidden();

  await page.clock.fastForward(5100);
  await expect(page.getByText("Still trying…")).toBeVisible();

  for (const route of held) await route.abort("timedout");
  await expect(page.getByText("Nothing was lost; try again.")).toBeVisible();
  await expect(page.getByText("Still trying…")).toBeHidden();
  await page.unroute(address);
}
