import { UnsecuredJWT } from "jose";
import { expect, test } from "vitest";

import { readEnv } from "#app/env.server.ts";
import { toAuthError } from "#app/firebase/auth-error.server.ts";
import { createIdentityToolkit } from "#app/firebase/identity-toolkit.server.ts";
import { createSealedCookie } from "#app/http/cookie.server.ts";
import { createSessionCookie } from "#app/session/session.server.ts";
import { startFirebase, type TestAccount, type TestFirebase } from "#tests/support/firebase.ts";
import { sendJson, startServer } from "#tests/support/server.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const SECRET = "a secret that is at least 32 characters";

/** A session cookie with a real Auth emulator and a clock that the test controls. */
async function startSession(
  firebase: TestFirebase,
  variables: Record<string, string> = {},
  timeoutMs?: number,
) {
  const clock = { now: Date.now() };
  const env = readEnv({
    SESSION_SECRET: SECRET,
    FIREBASE_API_KEY: firebase.apiKey,
    FIREBASE_PROJECT_ID: firebase.projectId,
    ...firebase.hosts,
    ...variables,
  });
  const identity = createIdentityToolkit(env);
  const refreshes: string[] = [];
  const session = createSessionCookie(
    env,
    {
      refresh(refreshToken) {
        refreshes.push(refreshToken);
        return identity.refresh(refreshToken);
      },
    },
    () => clock.now,
    timeoutMs === undefined ? undefined : { page: timeoutMs, action: timeoutMs },
  );
  return { clock, env, session, refreshes };
}

function visit(cookie: string): Request {
  return new Request("http://localhost/home", { headers: { Cookie: cookie.split(";")[0] ?? "" } });
}

async function startFor(
  session: Awaited<ReturnType<typeof startSession>>["session"],
  person: TestAccount,
) {
  const { idToken, refreshToken } = person;
  const headers = await session.createSession(visit(""), {
    idToken,
    refreshToken,
    expiresIn: 3600,
  });
  return readSetCookie(headers);
}

function readSetCookie(headers: object): string {
  if (!("Set-Cookie" in headers)) throw new Error("Expected a cookie");
  return String(headers["Set-Cookie"]);
}

test("the cookie identifies the user and cannot be read by the browser", async () => {
  await using firebase = await startFirebase();
  const { session } = await startSession(firebase);
  const person = await firebase.addAccount({ displayName: "Ana Reyes" });

  const cookie = await startFor(session, person);

  expect(await session.read(visit(cookie))).toMatchObject({
    user: {
      uid: person.localId,
      email: person.email,
      displayName: "Ana Reyes",
      idToken: person.idToken,
    },
    headers: {},
  });
  expect(atob(cookie.slice(10).split(".")[0] ?? "")).toBe('{"alg":"dir","enc":"A256GCM"}');
});

test.each([
  ["forged", (cookie: string) => cookie.replace(/.{8};/, "AAAAAAAA;")],
  ["truncated", (cookie: string) => cookie.slice(0, 200)],
  ["plain", () => "__session=eyJhY2NvdW50Ijp7InVpZCI6IngifX0="],
  ["nonsensical", () => "__session=nonsense"],
  ["oversized", (cookie: string) => cookie.replace(";", `${"A".repeat(100_000)};`)],
  ["unencrypted", (cookie: string) => `__session=${new UnsecuredJWT({ value: cookie }).encode()};`],
])("a %s cookie is not a session and is removed", async (_kind, change) => {
  await using firebase = await startFirebase();
  const { session } = await startSession(firebase);
  const cookie = await startFor(session, await firebase.addAccount());

  const visitor = await session.read(visit(change(cookie)));

  expect(visitor).toMatchObject({ user: null });
  expect(readSetCookie(visitor.headers)).toMatch(/^__session=; Max-Age=0/);
});

