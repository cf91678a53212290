import type { Page } from "@playwright/test";

import { expect, test } from "./fixtures.ts";
import { waitForFrames } from "./reader.ts";
import { openAs } from "./sign-in.ts";

test.use({ contextOptions: { reducedMotion: "reduce" } });

test("a refreshed page from the page cache stays where browser and user scroll meanwhile", async ({
  page,
  person,
}) => {
  await openAs(page, person, "/home");
  await scrollTo(page, 700);
  const refresh = await holdRefresh(page);
  // WebKit shows the page at its top when it fires the event.
  await page.evaluate(() => {
    window.dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }));
    window.scrollTo(0, 0);
  });

  await restoreFromPageCache(page);
  await refresh.begun;
  // The browser restores its position, and the user scrolls on.
  await scrollTo(page, 700);
  await scrollTo(page, 500);
  await refresh.release();

  await expectY(page, 500);
  await page.reload();
  // Chromium restores where an element stood, and rounds it.
  await expect.poll(() => page.evaluate(() => Math.abs(window.scrollY - 500))).toBeLessThan(2);
});

async function scrollTo(page: Page, y: number): Promise<void> {
  await page.evaluate((top) => window.scrollTo({ top, behavior: "instant" }), y);
  await expectY(page, y);
  await waitForFrames(page);
}

async function expectY(page: Page, y: number): Promise<void> {
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(y);
}

/** Fires the event with which a page from the browser's page cache begins. */
async function restoreFromPageCache(page: Page): Promise<void> {
  await page.evaluate(() =>
    window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })),
  );
}

/** Holds the next refresh of the page's data. */
async function holdRefresh(page: Page) {
  let begin = () => {};
  let go = () => {};
  const begun = new Promise<void>((resolve) => (begin = resolve));
  const mayGo = new Promise<void>((resolve) => (go = resolve));
  await page.route("**/home.data*", async (route) => {
    begin();
    await mayGo;
    await route.continue();
  });
  return {
    begun,
    /** Resolves when the page shows the new data. */
    async release(): Promise<void> {
      const shown = page.waitForResponse("**/home.data*");
      go();
      await (await shown).finished();
      await waitForFrames(page);
      await waitForFrames(page);
    },
  };
}
