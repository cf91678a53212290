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
  toBeVisible(locator: Locator, options?: Options) {
    const wait = (timeout: number) => locator.waitFor({ timeout });
    const attempt = this.isNot ? baseExpect(locator).not : baseExpect(locator);
    return match(this, options, wait, (timeout) => attempt.toBeVisible({ timeout }));
  },

  toHaveURL(page: Page, url: string | RegExp, options?: Options) {
    const wait = (timeout: number) => page.waitForURL(url, { timeout, waitUntil: "commit" });
    const attempt = this.isNot ? baseExpect(page).not : baseExpect(page);
    return match(this, options, wait, (timeout) => attempt.toHaveURL(url, { timeout }));
  },

  toHaveTitle(page: Page, title: string | RegExp, options?: Options) {
    const isTitle = (found: string) =>
      typeof title === "string" ? found === title : title.test(found);
    const wait = (timeout: number) =>
      baseExpect.poll(async () => isTitle(await page.title()), { timeout }).toBe(true);
    const attempt = this.isNot ? baseExpect(page).not : baseExpect(page);
    return match(this, options, wait, (timeout) => attempt.toHaveTitle(title, { timeout }));
  },
});

/**
 * Returns what a matcher of `expect.extend` returns.
 *
 * @param wait waits without snapshots for what is expected
 * @param attempt Playwright's expectation. Runs if it is negated, and after a wait in vain, for its message
 */
async function match(
  { isNot, timeout: defaultTimeout }: { isNot: boolean; timeout: number },
  { timeout = defaultTimeout }: Options = {},
  wait: (timeout: number) => Promise<void>,
  attempt: (timeout: number) => Promise<void>,
) {
  try {
    if (isNot) await attempt(timeout);
    else {
      await wait(timeout).catch(async (error: unknown) => {
        await attempt(1);
        throw error;
      });
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { pass: isNot, message: () => error.message };
  }
  return { pass: !isNot, message: () => "" };
}
