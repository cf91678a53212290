import type { Browser, Page } from "@playwright/test";

import { readDatabase } from "#tests/support/database-values.ts";
import type { NewAccount, TestAccount } from "#tests/support/firebase.ts";
import { makeLongText, publishStory } from "#tests/support/stories.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test, type TestApp } from "./fixtures.ts";
import { LONG, LONG_PATH } from "./long-story.ts";
import { signInSender } from "./room.ts";
import { openAs } from "./sign-in.ts";

/** The beginning of the story, with as many parts and paragraphs as the tests need. */
const STORY = { ...LONG, text: makeLongText(16_000) };

const WITHOUT_CHAPTERS = "/read/the-lamplighters-orchard";

/** Within this time others see a change. */
const SEEN = { timeout: 15_000 };

/** Opens a story as a person, in a new browser context. */
async function read(browser: Browser, app: TestApp, person: TestAccount, path = LONG_PATH) {
  const context = await browser.newContext({
    baseURL: app.url,
    viewport: { width: 1280, height: 800 },
  });
  const page = await context.newPage();
  await openAs(page, person, path);
  return { page, [Symbol.asyncDispose]: () => context.close() };
}

/** Turns "Read together" on or off. */
async function choose(page: Page, choice: "On" | "Off") {
  const summary = page.locator("summary", { hasText: "Type" });
  // With the focus, the bar is also shown where it hides while one reads on.
  await summary.press("Enter");
  const setting = page.getByRole("group", { name: "Read together" });
  await setting.getByLabel(choice).check();
  await expect(setting.getByLabel(choice)).toBeChecked();
  await summary.press("Enter");
}

/** Opens a story as Mira and as Tomas, who both turn "Read together" on. */
async function readTogether(
  browser: Browser,
  app: TestApp,
  addPerson: (account: NewAccount) => Promise<TestAccount>,
  path = LONG_PATH,
) {
  const person = await addPerson({ displayName: "Mira Oduya" });
  const mira = await read(browser, app, person, path);
  await expect(findDots(mira.page)).toHaveCount(0);
  const tomas = await read(browser, app, await addPerson({ displayName: "Tomas Lund" }), path);
  for (const { page } of [mira, tomas]) await choose(page, "On");
  const close = async () => {
    await mira[Symbol.asyncDispose]();
    await tomas[Symbol.asyncDispose]();
  };
  return { person, mira, tomas, [Symbol.asyncDispose]: close };
}

/** The list of dots, as a selector. */
const DOTS = "[aria-label='Reading together']";

const findDots = (page: Page) => page.getByRole("list", { name: "Reading together" });
const findDot = (page: Page, name: string) => findDots(page).getByRole("button", { name });

test("those who want it see each other's chapter; others see nobody and are not seen", async ({
  browser,
  app,
  addPerson,
}) => {
  await publishStory(app.firebase.hosts, STORY);
  const cleo = await addPerson({ displayName: "Cleo Marsh" });
  await using third = await read(browser, app, cleo);
  const requests: string[] = [];
  third.page.on("request", (request) => requests.push(request.url()));
  third.page.on("websocket", (socket) => requests.push(socket.url()));
  await using pair = await readTogether(browser, app, addPerson);
  const { mira, tomas } = pair;
  const moved = findDot(tomas.page, "Mira Oduya is in chapter 3");

  await test.step("two who turn it on see each other, and a third sees nobody and is not seen", async () => {
    await expect(findDot(mira.page, "Tomas Lund is in chapter 1")).toBeVisible(SEEN);
    await expect(findDot(tomas.page, "Mira Oduya is in chapter 1")).toBeVisible(SEEN);
    await expect(findDots(third.page)).toHaveCount(0);
    expect(requests.filter((url) => url.includes("together"))).toEqual([]);
    const records = (await readDatabase(app, "readingTogether")) ?? {};
    expect(Object.keys(records)).not.toContain(cleo.localId);
  });

  await test.step("several in one chapter are one dot, whose names open with the keyboard", async () => {
    await choose(third.page, "On");
    const dot = findDots(third.page).locator("summary", { hasText: "2 people" });
    await dot.press("Enter", SEEN);
    await expect(findDot(third.page, "Mira Oduya is in chapter 1")).toBeVisible();
    await expect(findDot(third.page, "Tomas Lund is in chapter 1")).toBeVisible();
    await expectAccessible(third.page, { within: DOTS });
    await third.page.keyboard.press("Escape");
    await expect(findDot(third.page, "Mira Oduya")).toBeHidden();
    await expect(dot).toBeFocused();
    await third.page.close();
  });

  await test.step("a dot moves with its reader, and is inside the window at every width", async () => {
    await mira.page.setViewportSize({ width: 360, height: 800 });
    const heading = mira.page.locator("#text h2, #text h3").nth(2);
    await mira.page.mouse.move(100, 300);
    // What is laid out meanwhile may move the page back by some lines.
    await expect(async () => {
      await heading.evaluate((element) => element.scrollIntoView());
      await mira.page.mouse.wheel(0, 100);
      await expect(moved).toBeVisible({ timeout: 3000 });
    }).toPass(SEEN);
    for (const width of [360, 960, 1440]) {
      await tomas.page.setViewportSize({ width, height: 800 });
      await expect(moved).toBeVisible();
      const box = await moved.boundingBox();
      expect(box?.height).toBeGreaterThanOrEqual(24);
      expect(box?.width).toBeGreaterThanOrEqual(24);
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
      await expectAccessible(tomas.page, { within: DOTS });
    }
  });

  await test.step("who turns it off or leaves is gone", async () => {
    await choose(mira.page, "Off");
    await expect(moved).toHaveCount(0, SEEN);
    await expect(findDots(mira.page)).toHaveCount(0);
    await choose(mira.page, "On");
    await expect(moved).toBeVisible(SEEN);
    await mira.page.close();
    await expect(moved).toHaveCount(0, SEEN);
  });
});

