import { test as base, type BrowserContext } from "@playwright/test";

import { localVariables } from "#emulator/local-project.ts";
import { startPages } from "#emulator/pages.ts";
import { findFreePort } from "#emulator/ports.ts";
import {
  startFirebase,
  type NewAccount,
  type TestAccount,
  type TestFirebase,
} from "#tests/support/firebase.ts";
import { startEdge } from "./edge.ts";

export { expect } from "@playwright/test";

/** The production build on workerd, with a local Firebase of its own. */
export interface TestApp {
  url: string;
  firebase: TestFirebase;
}

interface TestFixtures {
  /** A fresh account. */
  person: TestAccount;
  /** Adds one more account, with an address of its own unless one is given. */
  addPerson: (account?: NewAccount) => Promise<TestAccount>;
  /** Lets this test log errors that match, in the browser or, as `server: …`, in the app. */
  allowError: (pattern: RegExp) => void;
  /** Fails the test for any other error logged, and leaves an empty Firebase to the next. */
  cleanEnd: void;
}

interface WorkerFixtures {
  /** More of the app's environment. */
  appVariables: Record<string, string>;
  /** The folder of the build and the functions. */
  appRoot: string;
  app: TestApp;
  errorLog: ErrorLog;
}

/** What the app and all pages of the browser logged as errors since the test began. */
interface ErrorLog {
  lines: string[];
  allowed: RegExp[];
}

/** Chromium's own remark on every answer of that kind, which is often what the test is about. */
const REFUSED_REQUEST = /^Failed to load resource: the server responded with a status of 4/;

/** Remix's remark on a page's data that were still coming when somebody went on to another page. */
const ABANDONED_DATA = /^AbortError: signal is aborted without reason\n\s+at .*\/assets\/router-/;

export const test = base.extend<TestFixtures, WorkerFixtures>({
  errorLog: [
    async ({ browser }, use) => {
      const log: ErrorLog = { lines: [], allowed: [] };
      browser.on("context", (context) => listenForErrors(context, log));
      await use(log);
    },
    { scope: "worker" },
  ],

  appVariables: [{}, { option: true, scope: "worker" }],
  appRoot: [".", { option: true, scope: "worker" }],

  app: [
    async ({ appRoot, appVariables, errorLog }, use) => {
      await using firebase = await startFirebase();
      await using pages = await startPages({
        root: appRoot,
        port: await findFreePort(),
        variables: {
          SESSION_SECRET: "a secret that is at least 32 characters",
          ...localVariables(firebase.hosts),
          ...appVariables,
        },
        onError: (line) => errorLog.lines.push(`server: ${line}`),
      });
      await using edge = await startEdge(pages.url);
      await use({ url: edge.url, firebase });
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

  cleanEnd: [
    async ({ app, errorLog }, use) => {
      errorLog.lines = [];
      errorLog.allowed = [REFUSED_REQUEST, ABANDONED_DATA];
      await use();
      await app.firebase.clear();
      const isAllowed = (line: string) => errorLog.allowed.some((pattern) => pattern.test(line));
      const unexpected = errorLog.lines.filter((line) => !isAllowed(line));
      base.expect(unexpected, "no errors are logged unexpectedly").toEqual([]);
    },
    { auto: true },
  ],
});

function listenForErrors(context: BrowserContext, log: ErrorLog): void {
  context.on("console", (message) => {
    if (message.type() === "error") log.lines.push(message.text());
  });
  context.on("weberror", (error) => log.lines.push(error.error().stack ?? error.error().message));
}