test("a cookie sealed for another purpose is not a session", async () => {
  await using firebase = await startFirebase();
  const { session, env, clock } = await startSession(firebase);
  const { idToken, refreshToken } = await firebase.addAccount();
  const other = createSealedCookie(env, "other", { maxAgeSeconds: 60, now: () => clock.now });
  const value = { idToken, refreshToken, expiresAt: clock.now + 60 * MINUTE_MS };

  const cookie = (await other.seal(visit(""), value)).replace(/^other/, "__session");

  expect(await session.read(visit(cookie))).toMatchObject({ user: null });
});

test("of two cookies with the same name, only the first is used", async () => {
  await using firebase = await startFirebase();
  const { session } = await startSession(firebase);
  const ana = await firebase.addAccount();
  const [cookie = ""] = (await startFor(session, ana)).split(";");

  const both = new Request("http://localhost/home", {
    headers: { Cookie: `${cookie}; __session=nonsense` },
  });

  expect(await session.read(both)).toMatchObject({ user: { uid: ana.localId } });
});

test("a cookie without an id gets the same id in each copy", async () => {
  await using firebase = await startFirebase();
  const { session, env, clock } = await startSession(firebase);
  const { idToken } = await firebase.addAccount();
  const sealed = createSealedCookie(env, "__session", { maxAgeSeconds: 60, now: () => clock.now });
  const seal = (refreshToken: string) =>
    sealed.seal(visit(""), { idToken, refreshToken, expiresAt: clock.now + 60 * MINUTE_MS });
  const findId = async (cookie: string) => (await session.read(visit(cookie))).user?.sessionId;

  const [one, copy, another] = [await seal("a"), await seal("a"), await seal("b")];

  expect(await findId(one)).toMatch(/^late[A-Za-z0-9]{16}$/);
  expect(await findId(copy)).toBe(await findId(one));
  expect(await findId(another)).not.toBe(await findId(one));
});

test("a cookie from before the last renewal stays valid without a second refresh", async () => {
  await using firebase = await startFirebase();
  const { session, clock, refreshes } = await startSession(firebase);
  const person = await firebase.addAccount();
  const old = await startFor(session, person);
  clock.now += 56 * MINUTE_MS;
  await session.read(visit(old));

  const replayed = await session.read(visit(old));

  expect(replayed.user?.uid).toBe(person.localId);
  expect(readSetCookie(replayed.headers)).toMatch(/^__session=.+; Max-Age=1209600/);
  expect(refreshes).toHaveLength(1);
});

test("parallel requests share one refresh, and all set the new cookie", async () => {
  await using firebase = await startFirebase();
  const { session, clock, refreshes } = await startSession(firebase);
  const cookie = await startFor(session, await firebase.addAccount());
  clock.now += 56 * MINUTE_MS;

  const visitors = await Promise.all(Array.from({ length: 10 }, () => session.read(visit(cookie))));

  expect(refreshes).toHaveLength(1);
  expect(new Set(visitors.map(({ user }) => user?.idToken)).size).toBe(1);
  for (const { headers } of visitors) expect(readSetCookie(headers)).toMatch(/^__session=./);
});

test("a page does not wait long for a provider that does not respond", async () => {
  await using firebase = await startFirebase();
  await using silent = await startServer(() => {});
  const { session, clock } = await startSession(
    firebase,
    { FIREBASE_AUTH_EMULATOR_HOST: silent.host },
    10,
  );
  const person = await firebase.addAccount();
  const cookie = await startFor(session, person);
  clock.now += 56 * MINUTE_MS;

  const { user, headers } = await session.read(visit(cookie));

  expect(user?.uid).toBe(person.localId);
  expect(user?.idToken).toBe(person.idToken);
  // No request retries within the next 30 s.
  expect(await session.read(visit(readSetCookie(headers)))).toMatchObject({ headers: {} });
});

test("the cookie ends 14 days after its last renewal", async () => {
  await using firebase = await startFirebase();
  const { session, clock } = await startSession(firebase);
  const person = await firebase.addAccount();
  const cookie = await startFor(session, person);
  const user = { uid: person.localId };

  clock.now += 13 * DAY_MS;
  const renewed = readSetCookie((await session.read(visit(cookie))).headers);
  expect(renewed).toContain("; Max-Age=1209600;");
  clock.now += 14 * DAY_MS - 1000;
  expect(await session.read(visit(renewed))).toMatchObject({ user });
  expect(await session.read(visit(cookie))).toMatchObject({ user: null });
  clock.now += 1000;

  expect(await session.read(visit(renewed))).toMatchObject({ user: null });
});