test("a dot leads to the last message of its person about the story, unless they are hidden", async ({
  browser,
  app,
  addPerson,
}) => {
  await publishStory(app.firebase.hosts, STORY);
  await using pair = await readTogether(browser, app, addPerson);
  const { person, mira, tomas } = pair;
  await using sender = await signInSender(app, person);
  const { page } = tomas;
  const dot = findDot(page, "Mira Oduya is in chapter 1");
  const room = page.getByRole("region", { name: "The room", exact: true });

  await test.step("it says that there is none", async () => {
    await dot.click(SEEN);
    await expect(page.getByText("Mira Oduya hasn't written about this story yet.")).toBeVisible();
  });

  await test.step("it opens the last one", async () => {
    for (const text of ["First.", "The kettle knows."]) await sender.send(`${LONG_PATH}\n${text}`);
    await dot.focus();
    await page.keyboard.press("Enter");
    const message = room.getByRole("article").filter({ hasText: "The kettle knows." });
    await expect(message).toBeVisible();
    await expect(message).toBeFocused();
    await expect(room.getByRole("link", { name: /^This story/ })).toHaveAttribute(
      "aria-current",
      "true",
    );
  });

  await test.step("messages about a later part stay folded", async () => {
    const paragraph = mira.page.locator('#text [id^="p-"]').nth(60);
    const words = (await paragraph.textContent())?.slice(0, 40).trim();
    const quote = `“${words}”\n${LONG_PATH}#${await paragraph.getAttribute("id")}`;
    for (const text of ["He did it.", "With the glove."]) await sender.send(`${quote}\n${text}`);
    const fold = room.locator("summary", { hasText: "2 messages about later parts." });
    await expect(fold).toBeVisible();
    await dot.click();
    await expect(fold).toBeFocused();
    await expect(room.getByText("With the glove.")).toBeHidden();
  });

  await test.step("the choice is kept for the story, and a hidden person has no dot", async () => {
    await sender.send("Hide me.");
    await page.reload();
    await expect(dot).toBeVisible(SEEN);
    await page.getByRole("link", { name: /^Everyone/ }).click();
    const message = page.getByRole("listitem").filter({ hasText: "Hide me." }).first();
    await message.getByRole("button", { name: /^Actions for / }).click();
    await page.getByRole("menuitem", { name: "Hide this person" }).click();
    await page.reload();
    await expect(findDots(page)).toHaveCount(1);
    await expect(dot).toHaveCount(0);
    await page.goto(WITHOUT_CHAPTERS);
    await expect(findDots(page)).toHaveCount(0);
  });
});

test("in a story without chapters, others see the quarter, until it is off or the reader unseen", async ({
  browser,
  app,
  addPerson,
}) => {
  await using pair = await readTogether(browser, app, addPerson, WITHOUT_CHAPTERS);
  const { person, mira, tomas } = pair;
  const dot = findDot(tomas.page, "Mira Oduya is in the first quarter");
  await expect(dot).toBeVisible(SEEN);
  const tab = await mira.page.context().newPage();

  await test.step("other tabs of the browser follow the choice", async () => {
    await tab.goto(WITHOUT_CHAPTERS);
    await expect(findDots(tab)).toHaveCount(1);
    await choose(mira.page, "Off");
    await expect(findDots(tab)).toHaveCount(0);
    await choose(mira.page, "On");
    await expect(findDots(tab)).toHaveCount(1);
  });

  await test.step("unseen mode removes the dot in both directions until it is turned off", async () => {
    await tab.goto("/profile?tab=data");
    await expect(dot).toBeVisible(SEEN);
    const unseen = tab.getByRole("switch", { name: "Don't show when I'm here or typing" });
    await unseen.press("Space");
    await expect(dot).toHaveCount(0, SEEN);
    await expect(findDot(mira.page, "Tomas Lund")).toHaveCount(0);
    expect(await readDatabase(app, `readingTogether/${person.localId}`)).toBeNull();
    await mira.page.locator("summary", { hasText: "Type" }).click();
    await expect(mira.page.getByText("Unseen mode is on, so nobody sees you here")).toBeVisible();
    await unseen.press("Space");
    await mira.page.bringToFront();
    await expect(dot).toBeVisible(SEEN);
  });
});

test("visitors have no such setting", async ({ page }) => {
  await page.goto(WITHOUT_CHAPTERS);
  await page.locator("summary", { hasText: "Type" }).click();
  await expect(page.getByRole("group", { name: "Quotes in the margin" })).toBeVisible();
  await expect(page.getByRole("group", { name: "Read together" })).toHaveCount(0);
});
