import { defineConfig } from "@playwright/test";

import { requireChromium } from "../support/chromium.ts";

/** Tests that start their own app or server. The files in one entry share a server. */
const OWN_SERVERS = {
  "connections that fail": /\/(?:faults|offline|page-cache|room-outage)\.spec\.ts$/,
  "the gallery": /\/gallery\.spec\.ts$/,
  "a changed app": /\/(?:consent|error-page|maintenance|refresh|sign-in-errors)\.spec\.ts$/,
};

export default defineConfig({
  // Tests with their own server run first, so that at the end every worker can run any of the others.
  projects: [
    // In one worker at a time, so that the server starts only once.
    ...Object.entries(OWN_SERVERS).map(([name, testMatch]) => ({ name, testMatch, workers: 1 })),
    { name: "shared app", testMatch: "*.spec.ts", testIgnore: Object.values(OWN_SERVERS) },
  ],
  outputDir: "../../test-results",
  fullyParallel: true,
  // Each worker has its own browser, app and Firebase, so workers never share data. With more than one for each of two
  // cores, Firebase can respond later than the app waits. A shared Firestore serves one after the other.
  workers: process.env.TEST_FIRESTORE_HOST ? 1 : 2,
  // Far more than any test needs, because a busy machine responds late. Tests that promise a time measure it
  // themselves. Google's emulator is slow.
  timeout: process.env.TEST_FIRESTORE_HOST ? 180_000 : 60_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  use: {
    browserName: "chromium",
    // Requests of a service worker would pass by the routes of a test.
    serviceWorkers: "block",
    actionTimeout: 15_000,
    launchOptions: {
      executablePath: requireChromium(),
      args: [
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // Fewer processes take a tenth less time. Tests open no pages of other sites.
        "--disable-gpu",
        "--in-process-gpu",
        "--disable-site-isolation-trials",
        "--disable-features=IsolateOrigins,site-per-process,SpareRendererForSitePerProcess",
        // Blocks requests to other machines.
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
      ],
    },
  },
});