test("cookies with the previous secret stay valid, and those with an unknown one do not", async () => {
  await using firebase = await startFirebase();
  const person = await firebase.addAccount();
  const cookie = await startFor((await startSession(firebase)).session, person);
  const next = "another secret of at least 32 characters";

  const rotated = await startSession(firebase, {
    SESSION_SECRET: next,
    SESSION_SECRET_PREVIOUS: SECRET,
  });
  expect(await rotated.session.read(visit(cookie))).toMatchObject({
    user: { uid: person.localId },
  });

  const foreign = await startSession(firebase, { SESSION_SECRET: next });
  expect(await foreign.session.read(visit(cookie))).toMatchObject({ user: null });

  // Renewed sessions are sealed with the new secret, so the old one can be removed in the end.
  rotated.clock.now += 56 * MINUTE_MS;
  const renewed = readSetCookie((await rotated.session.read(visit(cookie))).headers);
  expect(await foreign.session.read(visit(renewed))).toMatchObject({
    user: { uid: person.localId },
  });
});

test("a token is renewed when less than 5 minutes are left, with a new cookie", async () => {
  await using firebase = await startFirebase();
  const { session, clock, refreshes } = await startSession(firebase);
  const person = await firebase.addAccount();
  const cookie = await startFor(session, person);

  clock.now += 54 * MINUTE_MS;
  expect(await session.read(visit(cookie))).toMatchObject({ headers: {} });
  expect(refreshes).toEqual([]);

  clock.now += 2 * MINUTE_MS;
  const { user, headers } = await session.read(visit(cookie));
  expect(user?.uid).toBe(person.localId);
  expect(refreshes).toEqual([person.refreshToken]);

  await session.read(visit(readSetCookie(headers)));
  expect(refreshes).toHaveLength(1);
});

test.each(["deleted", "disabled"] as const)(
  "a user whose account is %s is signed out at the next renewal",
  async (how) => {
    await using firebase = await startFirebase();
    const { session, clock } = await startSession(firebase);
    const person = await firebase.addAccount();
    const cookie = await startFor(session, person);
    await firebase.endAccount(person, how);

    clock.now += 58 * MINUTE_MS;
    const { user, headers } = await session.read(visit(cookie));

    expect(user).toBeNull();
    expect(readSetCookie(headers)).toMatch(/^__session=; Max-Age=0/);
  },
);

test.each([
  [503, { error: { message: "The service is currently unavailable." } }],
  [429, { error: { message: "RESOURCE_EXHAUSTED : Quota exceeded" } }],
  [500, {}],
  [200, { nonsense: true }],
])("the response %i %j does not end the session", async (status, body) => {
  await using firebase = await startFirebase();
  await using broken = await startServer((response) => sendJson(response, status, body));
  const { session, clock } = await startSession(firebase, {
    FIREBASE_AUTH_EMULATOR_HOST: broken.host,
  });
  const cookie = await startFor(session, await firebase.addAccount());

  clock.now += 58 * MINUTE_MS;

  expect(await session.read(visit(cookie))).toMatchObject({ user: expect.anything() });
});

test.each(["TOKEN_EXPIRED", "USER_DISABLED", "USER_NOT_FOUND", "INVALID_REFRESH_TOKEN"])(
  "the error %s ends the session",
  async (message) => {
    await using firebase = await startFirebase();
    await using rejecting = await startServer((response) => {
      const body = { error: { code: 400, message, status: "INVALID_ARGUMENT" } };
      sendJson(response, 400, body);
    });
    const { session, clock } = await startSession(firebase, {
      FIREBASE_AUTH_EMULATOR_HOST: rejecting.host,
    });
    const cookie = await startFor(session, await firebase.addAccount());

    clock.now += 58 * MINUTE_MS;
    const { user, headers } = await session.read(visit(cookie));

    expect(user).toBeNull();
    expect(readSetCookie(headers)).toMatch(/^__session=; Max-Age=0/);
  },
);

