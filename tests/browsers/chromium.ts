import { chromium, type Browser as PlaywrightBrowser, type Page } from "@playwright/test";

import type { Browser, BrowserWindow, InputDevice, WindowOptions } from "./browser.ts";
import { KEYS } from "./keys.ts";

/** Returns Chromium, which Playwright drives. */
export function createChromium(executablePath: string): Browser {
  let started: Promise<PlaywrightBrowser> | undefined;
  return {
    async openWindow(options) {
      started ??= chromium.launch({ executablePath });
      return await openWindow(await started, options);
    },
    async [Symbol.asyncDispose]() {
      await (await started)?.close();
    },
  };
}

async function openWindow(
  browser: PlaywrightBrowser,
  { hasScripts = true }: WindowOptions = {},
): Promise<BrowserWindow> {
  const context = await browser.newContext({ javaScriptEnabled: hasScripts });
  const page = await context.newPage();
  return {
    async open(url) {
      await page.goto(url);
    },
    async reload() {
      await page.reload();
    },
    async back() {
      await page.goBack();
    },
    evaluate: (expression) => page.evaluate(expression),
    async perform(devices) {
      for (const device of devices) await perform(page, device);
    },
    resize: (size) => page.setViewportSize(size),
    [Symbol.asyncDispose]: () => context.close(),
  };
}

async function perform({ keyboard, mouse }: Page, device: InputDevice): Promise<void> {
  if (device.type === "key") {
    for (const { type, value } of device.actions) {
      const [name = value] = Object.entries(KEYS).find(([, code]) => code === value) ?? [];
      await (type === "keyDown" ? keyboard.down(name) : keyboard.up(name));
    }
  } else if (device.type === "wheel") {
    for (const { x, y, deltaX, deltaY } of device.actions) {
      await mouse.move(x, y);
      await mouse.wheel(deltaX, deltaY);
    }
  } else {
    for (const action of device.actions) {
      if (action.type === "pointerMove") await mouse.move(action.x, action.y);
      else await (action.type === "pointerDown" ? mouse.down() : mouse.up());
    }
  }
}
