import type { Locator, Page } from "@playwright/test";

import { expect } from "./fixtures.ts";

/** Expects a passage at the top of the window, where links scroll to. */
export async function expectAtTop(passage: Locator) {
  await expect
    .poll(() =>
      passage.evaluate((element) => {
        const { scrollPaddingTop } = getComputedStyle(document.documentElement);
        return Math.abs(element.getBoundingClientRect().top - parseFloat(scrollPaddingTop));
      }),
    )
    .toBeLessThan(3);
}

/** Waits until the script that tracks the position has loaded. */
export async function expectTracking(page: Page) {
  await expect(page.locator(":has(> #text)")).toHaveCSS("overflow-anchor", "none");
}

/** Waits until the page has been rendered twice. */
export async function waitForFrames(page: Page) {
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

/** Holds back a script that is loaded later, until the returned function is called. */
export async function holdScript(page: Page, name: string): Promise<() => void> {
  let load = () => {};
  const isAsked = new Promise<void>((resolve) => {
    load = resolve;
  });
  await page.route(`**/assets/${name}-*.js`, async (route) => {
    await isAsked;
    await route.continue();
  });
  return load;
}
