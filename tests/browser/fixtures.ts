import { test as base, type BrowserContext } from "@playwright/test";

import { getLocalVariables } from "#emulator/local-project.ts";
import { startPages } from "#emulator/pages.ts";
import { findFreePort } from "#emulator/ports.ts";
import {
  startFirebase,
  type NewAccount,
  type TestAccount,
  type TestFirebase,
} from "#tests/support/firebase.ts";
import { startCachingProxy } from "./caching-proxy.ts";
import { waitForHydrationAfterLoad } from "./hydration.ts";

export { expect } from "./expect.ts";

/** The production build on workerd with its own local Firebase. */
export interface TestApp {
  url: string;
  firebase: TestFirebase;
  /** Resolves when the app has responded to every request. */
  settled: () => Promise<void>;
}

interface TestFixtures {
  /** A new account. */
  person: TestAccount;
  /** Creates another account, by default with a random e-mail. */
  addPerson: (account?: NewAccount) => Promise<TestAccount>;
  /** Allows this test to log matching errors, in the browser or on the server (`server: …`). */
  allowError: (pattern: RegExp) => void;
  /** Fails the test if it logs any other error, and clears Firebase for the next test. */
  failOnErrorsAndClear: void;
}

interface WorkerFixtures {
  /** Additional environment variables of the app. */
  appVariables: Record<string, string>;
  /** The folder with the build and the functions. */
  appRoot: string;
  firebase: TestFirebase;
  app: TestApp;
  errorLog: ErrorLog;
}

/** The errors logged by the app and by all pages since the test started. */
interface ErrorLog {
  lines: string[];
  allowed: RegExp[];
}

/** What Chromium and Firestore's SDK log while a browser is offline. */
export const OFFLINE =
  /ERR_INTERNET_DISCONNECTED|WebChannelConnection|WebSocket|Could not reach Cloud Firestore backend/;

/** Chromium logs this for every 4xx response, which many tests provoke. */
const CLIENT_ERROR_RESPONSE = /^Failed to load resource: the server responded with a status of 4/;

/** Remix logs this when a navigation or another press of a button replaces a request whose data is still streaming. */
const ABORTED_DATA =
  /^AbortError: (?:signal is aborted without reason|BodyStreamBuffer was aborted)\n\s+at .*\/assets\/libraries-/;

/** Firestore's SDK requests this picture after a failed connection, to learn whether the browser is offline. */
const NETWORK_TEST =
  /^Failed to load resource: \S+ https:\/\/www\.google\.com\/images\/cleardot\.gif/;

export const test = base.extend<TestFixtures, WorkerFixtures>({
  errorLog: [
    async ({ browser }, use) => {
      const log: ErrorLog = { lines: [], allowed: [] };
      browser.on("context", (context) => {
        listenForErrors(context, log);
        context.on("page", waitForHydrationAfterLoad);
      });
      await use(log);
    },
    { scope: "worker" },
  ],

  appVariables: [{}, { option: true, scope: "worker" }],
  appRoot: [".", { option: true, scope: "worker" }],

  firebase: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
    async ({}, use) => {
      await using firebase = await startFirebase();
      await use(firebase);
    },
    { scope: "worker" },
  ],

  app: [
    async ({ appRoot, appVariables, errorLog, firebase }, use) => {
      await using pages = await startPages({
        root: appRoot,
        port: await findFreePort(),
        variables: {
          SESSION_SECRET: "a secret that is at least 32 characters",
          ...getLocalVariables(firebase.hosts),
          // Tests write to Firebase directly, which no cache notices.
          PAGE_CACHE: "off",
          ...appVariables,
        },
        onError: (line) => errorLog.lines.push(`server: ${line}`),
      });
      await using proxy = await startCachingProxy(pages.url, {
        onError: (line) => errorLog.lines.push(`proxy: ${line}`),
      });
      await use({ url: proxy.url, firebase, settled: () => proxy.settled() });
    },
    { scope: "worker", timeout: 90_000 },
  ],

  baseURL: async ({ app }, use) => {
    await use(app.url);
  },

  addPerson: async ({ app }, use) => {
    await use((account) => app.firebase.addAccount(account));
  },

  person: async ({ addPerson }, use) => {
    await use(await addPerson({ displayName: "Robin Vale" }));
  },

  allowError: async ({ errorLog }, use) => {
    await use((pattern) => void errorLog.allowed.push(pattern));
  },

  failOnErrorsAndClear: [
    async ({ app, appVariables, errorLog }, use) => {
      errorLog.lines = [];
      errorLog.allowed = [CLIENT_ERROR_RESPONSE, ABORTED_DATA, NETWORK_TEST];
      await use();
      // A message that is still being sent would be stored later, and shown to the next test.
      await app.settled();
      await app.firebase.clear();
      // A test's own services may not respond.
      if (Object.keys(appVariables).length === 0) await closeCircuitBreakers(app.url);
      const isAllowed = (line: string) => errorLog.allowed.some((pattern) => pattern.test(line));
      const unexpected = errorLog.lines.filter((line) => !isAllowed(line));
      base.expect(unexpected, "no unexpected errors are logged").toEqual([]);
    },
    { auto: true },
  ],
});

/**
 * Lets the app call each of Firebase's services. One that responded too late on a busy machine would be missing from
 * the first pages of the next test.
 */
async function closeCircuitBreakers(url: string): Promise<void> {
  const response = await fetch(`${url}/healthz`);
  await response.arrayBuffer();
}

function listenForErrors(context: BrowserContext, log: ErrorLog): void {
  context.on("console", (message) => {
    if (message.type() !== "error") return;
    // The text does not name the file or request that failed.
    const { url } = message.location();
    const isFailure = message.text().startsWith("Failed to load resource");
    log.lines.push(isFailure ? `${message.text()} ${url}` : message.text());
  });
  // Chromium does not log a violation of our policy that throws an error, such as an evaluated string.
  void context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", (violation) => {
      const { violatedDirective, blockedURI, sourceFile } = violation;
      console.error(`Content Security Policy: ${violatedDirective} ${blockedURI} ${sourceFile}`);
    });
  });
  context.on("weberror", (error) => log.lines.push(error.error().stack || error.error().message));
}
