import type { Locator, Page } from "@playwright/test";

import { fillRoom } from "#tests/support/fill-room.ts";
import { expect, test } from "./fixtures.ts";
import { expectLive, openRoom, ROOM_PATH } from "./room.ts";
import { openAs } from "./sign-in.ts";

// A phone that is held sideways, and a window of 1280 × 1024 pixels at 400%: WCAG 1.4.10 and 2.4.11.
const LOW_WINDOWS = [
  { width: 640, height: 360 },
  { width: 320, height: 256 },
] as const;

const getField = (page: Page) => page.getByRole("textbox", { name: "Message", exact: true });
const getSend = (page: Page) => page.getByRole("button", { name: "Send", exact: true });

test.describe("with JavaScript", () => {
  test("in low windows, the message field, Send and the buttons of an edit can be reached", async ({
    page,
    person,
    app,
  }) => {
    await fillRoom(app.firebase, person, 20);
    await page.setViewportSize(LOW_WINDOWS[0]);
    await openAs(page, person, ROOM_PATH);
    await expectLive(page);
    for (const viewport of LOW_WINDOWS) {
      await page.setViewportSize(viewport);
      await test.step(`the room over the page, ${viewport.height} px high`, async () => {
        await expectReachableField(page);
        await page
          .getByRole("button", { name: /^Actions for/ })
          .last()
          .click();
        await page.getByRole("menuitem", { name: "Edit" }).click();
        const form = page.getByRole("form", { name: "Edit your message" });
        await form.getByRole("textbox").fill("One\nTwo\nThree\nFour\nFive\nSix");
        for (const button of await form.getByRole("button").all()) {
          await expectReachable(page, button);
        }
        await form.getByRole("button", { name: "Cancel" }).press("Enter");
      });
    }

    await test.step("a wide and low window", async () => {
      await page.setViewportSize({ width: 1280, height: 256 });
      await page.reload();
      await expectLive(page);
      await expectReachableField(page);
    });

    await page.setViewportSize(LOW_WINDOWS[0]);
    await page.goto("/create?panel=room#room");
    await expectLive(page);
    for (const viewport of LOW_WINDOWS) {
      await page.setViewportSize(viewport);
      await test.step(`the room on /create, ${viewport.height} px high`, () =>
        expectReachableField(page));
    }
  });
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("in low windows, the message field and Send come into view", async ({
    page,
    person,
    app,
  }) => {
    await fillRoom(app.firebase, person, 20);
    await page.setViewportSize(LOW_WINDOWS[0]);
    await openAs(page, person, "/home");
    await openRoom(page);
    for (const viewport of LOW_WINDOWS) {
      await page.setViewportSize(viewport);
      for (const control of [getField(page), getSend(page)]) await expectReachable(page, control);
    }
  });
});

/** Expects an empty message field and, once something is typed, Send to be reachable. */
async function expectReachableField(page: Page) {
  await getField(page).fill("");
  await expectReachable(page, getField(page));
  await getField(page).fill("Half wri");
  await expectReachable(page, getSend(page));
}

/** Expects a control to be wholly in view, and not covered, once it has the focus, and after scrolling down to it. */
async function expectReachable(page: Page, control: Locator) {
  const room = page.getByRole("region", { name: "The room", exact: true });
  await scrollUp(page, control);
  await control.focus();
  await expect.poll(() => locate(control)).toBe(IN_VIEW);

  await scrollUp(page, control);
  await expect(async () => {
    const { x = 0, y = 0 } = (await room.boundingBox()) ?? {};
    const height = page.viewportSize()?.height ?? 0;
    await page.mouse.move(x + 40, Math.min(Math.max(y, 0) + 8, height - 8));
    await page.mouse.wheel(0, 5000);
    expect(await locate(control)).toBe(IN_VIEW);
  }).toPass({ timeout: 10_000 });
}

async function scrollUp(page: Page, control: Locator) {
  await control.evaluate((element: HTMLElement) => element.blur());
  await page.locator("#room").evaluate((room) => room.scrollTo({ top: 0 }));
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
}

const IN_VIEW = "in view";

/** Returns whether a control is wholly in view and not covered, otherwise where it is. */
async function locate(control: Locator): Promise<string> {
  return control.evaluate((element, inView) => {
    const { top, left, bottom, right } = element.getBoundingClientRect();
    const isInWindow = top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth;
    const corners = [
      [left + 8, top + 2],
      [right - 8, top + 2],
      [left + 8, bottom - 2],
      [right - 8, bottom - 2],
    ] as const;
    const isCovered = corners.some(([x, y]) => !element.contains(document.elementFromPoint(x, y)));
    return isInWindow && !isCovered ? inView : JSON.stringify({ top, bottom, isCovered });
  }, IN_VIEW);
}
