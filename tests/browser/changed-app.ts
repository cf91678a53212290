import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { test as base } from "./fixtures.ts";
import { createRootWithSwitch } from "./maintenance-switch.ts";

/** Serves a page whose loaders throw, as with a missing variable. */
const FAILING_PAGE = `
import { onRequest as handle } from "../[[path]].ts";
export const onRequest = (context) =>
  handle({ ...context, env: { ...context.env, FIREBASE_PROJECT_ID: "" } });
`;

/** Runs an app with a maintenance switch, and with a page that fails: /read/failing. */
export const test = base.extend({
  appRoot: [
    async ({ appRoot }, use) => {
      await using root = await createRootWithSwitch(appRoot);
      await mkdir(join(root.folder, "functions/read"));
      await writeFile(join(root.folder, "functions/read/failing.js"), FAILING_PAGE);
      await use(root.folder);
    },
    { scope: "worker" },
  ],
});
