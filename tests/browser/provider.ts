import type { IncomingMessage, ServerResponse } from "node:http";

import { startServer } from "#tests/support/server.ts";
import { test as base } from "./fixtures.ts";

/** Takes the place of Firebase Authentication for the app. */
export interface Provider {
  host: string;
  /** The request handler. Each file sets its own. */
  respond: (response: ServerResponse, request: IncomingMessage) => unknown;
}

/** Runs the app with a provider whose responses the test chooses. */
export const test = base.extend<object, { provider: Provider }>({
  provider: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
    async ({}, use) => {
      const provider: Provider = { host: "", respond: () => {} };
      await using server = await startServer((response, request) =>
        provider.respond(response, request),
      );
      provider.host = server.host;
      await use(provider);
    },
    { scope: "worker" },
  ],
  appVariables: [
    async ({ provider }, use) => use({ FIREBASE_AUTH_EMULATOR_HOST: provider.host }),
    { scope: "worker" },
  ],
});
