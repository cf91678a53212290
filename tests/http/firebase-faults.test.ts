import { expect, test, vi } from "vitest";

import { readEnv } from "#app/env.server.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { createSessionCookie } from "#app/session/session.server.ts";
import { getLocalVariables } from "#emulator/local-project.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { JOURNEY_PARTS, runJourney, type JourneyPart } from "#tests/support/fault-journey.ts";
import type { Fault } from "#tests/support/fault-proxy.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import {
  isGoogleFirestore,
  startFirebase,
  type TestAccount,
  type TestFirebase,
} from "#tests/support/firebase.ts";
import { startPlainBrowser } from "#tests/support/plain-browser.ts";
import {
  FIRST_MESSAGE,
  startServiceProxy,
  STORY,
  STORY_TEXT,
  type Service,
} from "#tests/support/service-proxy.ts";
import { publishStory } from "#tests/support/stories.ts";

const SECRET = "a secret that is at least 32 characters";

/** Seconds for which the writer's token is valid when the journey begins. */
const VALID_SECONDS = { fresh: 3600, renewable: 120, expired: -1 };

const CASES: { service: Service; token: keyof typeof VALID_SECONDS }[] = [
  { service: "auth", token: "fresh" },
  { service: "tokens", token: "renewable" },
  { service: "tokens", token: "expired" },
  { service: "firestore", token: "fresh" },
  { service: "database", token: "fresh" },
];

/** The services that each part of the journey calls. The faults of another service cannot change this part. */
const CALLED: Record<JourneyPart, Service[]> = {
  "a visitor's pages": ["firestore", "database"],
  "signing in and up": ["auth", "firestore", "database"],
  "a writer's pages and forms": ["auth", "tokens", "firestore", "database"],
};

/**
 * The faults without a response. They share a test and run at once, because they mostly wait. That takes several
 * Firebases, and so not Google's emulators, of which all tests share one.
 */
const WAITING: Fault[] = ["hung", "stalled"];

const FAULTS: Fault[][] = [
  ["cut"],
  ["lost"],
  ["error"],
  ["quota"],
  ["partial"],
  ["html"],
  ["garbage"],
  ["twice"],
  ...(isGoogleFirestore ? [] : [WAITING]),
];

/** How long the calls of a page may take together: 1.5 s, and some time for calls that got a response. */
const MAX_PAGE_WAIT_MS = 1600;

/** How long a form waits for a service that does not respond: 2 s, once. */
const MAX_FORM_WAIT_MS = 2200;

/**
 * Shortens the long timeouts of writes, so that the test does not wait for them. Does not change the timeouts of reads.
 */
function shortenTimeouts() {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => timeout(ms > 2000 ? 1500 : ms));
}

/** Returns the headers that sign a user in with a token that is valid for some seconds. */
async function createSession(
  { hosts }: TestFirebase,
  { idToken, refreshToken }: TestAccount,
  expiresIn: number,
): Promise<Headers> {
  const session = createSessionCookie(
    readEnv({ SESSION_SECRET: SECRET, ...getLocalVariables(hosts) }),
    { refresh: () => Promise.reject(new Error("Unexpected refresh")) },
    Date.now,
  );
  const tokens = { idToken, refreshToken, expiresIn };
  return new Headers(await session.createSession(new Request("http://localhost/"), tokens));
}

async function runWithFault(service: Service, token: keyof typeof VALID_SECONDS, fault: Fault) {
  await using firebase = await startFirebase();
  await using proxy = await startServiceProxy(firebase.hosts, service);
  await using browser = await startPlainBrowser(proxy.variables, firebase);
  const writer = await firebase.addAccount({ displayName: "Ana" });
  const other = await firebase.addAccount({ displayName: "Tomas" });
  await publishStory(firebase.hosts, { ...STORY, text: STORY_TEXT, uid: writer.localId });
  await fillRoom(firebase, other, 1, [FIRST_MESSAGE]);
  browser.setCookies(await createSession(firebase, writer, VALID_SECONDS[token]));

  proxy.state.fault = fault;
  const parts = JOURNEY_PARTS.filter((part) => CALLED[part].includes(service));
  const journey = await runJourney(browser, { writer, other, newEmail: "new@example.com", parts });
  proxy.state.fault = "none";

  const again = browser.another();
  // Begins with an action, because actions call a service even while its circuit breaker is open.
  await again.post("/login", { email: writer.email, password: writer.password });
  await journey.repeat(again);
  await journey.expectStored(firebase.hosts);
  return journey.log;
}

/** Runs that do not wait use the processor, so at once they could exceed each other's timeouts. */
async function runInTurn<Value>(runs: (() => Promise<Value>)[]): Promise<Value[]> {
  const values: Value[] = [];
  for (const run of runs) values.push(await run());
  return values;
}

test.each(FAULTS.map((faults) => ({ name: faults.join(" and "), faults })))(
  "whichever service fails, pages and forms respond and store each text once: $name",
  { timeout: 180_000 },
  async ({ faults }) => {
    // The app does not treat a repeated request as an error.
    if (!faults.includes("twice")) expectConsoleError();
    shortenTimeouts();
    const runs = faults.flatMap((fault) =>
      CASES.map(
        ({ service, token }) =>
          () =>
            runWithFault(service, token, fault),
      ),
    );

    const logs = await (faults === WAITING
      ? Promise.all(runs.map((run) => run()))
      : runInTurn(runs));

    for (const { name, waitedMs } of logs.flatMap(({ pages }) => pages)) {
      expect(waitedMs, name).toBeLessThanOrEqual(MAX_PAGE_WAIT_MS);
    }
    for (const { name, waitedMs } of logs.flatMap(({ actions }) => actions)) {
      expect(waitedMs, name).toBeLessThanOrEqual(MAX_FORM_WAIT_MS);
    }
  },
);

