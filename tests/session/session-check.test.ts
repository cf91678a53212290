import { UnsecuredJWT } from "jose";
import { expect, test } from "vitest";

import { toProviderError } from "#app/firebase/auth-error.server.ts";
import { createSessionChecks, type CheckedSession } from "#app/session/session-check.server.ts";

type Source = "provider" | "list";

const SECOND = 1000;
const START = 1_000_000 * SECOND;
const OVER = toProviderError("TOKEN_EXPIRED");
const SILENT = toProviderError(undefined);

/** Checks with a clock of their own, on sources that answer as the test wants. */
function createChecks() {
  const clock = { now: START };
  const asked: Source[] = [];
  const answers: Record<Source, () => Promise<void>> = {
    provider: () => Promise.resolve(),
    list: () => Promise.resolve(),
  };
  function ask(source: Source) {
    asked.push(source);
    return answers[source]();
  }
  const checks = createSessionChecks(
    { provider: () => ask("provider"), list: () => ask("list") },
    () => clock.now,
  );
  return {
    clock,
    answers,
    checks,
    /** Looks at a time, and returns what was asked and whether the session is over. */
    look: async (seconds: number, session = anas(), isRenewed = false) => {
      clock.now = START + seconds * SECOND;
      asked.length = 0;
      const { isOver, requests } = checks.look(session, isRenewed, null);
      return { asked: [...asked], isOver: await isOver, requests };
    },
  };
}

/** A session with a token of an hour ago. */
function anas({ issuedAt = -3600, sessionId = "s1" } = {}): CheckedSession {
  const iat = START / SECOND + issuedAt;
  const idToken = new UnsecuredJWT({ sub: "ana", sessionId }).setIssuedAt(iat).encode();
  return { uid: "ana", idToken, sessionId, device: "" };
}

test("both are asked at first, then one in turn every 25 s, and both after 50 s without a visit", async () => {
  const { look } = createChecks();

  expect((await look(0)).asked).toEqual(["provider", "list"]);
  expect((await look(24)).asked).toEqual([]);
  expect((await look(25)).asked).toEqual(["provider"]);
  expect((await look(26)).asked).toEqual(["list"]);
  expect((await look(27)).asked).toEqual([]);
  expect((await look(75)).asked).toEqual(["provider"]);
  expect((await look(76)).asked).toEqual(["list"]);
  expect((await look(126)).asked).toEqual(["provider", "list"]);
});

test("an answer counts from when it was asked for", async () => {
  const { answers, checks, clock, look } = createChecks();
  answers.provider = () => {
    clock.now += 10 * SECOND;
    return Promise.resolve();
  };

  await checks.demand(anas());

  expect((await look(30)).asked).toEqual(["provider"]);
});

test("a token tells itself when the provider confirmed it, on whatever isolate that was", async () => {
  const { look } = createChecks();

  expect((await look(10, anas({ issuedAt: 0 }))).asked).toEqual(["list"]);
  expect((await look(50, anas({ issuedAt: 0 }))).asked).toContain("provider");
});

test("of a renewed session the list is asked, and the renewal counts as a request", async () => {
  const { look } = createChecks();
  await look(0);

  expect(await look(1, anas(), true)).toMatchObject({ asked: ["list"], requests: 2 });
});

test.each(["provider", "list"] as const)(
  "a session that the %s has ended stays over",
  async (source) => {
    const { answers, checks, look } = createChecks();
    answers[source] = () => Promise.reject(OVER);
    expect((await look(0)).isOver).toBe(true);
    answers[source] = () => Promise.resolve();

    expect(await look(1)).toEqual({ asked: [], isOver: true, requests: 0 });
    await expect(checks.demand(anas())).rejects.toMatchObject({ code: "user-token-expired" });
  },
);

test.each([
  ["provider", "list"],
  ["list", "provider"],
] as const)("when the %s is silent the %s still ends a session", async (silent, ending) => {
  const { answers, checks, look } = createChecks();
  answers[silent] = () => Promise.reject(SILENT);
  answers[ending] = () => Promise.reject(OVER);

  await expect(checks.demand(anas({ sessionId: "s2" }))).rejects.toMatchObject({
    code: "user-token-expired",
  });
  expect((await look(0)).isOver).toBe(true);
});

test.each(["provider", "list"] as const)(
  "a %s that is silent ends nothing, confirms nothing, and is asked again",
  async (source) => {
    const { answers, checks, look } = createChecks();
    answers[source] = () => Promise.reject(SILENT);

    expect(await look(0)).toMatchObject({ asked: ["provider", "list"], isOver: false });
    expect(await look(1)).toMatchObject({ asked: [source], isOver: false });
    await expect(checks.demand(anas())).rejects.toBe(SILENT);
  },
);

test("one session that is signed out leaves the others of its person, and those who share nothing with it", async () => {
  const { checks, look } = createChecks();
  checks.end({ uid: "ana", sessionId: "s1" });

  expect((await look(0)).isOver).toBe(true);
  expect((await look(0, anas({ sessionId: "s2" }))).isOver).toBe(false);
});

test("a session that is new on the list is not looked up there at once", async () => {
  const { checks, look } = createChecks();
  checks.confirm({ uid: "ana", sessionId: "s1" });

  expect((await look(0)).asked).toEqual(["provider"]);
  expect((await look(0, anas({ sessionId: "s2" }))).asked).toEqual(["provider", "list"]);
});
