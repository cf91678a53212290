import { mkdir } from "node:fs/promises";

import { chromium, type Page } from "@playwright/test";

import { createRootWithSwitch, toggleMaintenance } from "#tests/browser/maintenance-switch.ts";
import { requireChromium } from "#tests/support/chromium.ts";
import { startProduction } from "./production.ts";

// Takes screenshots of every screen of the production build into shots/, at three widths and in both themes.

const FOLDER = "shots";
const WIDTHS = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
];

/** The rich editor, which replaces the text area. */
const EDITOR = "[contenteditable=true]";

const SIGNED_OUT: Record<string, (page: Page) => Promise<unknown>> = {
  home: (page) => page.goto("/home"),
  "home-room": openRoom,
  login: (page) => page.goto("/login"),
  "login-error": async (page) => {
    await page.goto("/login");
    await page.getByLabel("E-mail").fill("nobody@example.com");
    await page.getByRole("button", { name: "Login" }).click();
    await page.getByRole("alert").waitFor();
  },
  register: (page) => page.goto("/register"),
  "register-errors": async (page) => {
    await page.goto("/register");
    await page.getByLabel("E-mail").fill("ana");
    await page.getByRole("button", { name: "Register" }).click();
    await page.getByText("Invalid email").waitFor();
  },
  "reset-password": (page) => page.goto("/login?reset=1"),
  "search-empty": (page) => page.goto("/home?q=zzz"),
  read: (page) => page.goto("/read/the-lamplighters-orchard"),
  "read-settings": async (page) => {
    await page.goto("/read/the-lamplighters-orchard");
    await page.locator("summary").filter({ hasText: "Type" }).click();
  },
  "read-unknown": (page) => page.goto("/read/no-such-story"),
  error: (page) => page.goto("/no-such-file.txt"),
};

const SIGNED_IN: typeof SIGNED_OUT = {
  "home-room-signed-in": openRoom,
  profile: (page) => page.goto("/profile"),
  security: (page) => page.goto("/profile?tab=security"),
  create: async (page) => {
    await page.goto("/create");
    await page.locator(EDITOR).waitFor();
  },
  "create-draft": async (page) => {
    await page.goto("/create");
    await page.locator(EDITOR).waitFor();
    await page.getByLabel("Title").fill("Salt and Sand");
    await page.locator(EDITOR).fill("The tide came in.");
    await page.getByText("Saved to your account").waitFor();
  },
};

const MAINTENANCE: typeof SIGNED_OUT = { maintenance: (page) => page.goto("/home") };

await mkdir(FOLDER, { recursive: true });
await using root = await createRootWithSwitch();
await using app = await startProduction({ root: root.folder, messages: 8 });
await using browser = await chromium.launch({ executablePath: requireChromium() });

await takeScreenshots(SIGNED_OUT);
await takeScreenshots(SIGNED_IN, app.cookie);
await toggleMaintenance(app.url);
await takeScreenshots(MAINTENANCE);

async function takeScreenshots(screens: typeof SIGNED_OUT, cookie?: string) {
  for (const viewport of WIDTHS) {
    for (const colorScheme of ["light", "dark"] as const) {
      const reducedMotion = "reduce";
      await using context = await browser.newContext({
        baseURL: app.url,
        viewport,
        colorScheme,
        reducedMotion,
      });
      if (cookie !== undefined) await context.addCookies([toCookie(cookie)]);
      for (const [name, open] of Object.entries(screens)) {
        await using page = await context.newPage();
        await open(page);
        await waitForFontsAndImages(page);
        const path = `${FOLDER}/${name}-${colorScheme}-${viewport.width}.png`;
        await page.screenshot({ path, fullPage: true });
      }
    }
  }
}

async function openRoom(page: Page) {
  await page.goto("/home#room");
  await page.locator("[data-live=live]").waitFor();
}

/** Waits for fonts and lazy images, then scrolls to the top. */
async function waitForFontsAndImages(page: Page) {
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (const image of document.images) image.loading = "eager";
    await Promise.allSettled(Array.from(document.images, (image) => image.decode()));
    scrollTo({ top: 0, behavior: "instant" });
  });
}

function toCookie(header: string) {
  const [name = "", ...value] = header.split("=");
  return { name, value: value.join("="), url: app.url };
}
