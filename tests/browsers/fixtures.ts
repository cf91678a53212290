import { inject, test as base } from "vitest";

import { getLocalVariables } from "#emulator/local-project.ts";
import { startPages } from "#emulator/pages.ts";
import { findFreePort } from "#emulator/ports.ts";
import { requireChromium } from "#tests/support/chromium.ts";
import { startFirebase, type TestAccount, type TestFirebase } from "#tests/support/firebase.ts";
import type { Browser, BrowserName, BrowserWindow, WindowOptions } from "./browser.ts";
import { createChromium } from "./chromium.ts";
import { createFirefox } from "./firefox.ts";
import { Page } from "./page.ts";
import { findFirefox, findWebKit } from "./programs.ts";
import { startRecordingProxy } from "./recording-proxy.ts";
import { createWebKit } from "./webkit.ts";

declare module "vitest" {
  interface ProvidedContext {
    browser: BrowserName;
  }
}

/** The production build on workerd, with its own local Firebase. */
interface TestApp {
  url: string;
  firebase: TestFirebase;
  /** What went wrong, in pages and on the server. */
  errors: string[];
  /** Cuts the connection between browsers and the app, or restores it. */
  cut: (isCut: boolean) => void;
}

interface Fixtures {
  $file: { app: TestApp; browser: Browser };
  $test: {
    person: TestAccount;
    /** Opens a page in a new window, with its own session if there is a person. */
    openPage: (path: string, options?: PageOptions) => Promise<Page>;
    /** Fails the test if anything went wrong in a page or on the server, and clears Firebase. */
    failOnErrorsAndClear: void;
  };
}

interface PageOptions extends WindowOptions {
  person?: Pick<TestAccount, "email" | "password">;
}

/** Remix logs this in Firefox when the browser navigates while data of the previous page is still streaming. */
const ABORTED_DATA = /^TypeError: Error in input stream/;

export const test = base.extend<Fixtures>({
  app: [
    // oxlint-disable-next-line no-empty-pattern -- Vitest reads the fixtures' names from the pattern
    async ({}, use) => {
      const errors: string[] = [];
      await using firebase = await startFirebase();
      await using pages = await startPages({
        port: await findFreePort(),
        variables: {
          SESSION_SECRET: "a secret that is at least 32 characters",
          ...getLocalVariables(firebase.hosts),
          // Promises write to Firebase directly, which no cache notices.
          PAGE_CACHE: "off",
        },
        onError: (line) => errors.push(`server: ${line}`),
      });
      await using proxy = await startRecordingProxy(pages.url, (error) => errors.push(error));
      await use({ url: proxy.url, firebase, errors, cut: (isCut) => proxy.cut(isCut) });
    },
    { scope: "file" },
  ],

  browser: [
    // oxlint-disable-next-line no-empty-pattern -- as above
    async ({}, use) => {
      await using browser = createBrowser(inject("browser"));
      await use(browser);
    },
    { scope: "file" },
  ],

  person: async ({ app }, use) => {
    await use(await app.firebase.addAccount({ displayName: "Robin Vale" }));
  },

  // As a tuple, because its value is a function, too.
  openPage: [
    async ({ app, browser }, use) => {
      const windows: BrowserWindow[] = [];
      await use(async (path, { person, ...options } = {}) => {
        const window = await browser.openWindow(options);
        windows.push(window);
        await window.resize({ width: 1280, height: 800 });
        const page = new Page(window, app.url, options.hasScripts ?? true);
        if (person) await page.startSession(person);
        await page.open(path);
        return page;
      });
      for (const window of windows) await window[Symbol.asyncDispose]();
    },
    { scope: "test" },
  ],

  failOnErrorsAndClear: [
    async ({ app }, use) => {
      app.errors.length = 0;
      await use();
      app.cut(false);
      await app.firebase.clear();
      const errors = app.errors.filter((error) => !ABORTED_DATA.test(error));
      if (errors.length > 0) throw new Error(`Logged errors:\n${errors.join("\n")}`);
    },
    { auto: true },
  ],
});

function createBrowser(name: BrowserName): Browser {
  if (name === "chromium") return createChromium(requireChromium());
  const firefox = name === "firefox" ? findFirefox() : undefined;
  if (firefox !== undefined) return createFirefox(firefox);
  const webkit = name === "webkit" ? findWebKit() : undefined;
  if (webkit) return createWebKit(webkit);
  throw new Error(`${name} is missing`);
}
