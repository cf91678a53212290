import { test as base } from "./fixtures.ts";
import { createRootWithSwitch } from "./maintenance-switch.ts";

/** Runs an app with a maintenance switch, and with a page that fails. */
export const test = base.extend<object, { appRoot: string }>({
  appRoot: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of fixtures from the braces
    async ({}, use) => {
      await using root = await createRootWithSwitch();
      await use(root.folder);
    },
    { scope: "worker" },
  ],
});
