import type { Browser, Page } from "@playwright/test";

import { readDatabase } from "#tests/support/database-values.ts";
import type { NewAccount, TestAccount } from "#tests/support/firebase.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test, type TestApp } from "./fixtures.ts";
import { openRoom, signInSender } from "./room.ts";
import { openAs } from "./sign-in.ts";

const PATH = "/read/the-ministry-of-quiet-machines";
const WITHOUT_CHAPTERS = "/read/the-lamplighters-orchard";

/** Within this time others see a change. */
const SEEN = { timeout: 15_000 };

test.use({ javaScriptEnabled: true });

/** Opens a story as a person, in a new browser context. */
async function read(
  browser: Browser,
  app: TestApp,
  person: TestAccount,
  { path = PATH, width = 1280 } = {},
) {
  const context = await browser.newContext({
    baseURL: app.url,
    javaScriptEnabled: true,
    viewport: { width, height: 800 },
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
  options = {},
) {
  const person = await addPerson({ displayName: "Mira Oduya" });
  const mira = await read(browser, app, person, options);
  await expect(findDots(mira.page)).toHaveCount(0);
  const tomas = await read(browser, app, await addPerson({ displayName: "Tomas Lund" }), options);
  for (const { page } of [mira, tomas]) await choose(page, "On");
  const close = async () => {
    await mira[Symbol.asyncDispose]();
    await tomas[Symbol.asyncDispose]();
  };
  return { person, mira, tomas, [Symbol.asyncDispose]: close };
}

const findDots = (page: Page) => page.getByRole("list", { name: "Reading together" });
const findDot = (page: Page, name: string) => findDots(page).getByRole("button", { name });

for (const width of [360, 960, 1440]) {
  test(`two who want it see each other's chapter, and a third sees nobody and is not seen, at ${width} pixels`, async ({
    browser,
    app,
    addPerson,
  }) => {
    const cleo = await addPerson({ displayName: "Cleo Marsh" });
    await using third = await read(browser, app, cleo, { width });
    const requests: string[] = [];
    third.page.on("request", (request) => requests.push(request.url()));
    third.page.on("websocket", (socket) => requests.push(socket.url()));

    await using pair = await readTogether(browser, app, addPerson, { width });
    const { mira, tomas } = pair;
    await expect(findDot(mira.page, "Tomas Lund is in chapter 1")).toBeVisible(SEEN);
    await expect(findDot(tomas.page, "Mira Oduya is in chapter 1")).toBeVisible(SEEN);

    const heading = mira.page.locator("#text h2, #text h3").nth(2);
    const moved = findDot(tomas.page, "Mira Oduya is in chapter 3");
    await mira.page.mouse.move(100, 300);
    // What is laid out meanwhile may move the page back by some lines.
    await expect(async () => {
      await heading.evaluate((element) => element.scrollIntoView());
      await mira.page.mouse.wheel(0, 100);
      await expect(moved).toBeVisible({ timeout: 3000 });
    }).toPass(SEEN);
    const box = await moved.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(24);
    expect(box?.width).toBeGreaterThanOrEqual(24);
    expect(box?.x).toBeGreaterThanOrEqual(0);
    expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    await expectAccessible(tomas.page);

    await expect(findDots(third.page)).toHaveCount(0);
    expect(requests.filter((url) => url.includes("together"))).toEqual([]);
    expect(Object.keys((await readDatabase(app, "readingTogether")) ?? {})).not.toContain(
      cleo.localId,
    );

    await choose(mira.page, "Off");
    await expect(moved).toHaveCount(0, SEEN);
    await expect(findDots(mira.page)).toHaveCount(0);
    await choose(mira.page, "On");
    await expect(moved).toBeVisible(SEEN);
    await mira.page.close();
    await expect(moved).toHaveCount(0, SEEN);
  });
}

test("a dot opens the last message of its person about the story, or says that there is none", async ({
  browser,
  app,
  addPerson,
}) => {
  await using pair = await readTogether(browser, app, addPerson);
  const { person, tomas } = pair;
  const dot = findDot(tomas.page, "Mira Oduya is in chapter 1");

  await dot.click(SEEN);
  await expect(
    tomas.page.getByText("Mira Oduya has not written about this story yet."),
  ).toBeVisible();

  await using sender = await signInSender(app, person);
  for (const text of ["First.", "The kettle knows."]) await sender.send(`${PATH}\n${text}`);
  await dot.focus();
  await tomas.page.keyboard.press("Enter");

  const room = tomas.page.getByRole("region", { name: "The room", exact: true });
  const message = room.getByRole("article").filter({ hasText: "The kettle knows." });
  await expect(message).toBeVisible();
  await expect(message).toBeFocused();
  await expect(room.getByRole("link", { name: /^This story/ })).toHaveAttribute(
    "aria-current",
    "true",
  );
});

test("messages about a later part stay folded when a dot leads to them", async ({
  browser,
  app,
  addPerson,
}) => {
  await using pair = await readTogether(browser, app, addPerson);
  const { person, mira, tomas } = pair;
  await using sender = await signInSender(app, person);
  const paragraph = await mira.page.locator('#text [id^="p-"]').nth(60).getAttribute("id");
  const words = await mira.page.locator('#text [id^="p-"]').nth(60).textContent();
  for (const text of ["He did it.", "With the glove."]) {
    await sender.send(`“${words?.slice(0, 40).trim()}”\n${PATH}#${paragraph}\n${text}`);
  }

  await findDot(tomas.page, "Mira Oduya is in chapter").click(SEEN);

  const room = tomas.page.getByRole("region", { name: "The room", exact: true });
  await expect(room.getByText("2 messages about later parts.")).toBeVisible();
  await expect(room.locator("summary", { hasText: "2 messages about" })).toBeFocused();
  await expect(room.getByText("With the glove.")).toBeHidden();
});

test("several in one chapter are one dot, whose names open with the keyboard", async ({
  browser,
  app,
  addPerson,
}) => {
  await using ana = await read(browser, app, await addPerson({ displayName: "Ana Reyes" }));
  await using mira = await read(browser, app, await addPerson({ displayName: "Mira Oduya" }));
  await using tomas = await read(browser, app, await addPerson({ displayName: "Tomas Lund" }));
  for (const { page } of [ana, mira, tomas]) await choose(page, "On");

  const dot = findDots(ana.page).locator("summary", { hasText: "2 people" });
  await dot.press("Enter", SEEN);
  await expect(findDot(ana.page, "Mira Oduya is in chapter 1")).toBeVisible();
  await expect(findDot(ana.page, "Tomas Lund is in chapter 1")).toBeVisible();
  await expectAccessible(ana.page);
  await ana.page.keyboard.press("Escape");
  await expect(findDot(ana.page, "Mira Oduya")).toBeHidden();
  await expect(dot).toBeFocused();
});

test("unseen mode removes the dot in both directions until it is turned off", async ({
  browser,
  app,
  addPerson,
}) => {
  await using pair = await readTogether(browser, app, addPerson);
  const { person, mira, tomas } = pair;
  const dot = findDot(tomas.page, "Mira Oduya is in chapter 1");
  await expect(dot).toBeVisible(SEEN);

  const profile = await mira.page.context().newPage();
  await profile.goto("/profile?tab=data");
  const unseen = profile.getByRole("switch", { name: "Don't show when I'm here or typing" });
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

test("a person who was hidden has no dot, and the choice is kept for the story", async ({
  browser,
  app,
  addPerson,
}) => {
  await using pair = await readTogether(browser, app, addPerson);
  const { person, tomas } = pair;
  await tomas.page.reload();
  const dot = findDot(tomas.page, "Mira Oduya is in chapter 1");
  await expect(dot).toBeVisible(SEEN);

  await using sender = await signInSender(app, person);
  await sender.send("Hide me.");
  await openRoom(tomas.page);
  await tomas.page.getByRole("link", { name: /^Everyone/ }).click();
  const message = tomas.page.getByRole("listitem").filter({ hasText: "Hide me." }).first();
  await message.getByRole("button", { name: /^Actions for / }).click();
  await tomas.page.getByRole("menuitem", { name: "Hide this person" }).click();
  await tomas.page.reload();
  await expect(findDots(tomas.page)).toHaveCount(1);
  await expect(dot).toHaveCount(0);

  await tomas.page.goto(WITHOUT_CHAPTERS);
  await expect(findDots(tomas.page)).toHaveCount(0);
});

test("other tabs of the browser follow the choice", async ({ browser, app, addPerson }) => {
  await using mira = await read(browser, app, await addPerson({ displayName: "Mira Oduya" }));
  const tab = await mira.page.context().newPage();
  await tab.goto(PATH);
  await choose(mira.page, "On");
  await expect(findDots(tab)).toHaveCount(1);
  await choose(mira.page, "Off");
  await expect(findDots(tab)).toHaveCount(0);
});

test("in a story without chapters, others see the quarter", async ({ browser, app, addPerson }) => {
  await using pair = await readTogether(browser, app, addPerson, { path: WITHOUT_CHAPTERS });
  await expect(findDot(pair.tomas.page, "Mira Oduya is in the first quarter")).toBeVisible(SEEN);
});

test("visitors have no such setting", async ({ page }) => {
  await page.goto(PATH);
  await page.locator("summary", { hasText: "Type" }).click();
  await expect(page.getByRole("group", { name: "Quotes in the margin" })).toBeVisible();
  await expect(page.getByRole("group", { name: "Read together" })).toHaveCount(0);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("there is no such setting, because it needs scripts", async ({ page, person }) => {
    await openAs(page, person, PATH);
    await page.locator("summary", { hasText: "Type" }).click();
    await expect(page.getByRole("group", { name: "Quotes in the margin" })).toBeVisible();
    await expect(page.getByText("Read together")).toHaveCount(0);
  });
});
