import type { Browser, Page } from "@playwright/test";

import type { TestAccount } from "#tests/support/firebase.ts";
import { expect, test, type TestApp } from "./fixtures.ts";
import { readDatabase } from "#tests/support/database-values.ts";
import { expectCount } from "./reader-counts.ts";
import { startSession } from "./sign-in.ts";
import { openWithClock } from "./timeouts.ts";

const ORCHARD = "the-lamplighters-orchard";
const INTERPRETER = "the-winter-interpreter";

/** How often the dashboard asks for the numbers. */
const REQUEST_INTERVAL_MS = 10_000;

/** Opens a story, and begins to read. */
async function open(page: Page, story: string) {
  await page.goto(`/read/${story}`);
  await page.mouse.wheel(0, 200);
}

/** Opens a story as a person, in a new browser context, and begins to read. */
async function read(browser: Browser, app: TestApp, person: TestAccount, story = ORCHARD) {
  const context = await browser.newContext({ baseURL: app.url });
  const page = await context.newPage();
  await startSession(page, person);
  await open(page, story);
  return { page, [Symbol.asyncDispose]: () => context.close() };
}

/** Expects a number of readers of a story on the server, and lets the open dashboard ask for it. */
async function updateCount(page: Page, story: string, count: number) {
  await expectCount(page, story, count);
  await page.clock.fastForward(REQUEST_INTERVAL_MS);
}

async function readRecords(app: TestApp): Promise<unknown[]> {
  return Object.values((await readDatabase(app, "readers")) ?? {});
}

test("the dashboard sorts by readers, counts each once in one story, and names nobody", async ({
  page,
  browser,
  app,
  addPerson,
}) => {
  const [ana, tomas] = [await addPerson(), await addPerson()];
  const cards = page.getByRole("region", { name: "Explore Trending Live Stories" }).locator("li a");
  const first = cards.first();
  await openWithClock(page, "/home");
  await expect(first).toHaveAttribute("href", `/read/${ORCHARD}`);
  await using reader = await read(browser, app, ana, INTERPRETER);

  await test.step("live stories are sorted by readers, but not under the pointer", async () => {
    await updateCount(page, INTERPRETER, 1);
    await expect(first).toHaveAttribute("href", `/read/${INTERPRETER}`);
    await expect(first).toContainText("1 reading now");

    await first.hover();
    await open(reader.page, ORCHARD);
    await updateCount(page, ORCHARD, 1);
    await expect(first).not.toContainText("reading now");
    await expect(first).toHaveAttribute("href", `/read/${INTERPRETER}`);
    await page.mouse.move(0, 0);
    await page.clock.fastForward(REQUEST_INTERVAL_MS);
    await expect(first).toHaveAttribute("href", `/read/${ORCHARD}`);
  });

  const tab = await reader.page.context().newPage();
  await test.step("each reader counts once, until they leave", async () => {
    const second = await read(browser, app, tomas);
    await open(tab, ORCHARD);
    await expect.poll(() => readRecords(app)).toHaveLength(2);
    await updateCount(page, ORCHARD, 2);
    await expect(first).toContainText("2 reading now");
    const records = JSON.stringify(await readDatabase(app, "readers"));
    for (const { localId } of [ana, tomas]) expect(records).not.toContain(localId);

    await second[Symbol.asyncDispose]();
    await updateCount(page, ORCHARD, 1);
    await expect(first).toContainText("1 reading now");
    await reader.page.close();
    await expect.poll(() => readRecords(app)).toHaveLength(1);
  });

  await test.step("nobody counts who does not want to", async () => {
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
});
