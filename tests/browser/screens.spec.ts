import type { CDPSession, Page } from "@playwright/test";

import { fillRoom } from "#tests/support/fill-room.ts";
import { publishStory } from "#tests/support/stories.ts";
import { expectAccessible } from "./axe.ts";
import { expect, test } from "./fixtures.ts";
import { expectLazyScripts } from "./hydration.ts";
import { openRoom } from "./room.ts";
import { openAs } from "./sign-in.ts";
import { findRichEditor } from "./story.ts";

const WIDTHS = [360, 768, 1280];

/** Of the smallest phone. */
const SMALLEST = { width: 320, height: 640 };

interface Screen {
  name: string;
  /** Goes on to it from the screen before. */
  open?: (page: Page) => Promise<unknown>;
  /** @default `WIDTHS` */
  widths?: number[];
  /** Whether the room is open beside it, or over it in narrow windows. */
  hasRoom?: boolean;
  /** Whether it has bars that hide after a scroll, so that it must be drawn after each key press. */
  hasHidingBars?: boolean;
}

interface Visit {
  name: string;
  path: string;
  isSignedIn?: boolean;
  screens: Screen[];
}

const VISITS: Visit[] = [
  {
    name: "the stories, signed out",
    path: "/home",
    screens: [
      { name: "Home" },
      { name: "a search without results", open: search },
      { name: "a search without results, with the room", hasRoom: true },
      { name: "a message", open: openMessage },
      { name: "About", open: (page) => page.goto("/about") },
      // Laid out as About.
      {
        name: "the rules of the room",
        open: (page) => page.goto("/how-the-room-works"),
        widths: [360],
      },
      { name: "Privacy", open: (page) => page.goto("/privacy"), widths: [360] },
    ],
  },
  {
    name: "the account forms",
    path: "/login?reset=1",
    screens: [
      { name: "a forgotten password" },
      { name: "Sign In", open: (page) => follow(page, "Sign in", "/login") },
      { name: "Sign Up", open: (page) => follow(page, "Don't have an account?", "/register") },
    ],
  },
  {
    name: "the pages of a user",
    path: "/home",
    isSignedIn: true,
    screens: [
      { name: "Home with the room", hasRoom: true },
      { name: "Profile", open: (page) => follow(page, "Profile", "/profile") },
      {
        name: "Profile, security",
        open: (page) => follow(page, "Security", "/profile?tab=security"),
      },
      { name: "Create", open: openEditor },
      { name: "a message", open: openMessage },
    ],
  },
  {
    name: "a story and an error",
    path: "/read/the-lamplighters-orchard",
    screens: [
      { name: "Reading", hasHidingBars: true },
      { name: "an error", open: (page) => page.goto("/no-such-file.txt") },
    ],
  },
];

for (const { name, path, isSignedIn = false, screens } of VISITS) {
  test(`${name}: every screen is accessible, fits at every width and works by keyboard`, async ({
    page,
    person,
    app,
  }) => {
    test.slow();
    await fillRoom(app.firebase, person, 3);
    if (isSignedIn) await openAs(page, person, path);
    else await page.goto(path);

    for (const screen of screens) {
      await screen.open?.(page);
      await page.setViewportSize(SMALLEST);
      await expectToFit(page, SMALLEST.width);
      for (const width of screen.widths ?? WIDTHS) {
        await page.setViewportSize({ width, height: 800 });
        await page.evaluate(() => window.scrollTo(0, 0));
        if (screen.hasRoom) await openRoom(page);

        await test.step(`${screen.name}, ${width} px wide`, async () => {
          await expectAccessible(page);
          await expectToFit(page, width);
          expect(await walkByKeyboard(page, screen)).toEqual({ missed: [], covered: [] });
        });
        if (screen.hasRoom) await page.getByRole("button", { name: "Close the room" }).click();
      }
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
    "/home?type=story",
    `/home?q=${word.slice(0, 20)}`,
    `/home?writer=${ids[0]}`,
    `/read/${ids[0]}`,
  ]) {
    await page.goto(path);
    await expect(page.getByText(word).first()).toBeAttached();
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      await expectToFit(page, width);
    }
  }
});

async function expectToFit(page: Page, width: number) {
  const pageWidth = await page.evaluate(() => document.documentElement.scrollWidth);
  expect.soft(pageWidth, `${page.url()}, ${width} px wide`).toBeLessThanOrEqual(width);
}

async function search(page: Page) {
  await page.getByRole("searchbox").fill("zzz");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/home?q=zzz");
}

async function follow(page: Page, link: string, path: string) {
  await page.getByRole("link", { name: link, exact: true }).click();
  await expect(page).toHaveURL(path);
}

async function openMessage(page: Page) {
  await page.goto("/rooms/general/messages/filled-0000/actions");
}

async function openEditor(page: Page) {
  await follow(page, "Create", "/create");
  await findRichEditor(page);
}

/** Tabs through the page once. Returns the controls that were not reached, and those that were covered when focused. */
async function walkByKeyboard(page: Page, { hasHidingBars = false }: Screen) {
  await expectLazyScripts(page);
  const session = await page.context().newCDPSession(page);
  const walk = await page.evaluateHandle(watchFocus);
  const read = () =>
    walk.evaluate(({ missed, covered }) => ({ missed: [...missed.values()], covered }));
  let result = await read();
  const limit = 2 * result.missed.length;
  for (let presses = 0; presses < limit && result.missed.length > 0;) {
    // Each missed control takes at least one press, so the result is read only after that many.
    const needed = Math.min(result.missed.length, limit - presses);
    const batch = hasHidingBars ? 1 : needed;
    await pressTab(session, batch);
    presses += batch;
    result = await read();
  }
  await session.detach();
  return result;
}

/**
 * Presses and releases Tab several times in one round trip. With Playwright's two round trips for each, which leave
 * Chromium time to draw the page, it takes three times as much CPU time.
 */
async function pressTab(session: CDPSession, times: number) {
  const key = { key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 };
  const types = Array.from({ length: times }, () => ["rawKeyDown", "keyUp"] as const).flat();
  await Promise.all(types.map((type) => session.send("Input.dispatchKeyEvent", { type, ...key })));
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
