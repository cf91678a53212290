import type { Page } from "@playwright/test";

import { readDatabase, writeDatabase } from "#tests/support/database-values.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { makeLongText, publishStory } from "#tests/support/stories.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { getParagraph, getParagraphId, getParagraphPath, LONG, LONG_PATH } from "./long-story.ts";
import { expectLive, openRoom, ROOM_PATH, sendMessage, signInSender } from "./room.ts";
import { openAs, startSession } from "./sign-in.ts";

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };

const getRoom = (page: Page) => page.getByRole("region", { name: "The room", exact: true });
const getLink = (page: Page) => page.getByRole("banner").getByRole("link", { name: /^Room/ });
const closeButton = { name: "Close the room" };

test.use({ viewport: WIDE });

test("the room stays open beside the page from page to page and after a reload", async ({
  page,
  person,
  app,
}) => {
  await fillRoom(app.firebase, person, 4);
  await openAs(page, person, "/home");
  await openRoom(page);
  await expectLive(page);
  const [main, room] = await Promise.all([
    page.locator("main").boundingBox(),
    getRoom(page).boundingBox(),
  ]);
  expect((main?.x ?? 0) + (main?.width ?? 0)).toBeLessThanOrEqual(room?.x ?? 0);
  const scroll = () => page.evaluate(() => scrollY);
  await page.mouse.move(400, 400);
  await page.mouse.wheel(0, 500);
  await expect.poll(scroll).toBe(500);

  await page.goBack();
  await expect(getRoom(page)).toBeHidden();
  await expect(page).toHaveURL("/home");
  expect(await scroll()).toBe(500);

  await openRoom(page);
  await page.getByPlaceholder("Type a message…").fill("Half wri");
  await page.getByRole("link", { name: "Profile" }).click();
  await expect(page).toHaveURL("/profile");
  await expect(page.getByPlaceholder("Type a message…")).toHaveValue("Half wri");
  await sendMessage(page, "From the profile");
  await expect(page.locator("article time")).toHaveCount(5);
  await page.getByRole("button", closeButton).click();
  await page.goBack();
  await expect(page).toHaveURL("/home#room");
  await expect(getRoom(page)).toBeHidden();

  // Neither the URL nor the history entry of the page that is reloaded says that the room is open.
  await openRoom(page);
  await page.getByRole("link", { name: "Profile" }).click();
  await expect(page).toHaveURL("/profile");
  await page.getByRole("link", { name: "Home" }).click();
  await expect(page).toHaveURL("/home");
  await recordShifts(page);
  await page.reload();
  await expectLive(page);
  await expect(page.locator("article")).toHaveCount(5);
  const shifts: unknown = await page.evaluate(() => Reflect.get(window, "shifts"));
  const sum = Array.isArray(shifts) ? shifts.reduce((total, value) => total + value, 0) : NaN;
  expect(sum).toBeLessThan(0.02);
});

test("the header shows how many people are in the room, and that there are new messages", async ({
  page,
  person,
  addPerson,
  app,
}) => {
  await page.clock.install();
  const tomas = await addPerson({ displayName: "Tomas" });
  await using sender = await signInSender(app, tomas);
  await fillRoom(app.firebase, person, 1);
  await openAs(page, person, ROOM_PATH);
  await expect(getLink(page)).toHaveAccessibleName("Room 1 person here");
  const connections = await readDatabase(app, `connections/${person.localId}`);
  const summary = page.waitForResponse("**/rooms/general/summary");
  await page.getByRole("button", closeButton).click();
  await expect.poll(() => readDatabase(app, `connections/${person.localId}`)).toBeNull();
  await page.clock.fastForward(1000);
  await summary;
  await expect(getLink(page)).not.toHaveAccessibleName(/new messages/);

  await test.step("a page that stays open says within 15 seconds that there is a new message", async () => {
    await sender.send("Where is everybody?");
    await page.clock.fastForward(10_000);
    await expect(getLink(page)).toHaveAccessibleName(/new messages/, { timeout: 5000 });
  });

  await test.step("a page that is loaded counts the others, and the room itself counts the user too", async () => {
    // As if Tomas had opened the room.
    await writeDatabase(app, `connections/${tomas.localId}`, connections);
    // The server reuses a number for 10 seconds, and a page asks again only after two minutes.
    await expect(async () => {
      await page.reload();
      await expect(getLink(page)).toHaveAccessibleName("Room 1 person here, new messages", {
        timeout: 3000,
      });
    }).toPass();
    await openRoom(page);
    await expect(getLink(page)).toHaveAccessibleName("Room 2 people here");
  });
});