test.each(["auth", "tokens"] as const)(
  "what a visitor does without %s never calls it, so no fault of it can change the responses",
  async (service) => {
    await using firebase = await startFirebase();
    await using proxy = await startServiceProxy(firebase.hosts, service);
    await using browser = await startPlainBrowser(proxy.variables, firebase);
    const other = await firebase.addAccount({ displayName: "Tomas" });
    await publishStory(firebase.hosts, { ...STORY, text: STORY_TEXT, uid: other.localId });
    await fillRoom(firebase, other, 1, [FIRST_MESSAGE]);
    const people = { writer: other, other, newEmail: "new@example.com" };
    const parts = JOURNEY_PARTS.filter((part) => !CALLED[part].includes(service));
    proxy.state.fault = "cut";

    const { log } = await runJourney(browser, { ...people, parts });

    expect(log.pages.map(({ name }) => name)).toContain("/home");
    expect(log.actions.every(({ isDone }) => isDone)).toBe(true);
    expect(proxy.log.filter(({ fault }) => fault === "cut")).toEqual([]);
  },
);

test.each([
  ["firestore", "fresh"],
  ["tokens", "expired"],
] as const)(
  "the first message to which %s does not respond gets a response after 2 s, with its text",
  async (service, token) => {
    if (service === "firestore") expectConsoleError();
    await using firebase = await startFirebase();
    await using proxy = await startServiceProxy(firebase.hosts, service);
    await using browser = await startPlainBrowser(proxy.variables, firebase);
    browser.setCookies(
      await createSession(firebase, await firebase.addAccount(), VALID_SECONDS[token]),
    );
    const message = "Words that must stay.";
    proxy.state.fault = "hung";

    const page = await browser.post("/home", { messageId: createDocumentId(), message });

    expect(page.status).toBe(503);
    expect(page.html).toContain(message);
    expect(page.waitedMs).toBeLessThanOrEqual(MAX_FORM_WAIT_MS);
  },
);

test("the profile shows what its tab is about while the provider does not respond", async () => {
  await using firebase = await startFirebase();
  await using proxy = await startServiceProxy(firebase.hosts, "auth");
  await using browser = await startPlainBrowser(proxy.variables, firebase);
  browser.setCookies(await createSession(firebase, await firebase.addAccount(), 3600));
  proxy.state.fault = "hung";

  const page = await browser.get("/profile?tab=answers");

  expect(page.html).toContain("No answers yet.");
  expect(page.waitedMs).toBeLessThanOrEqual(MAX_PAGE_WAIT_MS);
});

test("fifty visitors at once get their pages while Firestore does not respond", async () => {
  expectConsoleError();
  await using firebase = await startFirebase();
  await using proxy = await startServiceProxy(firebase.hosts, "firestore");
  await using browser = await startPlainBrowser(proxy.variables, firebase);
  proxy.state.fault = "hung";
  const visit = () =>
    Promise.all(
      Array.from({ length: 50 }, () => browser.another().get("/read/what-the-heron-keeps")),
    );

  const getFastest = (pages: { ms: number }[]) => Math.min(...pages.map(({ ms }) => ms));
  const waiting = await visit();
  const called = proxy.log.length;
  const pages = await visit();

  for (const { status, html } of pages) {
    expect(status).toBe(200);
    expect(html).toContain("Nothing was lost; try again in a moment.");
  }
  for (const { waitedMs } of [...waiting, ...pages]) {
    expect(waitedMs).toBeLessThanOrEqual(MAX_PAGE_WAIT_MS);
  }
  expect(called).toBeGreaterThanOrEqual(50);
  expect(proxy.log.length - called, "calls of the second fifty").toBeLessThanOrEqual(5);
  // The fastest page does not depend on how busy the machine is.
  expect(getFastest(pages)).toBeLessThan(getFastest(waiting));
});

test("once the service responds, all pages are complete after the next pause", async () => {
  expectConsoleError();
  await using firebase = await startFirebase();
  await publishStory(firebase.hosts, { ...STORY, text: STORY_TEXT });
  await using proxy = await startServiceProxy(firebase.hosts, "firestore");
  await using browser = await startPlainBrowser(proxy.variables, firebase);
  const path = `/read/${STORY.id}`;
  proxy.state.fault = "cut";
  for (let count = 0; count < 5; count += 1) await browser.get(path);
  expect((await browser.get(path)).html).not.toContain(STORY_TEXT);

  proxy.state.fault = "none";

  await expect.poll(async () => (await browser.get(path)).html).toContain(STORY_TEXT);
});

test("after five users have waited a second for new tokens, other users do not wait", async () => {
  await using firebase = await startFirebase();
  await using proxy = await startServiceProxy(firebase.hosts, "tokens");
  await using browser = await startPlainBrowser(proxy.variables, firebase);
  proxy.state.fault = "hung";
  const visit = () =>
    Promise.all(
      Array.from({ length: 5 }, async () => {
        const person = await firebase.addAccount();
        const another = browser.another();
        another.setCookies(await createSession(firebase, person, -1));
        return another.get("/home");
      }),
    );

  await visit();
  const called = proxy.log.filter(({ fault }) => fault === "hung").length;
  const pages = await visit();

  expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  expect(called).toBe(5);
  expect(proxy.log.filter(({ fault }) => fault === "hung")).toHaveLength(called);
});
