import type { Page } from "@playwright/test";

import { expect } from "./expect.ts";

/**
 * Makes `goto` and `reload` wait for hydration too where scripts are enabled: pages load their scripts after the first
 * paint, and until then a form is posted by the browser. A call with `waitUntil` does not wait.
 */
export function waitForHydrationAfterLoad(page: Page): void {
  const goto = page.goto.bind(page);
  page.goto = async (url, options) => {
    const response = await goto(url, options);
    if (!options?.waitUntil) await expectHydratedWithScripts(page);
    return response;
  };
  const reload = page.reload.bind(page);
  page.reload = async (options) => {
    const response = await reload(options);
    if (!options?.waitUntil) await expectHydratedWithScripts(page);
    return response;
  };
}

async function expectHydratedWithScripts(page: Page): Promise<void> {
  const isHydrating = await page.evaluate(
    () =>
      document.documentElement.dataset["scripting"] !== undefined &&
      document.documentElement.dataset["authLoading"] === "true",
  );
  if (isHydrating) await expectHydrated(page);
}

/** Waits until the page is hydrated. Before, keys, drags and clicks that only scripts handle are lost. */
export async function expectHydrated(page: Page): Promise<void> {
  await expect(page.locator("html")).toHaveAttribute("data-auth-loading", "false");
}

/** Presses a key, and waits until the scripts that load at the first interaction have replaced the server's HTML. */
export async function expectLazyScripts(page: Page): Promise<void> {
  await page.keyboard.press("Shift");
  await expect(page.locator("[data-lazy]")).toHaveCount(0);
}