test("an unavailable provider is retried after 30 s, doubling up to 16 min", async () => {
  await using firebase = await startFirebase();
  const { session, clock, refreshes } = await startSession(firebase, {
    FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1",
  });
  let cookie = await startFor(session, await firebase.addAccount());
  const person = await session.read(visit(cookie));
  clock.now += 56 * MINUTE_MS;

  const waits: number[] = [];
  for (let failures = 0; failures < 8; failures += 1) {
    const { headers } = await session.read(visit(cookie));
    expect(refreshes).toHaveLength(failures + 1);
    cookie = readSetCookie(headers);

    let waited = 0;
    while (refreshes.length === failures + 1) {
      waited += 10;
      clock.now += 10_000;
      await session.read(visit(cookie));
    }
    refreshes.pop();
    waits.push(waited);
  }
  expect(waits).toEqual([30, 60, 120, 240, 480, 960, 960, 960]);

  // The session still has a user, but no usable token.
  expect(await session.read(visit(cookie))).toMatchObject({
    user: { ...person.user, idToken: null },
  });
});

test("a token counts as expired 30 s early", async () => {
  await using firebase = await startFirebase();
  const { session, clock } = await startSession(firebase, {
    FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1",
  });
  const cookie = await startFor(session, await firebase.addAccount());

  clock.now += 59 * MINUTE_MS + 29_000;
  expect(await session.read(visit(cookie))).toMatchObject({
    user: { idToken: expect.any(String) },
  });

  clock.now += 2000;
  expect(await session.read(visit(cookie))).toMatchObject({ user: { idToken: null } });
});

test("throws when a session is too large for a cookie", async () => {
  await using firebase = await startFirebase();
  const { session } = await startSession(firebase);
  const { idToken } = await firebase.addAccount();

  const tokens = { idToken, refreshToken: "x".repeat(4000), expiresIn: 3600 };

  await expect(session.createSession(visit(""), tokens)).rejects.toThrow(RangeError);
});

test("a renewed token that is too long for the cookie ends the session", async () => {
  await using firebase = await startFirebase();
  const person = await firebase.addAccount();
  await using renewing = await startServer((response) => {
    const id_token = person.idToken + "x".repeat(4000);
    sendJson(response, 200, { id_token, refresh_token: "later", expires_in: "3600" });
  });
  const { session, clock } = await startSession(firebase, {
    FIREBASE_AUTH_EMULATOR_HOST: renewing.host,
  });
  const cookie = await startFor(session, person);

  clock.now += 58 * MINUTE_MS;
  const { user, hasEnded, headers } = await session.read(visit(cookie));

  expect([user, hasEnded]).toEqual([null, true]);
  expect(readSetCookie(headers)).toMatch(/^__session=; Max-Age=0/);
});

test("production's longer tokens fit into the cookie", async () => {
  await using firebase = await startFirebase();
  const { session } = await startSession(firebase);
  const { idToken } = await firebase.addAccount({
    displayName: "A name of some forty characters, all told",
    photoUrl: `https://lh3.googleusercontent.com/a/${"x".repeat(120)}`,
  });
  // An RS256 signature has 342 characters, and one of Google's refresh tokens about 350.
  const tokens = {
    idToken: idToken + "x".repeat(342),
    refreshToken: "x".repeat(400),
    expiresIn: 3600,
  };

  for (const request of [visit(""), new Request("https://inkglade.example/home")]) {
    expect(readSetCookie(await session.createSession(request, tokens)).length).toBeLessThan(4096);
  }
});

test("distinguishes an ended session from an unavailable provider", () => {
  expect(toAuthError("TOKEN_EXPIRED").code).toBe("user-token-expired");
  expect(toAuthError(undefined).code).toBe("network-request-failed");
});
