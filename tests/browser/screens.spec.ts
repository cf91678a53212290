import type { Page } from "@playwright/test";

import { fillRoom } from "#tests/support/fill-room.ts";
import { publishStory } from "#tests/support/stories.ts";
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
  /** Whether it is opened anew at each width, because it is a sheet in narrow windows. */
  isRoom?: boolean;
}

const SCREENS: Screen[] = [
  { name: "Home", open: (page) => page.goto("/home") },
  { name: "Home with the room", isRoom: true, open: openHomeWithRoom },
  {
    name: "Home with the room, signed in",
    isGuarded: true,
    isRoom: true,
    open: openHomeWithRoom,
  },
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

for (const { name, isGuarded = false, isRoom = false, open } of SCREENS) {
  test(`${name} is accessible, fits at every width, and the keyboard reaches every control`, async ({
    page,
    person,
    app,
  }) => {
    test.slow();
    await fillRoom(app.firebase, person, 3);
    if (isGuarded) await openAs(page, person, "/profile");

    for (const [index, width] of WIDTHS.entries()) {
      await page.setViewportSize({ width, height: 800 });
      if (index === 0 || isRoom) await open(page);
      await page.evaluate(() => window.scrollTo(0, 0));

      await expectAccessible(page);
      const pageWidth = await page.evaluate(() => document.documentElement.scrollWidth);
      expect(pageWidth, `${width} px wide`).toBeLessThanOrEqual(width);
      expect(await walkByKeyboard(page), `${width} px wide`).toEqual({ missed: [], covered: [] });
    }
  });
}

test("breaks words that are wider than the window, on every page that shows a story", async ({
  page,
  app,
}) => {
  const word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
  const ids = ["a-long-word-0123456789", "another-long-word-0123456789"];
  for (const id of ids) {
    const text = `${word}\n\n${word}`;
    const tags = [word.slice(0, 30)];
    await publishStory(app.firebase.hosts, {
      ...{ id, text, tags },
      ...{ title: word, description: word, author: word.slice(0, 50), uid: id },
    });
  }

  for (const path of [
    "/home",
    `/home?q=${word.slice(0, 20)}`,
    `/home?writer=${ids[0]}`,
    `/read/${ids[0]}`,
  ]) {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(path);
      await expect(page.getByText(word).first()).toBeAttached();
      const pageWidth = await page.evaluate(() => document.documentElement.scrollWidth);
      expect.soft(pageWidth, `${path}, ${width} px wide`).toBeLessThanOrEqual(width);
    }
  }
});

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
  const walk = await page.evaluateHandle(watchFocus);
  const read = () =>
    walk.evaluate(({ missed, covered }) => ({ missed: [...missed.values()], covered }));
  let result = await read();
  const limit = 2 * result.missed.length;
  for (let presses = 0; presses < limit && result.missed.length > 0;) {
    // Each missed control takes at least one press, so the result is read only after that many.
    const needed = Math.min(result.missed.length, limit - presses);
    for (let press = 0; press < needed; press += 1) await page.keyboard.press("Tab");
    presses += needed;
    result = await read();
  }
  return result;
}

/** Finds the controls of the page, and watches which of them a key focuses. */
function watchFocus() {
  const candidates = document.querySelectorAll<HTMLElement>(
    "a[href], button, input, select, textarea, summary, [tabindex='0']",
  );
  const isControl = (element: HTMLElement) =>
    element.checkVisibility({ visibilityProperty: true }) &&
    !element.closest("[inert]") &&
    !element.matches(":disabled, [tabindex='-1'], [type=hidden]") &&
    // Tab only reaches the checked radio button of a group.
    !element.matches("[type=radio]:not(:checked)");
  const describe = (element: Element) => element.outerHTML.slice(0, 120);
  const controls = new Set<Element>([...candidates].filter(isControl));
  const missed = new Map([...controls].map((element) => [element, describe(element)]));
  const covered: string[] = [];
  const check = () => {
    const element = document.activeElement;
    if (!element || !controls.has(element)) return;
    missed.delete(element);
    const { left, top, width, height } = element.getBoundingClientRect();
    // At least the top of a tall control must be visible.
    const topElement = document.elementFromPoint(left + width / 2, top + Math.min(height / 2, 100));
    const isCovered =
      topElement !== element && !element.contains(topElement) && !topElement?.contains(element);
    if (isCovered) covered.push(describe(element));
  };
  // When the key is released, the page has scrolled to the focused element.
  window.addEventListener("keyup", check, true);
  document.body.tabIndex = -1;
  document.body.focus();
  return { missed, covered };
}
