import type { IncomingMessage, ServerResponse } from "node:http";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { forwardRequest, startServer } from "#tests/support/server.ts";
import { test as base } from "./fixtures.ts";
import { createRootWithSwitch } from "./maintenance-switch.ts";

/** Takes the place of Firebase Authentication for the app. */
export interface Provider {
  host: string;
  /** The request handler that a file sets. Without one, the local Firebase responds. */
  respond?: (response: ServerResponse, request: IncomingMessage) => unknown;
}

/** Serves a page whose loaders throw, as with a missing variable. */
const FAILING_PAGE = `
import { onRequest as handle } from "../[[path]].ts";
export const onRequest = (context) =>
  handle({ ...context, env: { ...context.env, FIREBASE_PROJECT_ID: "" } });
`;

/**
 * Runs one app for the tests that need another app than the rest: with analytics, with a provider whose responses the
 * test can choose, with a maintenance switch, and with a page that fails: /read/failing.
 */
export const test = base.extend<object, { provider: Provider }>({
  provider: [
    async ({ firebase }, use) => {
      const provider: Provider = { host: "" };
      const host = firebase.hosts.FIREBASE_AUTH_EMULATOR_HOST;
      await using server = await startServer((outgoing, incoming) =>
        provider.respond
          ? provider.respond(outgoing, incoming)
          : forwardRequest(host, { incoming, outgoing }),
      );
      provider.host = server.host;
      await use(provider);
    },
    { scope: "worker" },
  ],
  appVariables: [
    async ({ provider }, use) => {
      await use({
        FIREBASE_AUTH_EMULATOR_HOST: provider.host,
        FIREBASE_APP_ID: "1:2:web:3",
        FIREBASE_MEASUREMENT_ID: "G-TEST",
      });
    },
    { scope: "worker" },
  ],
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
