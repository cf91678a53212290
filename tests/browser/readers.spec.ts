import type { Page } from "@playwright/test";

import { expect, test, type TestApp } from "./fixtures.ts";
import { readDatabase, writeDatabase } from "#tests/support/database-values.ts";
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

/** Expects a number of readers of a story on the server, and lets the open dashboard ask for it. */
async function updateCount(page: Page, story: string, count: number) {
  await expectCount(page, story, count);
  await page.clock.fastForward(REQUEST_INTERVAL_MS);
}

async function readRecords(app: TestApp): Promise<unknown[]> {
  return Object.values((await readDatabase(app, "readers")) ?? {});
}

test("the dashboard sorts live stories by their readers, and names nobody", async ({
  page,
  browser,
  app,
  person,
}) => {
  const cards = page.getByRole("region", { name: "Explore Trending Live Stories" }).locator("li a");
  const first = cards.first();
  await openWithClock(page, "/home");
  await expect(first).toHaveAttribute("href", `/read/${ORCHARD}`);
  await using context = await browser.newContext({ baseURL: app.url });
  await startSession(context, person);
  const reader = await context.newPage();
  await open(reader, INTERPRETER);

  await test.step("live stories are sorted by readers, but not under the pointer", async () => {
    await updateCount(page, INTERPRETER, 1);
    await expect(first).toHaveAttribute("href", `/read/${INTERPRETER}`);
    await expect(first).toContainText("1 reading now");
    const records = JSON.stringify(await readDatabase(app, "readers"));
    expect(records).not.toContain(person.localId);

    await first.hover();
    await open(reader, ORCHARD);
    await updateCount(page, ORCHARD, 1);
    await expect(first).not.toContainText("reading now");
    await expect(first).toHaveAttribute("href", `/read/${INTERPRETER}`);
    await page.mouse.move(0, 0);
    await page.clock.fastForward(REQUEST_INTERVAL_MS);
    await expect(first).toHaveAttribute("href", `/read/${ORCHARD}`);
  });

  await test.step("nobody counts who does not want to", async () => {
    for (const setting of ["unseen", "uncounted"]) {
      await writeDatabase(app, `${setting}/${person.localId}`, true);
      await expect.poll(() => readRecords(app)).toHaveLength(0);
      await writeDatabase(app, `${setting}/${person.localId}`, false);
      await expect.poll(() => readRecords(app)).toHaveLength(1);
    }
  });
});
