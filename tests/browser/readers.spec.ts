import type { Browser, Page } from "@playwright/test";

import type { TestAccount } from "#tests/support/firebase.ts";
import { expect, test, type TestApp } from "./fixtures.ts";
import { readDatabase } from "#tests/support/database-values.ts";
import { expectCount } from "./reader-counts.ts";
import { openAs } from "./sign-in.ts";
import { openWithClock } from "./timeouts.ts";

const ORCHARD = "the-lamplighters-orchard";

/** How often the dashboard asks for the numbers. */
const REQUEST_INTERVAL_MS = 10_000;

test.use({ javaScriptEnabled: true });

/** Opens a story as a person, in a new browser context, and begins to read. */
async function read(browser: Browser, app: TestApp, person: TestAccount, story = ORCHARD) {
  const context = await browser.newContext({ baseURL: app.url });
  const page = await context.newPage();
  await openAs(page, person, `/read/${story}`);
  await page.mouse.wheel(0, 200);
  return { page, [Symbol.asyncDispose]: () => context.close() };
}

/** Returns the first card of the live stories. */
const findLive = (page: Page) =>
  page
    .getByRole("region", { name: "Explore Trending Live Stories" })
    .getByRole("link", { name: /Lamplighter's Orchard/ });

/** Expects a number of readers on the dashboard once the server has read it: it asks the database every 4 s. */
async function expectReadingNow(page: Page, count: number) {
  await expectCount(page, ORCHARD, count);
  await page.clock.fastForward(REQUEST_INTERVAL_MS);
  await expect(findLive(page)).toContainText(`${count} reading now`);
}

async function readRecords(app: TestApp): Promise<unknown[]> {
  return Object.values((await readDatabase(app, "readers")) ?? {});
}

test("the dashboard counts each reader of a story once, without naming anybody", async ({
  page,
  browser,
  app,
  addPerson,
}) => {
  const [ana, tomas] = [await addPerson(), await addPerson()];
  await using first = await read(browser, app, ana);
  const second = await read(browser, app, tomas);
  // The same person counts once.
  const tab = await first.page.context().newPage();
  await tab.goto(`/read/${ORCHARD}`);
  await tab.mouse.wheel(0, 200);
  await expect.poll(() => readRecords(app)).toHaveLength(2);

  await openWithClock(page, "/home");
  await expectReadingNow(page, 2);
  const records = JSON.stringify(await readDatabase(app, "readers"));
  for (const { localId } of [ana, tomas]) expect(records).not.toContain(localId);

  await second[Symbol.asyncDispose]();
  await expectReadingNow(page, 1);
  await first.page.close();
  await expect.poll(() => readRecords(app)).toHaveLength(1);

  const settings = await tab.context().newPage();
  await settings.goto("/profile?tab=data");
  for (const name of ["Don't show when I'm here or typing", "Leave me out of public counts"]) {
    const control = settings.getByRole("switch", { name });
    await control.press("Space");
    await expect.poll(() => readRecords(app)).toHaveLength(0);
    await expect(control).toBeChecked();
    await control.press("Space");
    await expect(control).not.toBeChecked();
    await expect.poll(() => readRecords(app)).toHaveLength(1);
  }
});

test("sorts the live stories by readers within 15 seconds, but not under the pointer", async ({
  page,
  browser,
  app,
  addPerson,
}) => {
  const last = "the-winter-interpreter";
  const row = page.getByRole("region", { name: "Explore Trending Live Stories" });
  const first = row.locator("li a").first();
  const counts = page.waitForResponse("**/stories/readers");
  await page.goto("/home");
  await counts;
  await expect(first).toHaveAttribute("href", `/read/${ORCHARD}`);

  const reader = await read(browser, app, await addPerson(), last);

  await expect(first).toHaveAttribute("href", `/read/${last}`, { timeout: 15_000 });
  await expect(first).toContainText("1 reading now");

  await first.hover();
  await reader[Symbol.asyncDispose]();
  await expect(first).not.toContainText("reading now", { timeout: 15_000 });
  await expect(first).toHaveAttribute("href", `/read/${last}`);
  await page.mouse.move(0, 0);
  await expect(first).toHaveAttribute("href", `/read/${ORCHARD}`, { timeout: 15_000 });
});
