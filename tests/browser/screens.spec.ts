import type { Page } from "@playwright/test";

import { fillRoom } from "#tests/support/fill-room.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { expectLazyScripts } from "./hydration.ts";
import { openRoom } from "./room.ts";
import { openAs } from "./sign-in.ts";
import { findRichEditor } from "./story.ts";

const WIDTHS = [360, 768, 1280];

interface Screen {
  name: string;
  /** Whether the screen needs a signed-in user. */
  isGuarded?: boolean;
  open: (page: Page) => Promise<unknown>;
}

const SCREENS: Screen[] = [
  { name: "Home", open: (page) => page.goto("/home") },
  { name: "Home with the room", open: openHomeWithRoom },
  { name: "Home with the room, signed in", isGuarded: true, open: openHomeWithRoom },
  { name: "a search without results", open: (page) => page.goto("/home?q=zzz") },
  { name: "Sign In", open: (page) => page.goto("/login") },
  { name: "Sign Up", open: (page) => page.goto("/register") },
  { name: "Reading", open: (page) => page.goto("/read/the-lamplighters-orchard") },
  { name: "a forgotten password", open: (page) => page.goto("/login?reset=1") },
  { name: "Profile", isGuarded: true, open: (page) => page.goto("/profile") },
  {
    name: "Profile, security",
    isGuarded: true,
    open: (page) => page.goto("/profile?tab=security"),
  },
  { name: "Create", isGuarded: true, open: openEditor },
  { name: "an error", open: (page) => page.goto("/no-such-file.txt") },
];

for (const { name, isGuarded = false, open } of SCREENS) {
  test(`${name} is accessible, fits at every width, and the keyboard reaches every control`, async ({
    page,
    person,
    app,
  }) => {
    test.slow();
    await fillRoom(app.firebase, person, 3);
    if (isGuarded) await openAs(page, person, "/profile");

    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await open(page);
      // Browsers restore the scroll position of the previous visit.
      await page.evaluate(() => window.scrollTo(0, 0));

      await expectAccessible(page);
      const pageWidth = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(pageWidth, `${width} px wide`).toBeLessThanOrEqual(width);
      expect(await walkByKeyboard(page), `${width} px wide`).toEqual({ missed: [], covered: [] });
    }
  });
}

async function openEditor(page: Page) {
  await page.goto("/create");
  await findRichEditor(page);
}

async function openHomeWithRoom(page: Page) {
  await page.goto("/home");
  await openRoom(page);
}

/** Tabs through the page once. Returns the controls that were not reached, and those that were covered when focused. */
async function walkByKeyboard(page: Page) {
  await expectLazyScripts(page);
  const controls = await page.evaluate(() => {
    const candidates = document.querySelectorAll<HTMLElement>(
      "a[href], button, input, select, textarea, summary, [tabindex='0']",
    );
    const isControl = (element: HTMLElement) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.closest("[inert]") &&
      !element.matches(":disabled, [tabindex='-1'], [type=hidden]") &&
      // Tab only reaches the checked radio button of a group.
      !element.matches("[type=radio]:not(:checked)");
    const found = [...candidates].filter(isControl);
    found.forEach((element, index) => element.setAttribute("data-control", String(index)));
    document.body.tabIndex = -1;
    document.body.focus();
    return found.map(({ outerHTML }, index) => [String(index), outerHTML.slice(0, 120)] as const);
  });

  const missed = new Map(controls);
  const covered: string[] = [];
  for (let presses = 0; presses < 2 * controls.length && missed.size > 0; presses += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      const index = element?.getAttribute("data-control");
      if (!element || !index) return null;
      const { left, top, width, height } = element.getBoundingClientRect();
      // At least the top of a tall control must be visible.
      const topElement = document.elementFromPoint(
        left + width / 2,
        top + Math.min(height / 2, 100),
      );
      const isCovered =
        topElement !== element && !element.contains(topElement) && !topElement?.contains(element);
      return { index, isCovered };
    });
    if (!focused) continue;
    if (focused.isCovered) covered.push(missed.get(focused.index) ?? focused.index);
    missed.delete(focused.index);
  }
  return { missed: [...missed.values()], covered };
}
