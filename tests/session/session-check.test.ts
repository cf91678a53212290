import { UnsecuredJWT } from "jose";
import { expect, test } from "vitest";

import { toAuthError } from "#app/firebase/auth-error.server.ts";
import { createSessionChecks, type CheckedSession } from "#app/session/session-check.server.ts";

type Source = "provider" | "registry";

const SECOND = 1000;
const START = 1_000_000 * SECOND;
const ENDED = toAuthError("TOKEN_EXPIRED");
const UNAVAILABLE = toAuthError(undefined);

/** Session checks with a clock and sources that the test controls. */
function createChecks() {
  const clock = { now: START };
  const asked: Source[] = [];
  const responses: Record<Source, () => Promise<void>> = {
    provider: () => Promise.resolve(),
    registry: () => Promise.resolve(),
  };
  function ask(source: Source) {
    asked.push(source);
    return responses[source]();
  }
  const checks = createSessionChecks(
    { provider: () => ask("provider"), registry: () => ask("registry") },
    () => clock.now,
  );
  return {
    clock,
    responses,
    checks,
    /** Checks at `seconds` after the start, and returns the checked sources and whether the session has ended. */
    look: async (seconds: number, session = createSession(), isRenewed = false) => {
      clock.now = START + seconds * SECOND;
      asked.length = 0;
      const { requests, result } = checks.checkForPage(session, isRenewed, null);
      return { asked: [...asked], hasEnded: (await result).hasEnded, requests };
    },
  };
}

/** A session with a token issued an hour ago. */
function createSession({ issuedAt = -3600, sessionId = "s1" } = {}): CheckedSession {
  const iat = START / SECOND + issuedAt;
  const idToken = new UnsecuredJWT({ sub: "ana", sessionId }).setIssuedAt(iat).encode();
  return { uid: "ana", idToken, sessionId, device: "" };
}

test("asks the provider and the registry in turn, and both after 50 s without a request", async () => {
  const { look } = createChecks();

  expect((await look(0)).asked).toEqual(["provider", "registry"]);
  expect((await look(24)).asked).toEqual([]);
  expect((await look(25)).asked).toEqual(["provider"]);
  expect((await look(26)).asked).toEqual(["registry"]);
  expect((await look(27)).asked).toEqual([]);
  expect((await look(75)).asked).toEqual(["provider"]);
  expect((await look(76)).asked).toEqual(["registry"]);
  expect((await look(126)).asked).toEqual(["provider", "registry"]);
});

test("the age of a response is counted from its request", async () => {
  const { responses, checks, clock, look } = createChecks();
  responses.provider = () => {
    clock.now += 10 * SECOND;
    return Promise.resolve();
  };

  await checks.checkForAction(createSession());

  expect((await look(30)).asked).toEqual(["provider"]);
});

test("the token's issue time counts as the provider's confirmation on any isolate", async () => {
  const { look } = createChecks();

  expect((await look(10, createSession({ issuedAt: 0 }))).asked).toEqual(["registry"]);
  expect((await look(50, createSession({ issuedAt: 0 }))).asked).toContain("provider");
});

test("a renewed session checks the registry only, and the renewal counts as a request", async () => {
  const { look } = createChecks();
  await look(0);

  expect(await look(1, createSession(), true)).toMatchObject({ asked: ["registry"], requests: 2 });
});

test.each(["provider", "registry"] as const)(
  "a session that the %s has ended stays ended",
  async (source) => {
    const { responses, checks, look } = createChecks();
    responses[source] = () => Promise.reject(ENDED);
    expect((await look(0)).hasEnded).toBe(true);
    responses[source] = () => Promise.resolve();

    expect(await look(1)).toEqual({ asked: [], hasEnded: true, requests: 0 });
    expect(await checks.checkForAction(createSession())).toMatchObject({ hasEnded: true });
  },
);

test.each([
  ["provider", "registry"],
  ["registry", "provider"],
] as const)(
  "while the %s does not respond, the %s still ends a session",
  async (silent, ending) => {
    const { responses, checks, look } = createChecks();
    responses[silent] = () => Promise.reject(UNAVAILABLE);
    responses[ending] = () => Promise.reject(ENDED);

    expect(await checks.checkForAction(createSession({ sessionId: "s2" }))).toMatchObject({
      hasEnded: true,
    });
    expect((await look(0)).hasEnded).toBe(true);
  },
);

test.each(["provider", "registry"] as const)(
  "a %s that does not respond ends nothing, confirms nothing, and is checked again",
  async (source) => {
    const { responses, checks, look } = createChecks();
    responses[source] = () => Promise.reject(UNAVAILABLE);

    expect(await look(0)).toMatchObject({ asked: ["provider", "registry"], hasEnded: false });
    expect(await look(1)).toMatchObject({ asked: [source], hasEnded: false });
    expect(await checks.checkForAction(createSession())).toEqual({
      hasEnded: false,
      isConfirmed: false,
    });
  },
);

test("signing out one session does not end the others", async () => {
  const { checks, look } = createChecks();
  checks.markEnded({ uid: "ana", sessionId: "s1" });

  expect((await look(0)).hasEnded).toBe(true);
  expect((await look(0, createSession({ sessionId: "s2" }))).hasEnded).toBe(false);
});

test("a session that was just added is not checked in the registry at once", async () => {
  const { checks, look } = createChecks();
  checks.markListed({ uid: "ana", sessionId: "s1" });

  expect((await look(0)).asked).toEqual(["provider"]);
  expect((await look(0, createSession({ sessionId: "s2" }))).asked).toEqual([
    "provider",
    "registry",
  ]);
});
