import { defineConfig } from "@playwright/test";

import { requireChromium } from "../support/chromium.ts";

export default defineConfig({
  testMatch: "*.spec.ts",
  outputDir: "../../test-results",
  fullyParallel: true,
  // Every worker runs a browser, the app and a Firebase of its own. Much of their time they wait for each other.
  workers: 2,
  forbidOnly: Boolean(process.env.CI),
  use: {
    browserName: "chromium",
    actionTimeout: 10_000,
    launchOptions: {
      executablePath: requireChromium(),
      args: [
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        // Nothing leaves the machine.
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
      ],
    },
  },
});
