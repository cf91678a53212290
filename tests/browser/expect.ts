import { expect as baseExpect, type Locator, type Page } from "@playwright/test";

interface Options {
  timeout?: number;
}

/**
 * Playwright's expectations, of which three wait without an accessibility snapshot of the page. Playwright takes one at
 * each attempt that fails, for its error message, and the snapshot of a page with many stories takes as long as a
 * navigation.
 */
export const expect = baseExpect.extend({
  async toBeVisible(locator: Locator, options: Options = {}) {
    return this.isNot
      ? toResult(true, () => baseExpect(locator).not.toBeVisible(options))
      : toResult(false, async () => {
          const { timeout = this.timeout } = options;
          await locator.waitFor({ timeout }).catch(() => baseExpect(locator).toBeVisible(NOW));
        });
  },

  async toHaveURL(page: Page, url: string | RegExp, options: Options = {}) {
    return this.isNot
      ? toResult(true, () => baseExpect(page).not.toHaveURL(url, options))
      : toResult(false, async () => {
          const { timeout = this.timeout } = options;
          await page
            .waitForURL(url, { timeout, waitUntil: "commit" })
            .catch(() => baseExpect(page).toHaveURL(url, NOW));
        });
  },

  async toHaveTitle(page: Page, title: string, options: Options = {}) {
    return this.isNot
      ? toResult(true, () => baseExpect(page).not.toHaveTitle(title, options))
      : toResult(false, async () => {
          const { timeout = this.timeout } = options;
          await baseExpect
            .poll(() => page.title(), { timeout })
            .toBe(title)
            .catch(() => baseExpect(page).toHaveTitle(title, NOW));
        });
  },
});

/** One attempt, which fails with Playwright's message. */
const NOW: Options = { timeout: 1 };

/** Returns what a matcher of `expect.extend` returns. */
async function toResult(isNot: boolean, check: () => Promise<void>) {
  try {
    await check();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { pass: isNot, message: () => error.message };
  }
  return { pass: !isNot, message: () => "" };
}