const READING_WIDTHS = [960, 1024, 1199];

test("from 960 pixels on, the room is beside a story, and its marks and tools stay in view", async ({
  page,
  person,
  app,
}) => {
  await publishStory(app.firebase.hosts, { ...LONG, text: makeLongText(6000) });
  await using sender = await signInSender(app, person);
  await sender.send(`“Paragraph 1.”\n${getParagraphPath(1)}\nRain again.`);
  await page.setViewportSize({ width: 960, height: 800 });
  await startSession(page, person);
  const form = { story: LONG.id, paragraph: getParagraphId(3) };
  await page.request.post("/reading-position", { form, headers: { Origin: app.url } });
  await page.goto(LONG_PATH);
  await expect(page.locator("#text [data-mark]")).toBeAttached();
  await openRoom(page);
  await expectLive(page);
  await expectAccessible(page, { within: "#room, [data-reader-bar]" });

  // The first paint has the room too, which is remembered.
  await page.reload();
  await expectLive(page);
  for (const width of READING_WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    await expect(page.getByRole("dialog", { name: "The room" })).toHaveAttribute(
      "aria-modal",
      "false",
    );
    const inside = await page
      .locator("#text p, #text [data-mark], [data-reader-bar] > *")
      .evaluateAll((elements) => elements.map((element) => element.getBoundingClientRect().right));
    expect(Math.max(...inside)).toBeLessThanOrEqual(width - 360);
    expect((await getRoom(page).boundingBox())?.width).toBe(359);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
  await page.setViewportSize({ width: 960, height: 800 });
  const tools = page.getByRole("region", { name: "Reading tools" });
  expect((await tools.getByRole("button", { name: "Save" }).boundingBox())?.width).toBe(44);
  const paragraph = await page.locator("#text p").first().boundingBox();
  expect(paragraph).toMatchObject({ x: 40, width: 496 });
  await page.locator("summary", { hasText: "Type" }).click();
  await expect(page.getByRole("group", { name: "Quotes in the margin" })).toBeVisible();

  // On the other pages it is a sheet.
  await page.getByRole("link", { name: "Home" }).click();
  await expect(page).toHaveURL("/home");
  await expect(getRoom(page)).toBeHidden();
  await getLink(page).click();
  await expectLive(page);
  await expect(page.getByRole("dialog", { name: "The room" })).toHaveAttribute(
    "aria-modal",
    "true",
  );
  expect((await getRoom(page).boundingBox())?.width).toBe(399);
  await page.keyboard.press("Escape");
  await expect(getRoom(page)).toBeHidden();
  await page.goto(LONG_PATH);
  await expect(getRoom(page)).toBeVisible();
  await page.setViewportSize({ width: 959, height: 800 });
  await expect(getRoom(page)).toBeHidden();
});

test("from 960 pixels on, the side panel of /create is beside the editor, until it is hidden", async ({
  page,
  person,
}) => {
  await page.setViewportSize({ width: 960, height: 800 });
  await openAs(page, person, "/create");
  await expectLive(page);
  for (const width of READING_WIDTHS) {
    await page.setViewportSize({ width, height: 800 });
    const editor = await page.locator("form:has([name=title])").boundingBox();
    expect((editor?.x ?? 0) + (editor?.width ?? width)).toBeLessThanOrEqual(width - 360);
    expect((await getRoom(page).boundingBox())?.x).toBe(width - 359);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }

  await test.step("the hidden panel stays hidden after a reload, until a tab of it is opened", async () => {
    await page.setViewportSize(WIDE);
    await page.getByRole("button", { name: "Hide the side panel" }).click();
    await expect(getRoom(page)).toBeHidden();
    await expect(page.getByRole("button", { name: "Show the side panel" })).toBeFocused();
    await page.reload();
    await expect(getRoom(page)).toBeHidden();
    await getLink(page).click();
    await expectLive(page);
    await expect(getRoom(page)).toBeFocused();
    await page.getByRole("complementary").getByRole("link", { name: "Drafts" }).click();
    await expect(getRoom(page)).toBeHidden();
    await getLink(page).click();
    await expect(getRoom(page)).toBeVisible();
  });
});

test("a room that was opened at a linked passage leaves the page where it is when it closes", async ({
  page,
  app,
}) => {
  await publishStory(app.firebase.hosts, LONG);
  const path = getParagraphPath(12);
  await page.goto(path);
  await openRoom(page);
  await page.goBack();
  await expect(page).toHaveURL(path);
  await expect(getRoom(page)).toBeHidden();
  await openRoom(page);
  await expectLive(page);
  await getParagraph(page, 60).evaluate((paragraph) => paragraph.scrollIntoView());

  await page.getByRole("button", closeButton).click();

  await expect(page).toHaveURL(LONG_PATH);
  await expect(getRoom(page)).toBeHidden();
  await expect(getParagraph(page, 60)).toBeInViewport();
});

test("the focus goes into the room, and returns to the link in the header", async ({
  page,
  person,
  app,
}) => {
  await fillRoom(app.firebase, person, 4);
  await openAs(page, person, "/profile");
  const link = getLink(page);
  const dialog = page.getByRole("dialog", { name: "The room" });

  await test.step("in a wide window", async () => {
    // Both events happen before React has rendered the new address.
    await link.evaluate((element: HTMLElement) => {
      element.click();
      const escape = new KeyboardEvent("keydown", { key: "Escape", bubbles: true });
      document.querySelector('[role="dialog"][aria-label="The room"]')?.dispatchEvent(escape);
    });
    await expect(page).toHaveURL("/profile");
    await expect(getRoom(page)).toBeHidden();
    await expect(link).toHaveAttribute("aria-expanded", "false");

    await link.press("Enter");
    await expect(link).toHaveAttribute("aria-expanded", "true");
    await expect(dialog).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(getRoom(page)).toBeHidden();
    await expect(link).toBeFocused();
    await expect(page).toHaveURL("/profile");

    await link.press("Enter");
    await page.getByPlaceholder("Type a message…").focus();
    await page.goBack();
    await expect(getRoom(page)).toBeHidden();
    await expect(link).toBeFocused();
  });

  await test.step("on a phone, where the room is a sheet that keeps the focus", async () => {
    await page.setViewportSize(PHONE);
    await link.click();
    await expectLive(page);
    await expect(dialog).toBeFocused();
    for (let presses = 0; presses < 12; presses += 1) {
      await page.keyboard.press("Tab");
      const isOutside = await page.evaluate(() =>
        Boolean(document.activeElement?.closest("header:has(nav), main")),
      );
      expect(isOutside).toBe(false);
    }
    // From a message, the first Escape leads to the message field.
    await page.getByRole("article").last().focus();
    await page.keyboard.press("Escape");
    await expect(page.getByPlaceholder("Type a message…")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(dialog).toBeHidden();
    await expect(link).toBeFocused();
    await expect(page).toHaveURL("/profile");

    await link.click();
    await expect(dialog).toBeVisible();
    await page.goBack();
    await expect(dialog).toBeHidden();
    await expect(page).toHaveURL("/profile");
  });

  await test.step("on a page whose address opens the room", async () => {
    await page.setViewportSize(WIDE);
    await page.goto("/read/anything#room");
    await expectLive(page);
    await page.getByPlaceholder("Type a message…").press("Escape");
    await expect(getRoom(page)).toBeHidden();
    await expect(link).toBeFocused();
  });
});

test("a room whose script fails to load opens at the next try", async ({
  page,
  person,
  allowError,
}) => {
  allowError(/ERR_FAILED/);
  await openAs(page, person, "/profile");
  await page.route("**/assets/room-*.js*", (route) => route.abort());
  await getLink(page).click();
  const retry = page.getByRole("button", { name: "Try again" });
  await retry.press("Enter");
  await expect(page.getByRole("dialog", { name: "The room" })).toBeFocused();
  await expect(retry).toBeVisible();
  await page.unroute("**/assets/room-*.js*");

  await retry.press("Enter");

  await expectLive(page);
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false, viewport: PHONE });

  test("the header leads to the open panel at the end of the page", async ({
    page,
    person,
    app,
  }) => {
    await fillRoom(app.firebase, person, 4);
    await page.goto("/read/anything");
    await openRoom(page);

    await expect(page.getByRole("log")).toBeInViewport();
    await expect(page.locator("article").last()).toBeInViewport();
  });
});

/** Lets the next document record how far its content moves, in `shifts`. */
async function recordShifts(page: Page) {
  await page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push(Number(Reflect.get(entry, "value")));
    }).observe({ type: "layout-shift", buffered: true });
  });
}
