import type { Locator, Page } from "@playwright/test";

import { expect, test } from "./fixtures.ts";
import { openAs } from "./sign-in.ts";

const READ = "/read/the-lamplighters-orchard";

/** A phone upright, a small one on its side, and a large one on its side. */
const PHONES = [
  { width: 390, height: 760, insets: { top: 0, bottom: 34, left: 0, right: 0 } },
  { width: 750, height: 360, insets: { top: 0, bottom: 21, left: 47, right: 47 } },
  { width: 860, height: 390, insets: { top: 0, bottom: 21, left: 47, right: 47 } },
];

test("text fields are as high as their text without `field-sizing`, and an icon has its size", async ({
  page,
  person,
}) => {
  await page.route(/\.css$/, async (route) => {
    const response = await route.fetch();
    const css = (await response.text()).replaceAll("field-sizing:content", "");
    await route.fulfill({ response, body: css });
  });
  await page.addInitScript(() => {
    localStorage.setItem("inkglade.plain-markdown", "true");
    const { supports } = CSS;
    CSS.supports = (...args: string[]) =>
      args[0] !== "field-sizing" && Reflect.apply(supports, CSS, args);
  });
  await openAs(page, person, "/create");
  const icon = page.getByRole("banner").getByRole("link", { name: /^Room/ }).locator("svg");
  await expect(icon).toHaveJSProperty("clientWidth", 16);

  const message = page.getByRole("textbox", { name: "Message", exact: true });
  const [low] = await getHeights(message);
  await message.fill("one\ntwo\nthree");
  const [grown, text] = await getHeights(message);
  expect(grown).toBeGreaterThan(low);
  expect(text).toBeLessThanOrEqual(grown);
  await message.fill(Array.from({ length: 40 }, () => "line").join("\n"));
  const [most] = await getHeights(message);
  expect(most).toBeLessThan(200);
  await message.fill("");
  expect((await getHeights(message))[0]).toBe(low);

  await message.fill("one\ntwo\nthree");
  await message.press("Enter");
  await page.getByRole("button", { name: /^Actions for / }).click();
  await page.getByRole("menuitem", { name: "Edit" }).click();
  const edited = page.getByRole("textbox", { name: "Edit message" });
  const [own, ownText] = await getHeights(edited);
  expect(own).toBeGreaterThan(low);
  expect(ownText).toBeLessThanOrEqual(own);

  const story = page.getByRole("textbox", { name: "Your story" });
  const [empty] = await getHeights(story);
  await story.fill(Array.from({ length: 200 }, (_, index) => `Line ${index}`).join("\n"));
  const [long, longText] = await getHeights(story);
  expect(long).toBeGreaterThan(empty);
  expect(longText).toBeLessThanOrEqual(long);
  // A key at the end of a long story does not move the page.
  await story.press("ControlOrMeta+End");
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  const before = await page.evaluate(() => scrollY);
  await story.press("Backspace");
  expect(Math.abs((await page.evaluate(() => scrollY)) - before)).toBeLessThan(60);
  await story.fill("");
  expect((await getHeights(story))[0]).toBe(empty);
});

/** Returns the height of a text area, and of its text. */
function getHeights(area: Locator): Promise<[number, number]> {
  return area.evaluate((element) => [element.clientHeight + 2, element.scrollHeight]);
}

test("the settings of a story stand beside their names, and nothing clips the fixed bars", async ({
  page,
}) => {
  await page.goto(READ);
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(findClippedBars)).toEqual([]);
    if (width === 360) await page.locator("summary", { hasText: "Type" }).click();
    const rows = page.locator("[data-row]");
    await expect(rows).toHaveCount(8);
    // In one step, because the panel is replaced when its scripts have loaded.
    const places = await rows.evaluateAll((elements) =>
      elements.map(({ firstElementChild: name, lastElementChild: control }) => ({
        gap: (control?.getBoundingClientRect().x ?? 0) - (name?.getBoundingClientRect().right ?? 0),
        shift: (control?.getBoundingClientRect().y ?? 0) - (name?.getBoundingClientRect().y ?? 0),
      })),
    );
    expect(places).toHaveLength(8);
    for (const { gap, shift } of places) {
      expect(gap).toBeGreaterThanOrEqual(0);
      expect(Math.abs(shift)).toBeLessThan(4);
    }
  }
});

/** Runs in the browser. Returns the fixed elements in an element with `clip-path`. WebKit clips them at its edges. */
function findClippedBars(): string[] {
  const isFixed = (element: Element) => getComputedStyle(element).position === "fixed";
  return Array.from(document.querySelectorAll("*"))
    .filter((element) => getComputedStyle(element).clipPath !== "none")
    .flatMap((element) => Array.from(element.querySelectorAll("*")).filter(isFixed))
    .map(({ outerHTML }) => outerHTML.slice(0, 80));
}

test("nothing is below the notch or the home indicator of a phone, upright or on its side", async ({
  page,
  person,
}) => {
  const client = await page.context().newCDPSession(page);
  const expectInPhone = async (open?: () => Promise<void>, close?: () => Promise<void>) => {
    for (const { insets, ...size } of PHONES) {
      await page.setViewportSize(size);
      await client.send("Emulation.setSafeAreaInsetsOverride", { insets });
      await open?.();
      await expectInSafeArea(page, insets);
      await close?.();
    }
  };

  await openAs(page, person, READ);
  await expectInPhone();
  const type = page.locator("summary", { hasText: "Type" });
  await expectInPhone(
    () => type.click(),
    () => page.keyboard.press("Escape"),
  );
  await page.goto("/create");
  await expect(page.locator("[contenteditable=true]")).toBeVisible();
  await expectInPhone();
  await page.goto("/home");
  await expectInPhone();
  await expectInPhone(
    async () => {
      await page.getByRole("link", { name: /^Room/ }).click();
      await expect(page.getByRole("textbox", { name: "Message", exact: true })).toBeVisible();
    },
    () => page.getByRole("button", { name: "Close the room" }).click(),
  );
});

/** Expects that no control is at a side that a notch covers, and none of a fixed bar below the home indicator. */
async function expectInSafeArea(
  page: Page,
  insets: { top: number; bottom: number; left: number; right: number },
): Promise<void> {
  const covered = await page.evaluate(({ bottom, left, right }) => {
    const isFixed = (element: Element | null): boolean =>
      element !== null &&
      (getComputedStyle(element).position === "fixed" || isFixed(element.parentElement));
    // What scrolls sideways passes below a notch.
    const isScrolled = (element: Element | null): boolean =>
      element !== null &&
      (/auto|scroll|hidden/.test(getComputedStyle(element).overflowX) ||
        isScrolled(element.parentElement));
    return Array.from(document.querySelectorAll("a, button, summary, input, textarea, select"))
      .filter((element) => element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => {
        const box = element.getBoundingClientRect();
        if (box.width < 2 || box.bottom <= 0 || box.top >= innerHeight) return false;
        const isAtSide = box.left < left || box.right > innerWidth - right;
        const isLow =
          isFixed(element) && box.bottom > innerHeight - bottom && box.bottom <= innerHeight;
        return (isAtSide && !isScrolled(element)) || (isLow && !isScrolled(element));
      })
      .map(
        (element) =>
          `${element.outerHTML.slice(0, 120)} ${JSON.stringify(element.getBoundingClientRect())}`,
      );
  }, insets);
  expect(covered).toEqual([]);
}
