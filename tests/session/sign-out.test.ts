import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { loader as rootLoader } from "#app/root.tsx";
import { action as token } from "#app/routes/firebase-token.ts";
import { loader as home } from "#app/routes/home.tsx";
import { action as login } from "#app/routes/login.tsx";
import { action as logout } from "#app/routes/logout.ts";
import { action as place } from "#app/routes/place.ts";
import { action as places } from "#app/routes/places.ts";
import { action as profile, loader as profilePage } from "#app/routes/profile.tsx";
import { open, ORCHARD, positionOf } from "#tests/reading/reading.ts";
import { readJson, signIn, startApp, toCookieHeader, type TestApp } from "#tests/support/routes.ts";
import { answerJson, startServer } from "#tests/support/server.ts";

const MINUTE_MS = 60_000;
const NOWHERE = "127.0.0.1:1";

beforeEach(() => void vi.useFakeTimers({ now: Date.now(), toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

/** Returns the same deployment in another isolate, with empty caches. */
const elsewhere = (app: TestApp) => app.withVariables({});

/** Returns whether a cookie still opens the profile in a new isolate. */
async function opensProfile(app: TestApp, cookie: string): Promise<boolean> {
  const answer = await elsewhere(app).send(profilePage, "/profile", { cookie });
  return answer.status === 200;
}

function later(minutes: number) {
  vi.setSystemTime(Date.now() + minutes * MINUTE_MS);
}

function pendingCookie(headers: Headers): string | undefined {
  return headers.getSetCookie().find((cookie) => /^(__Host-)?sign-out=[^;]/.test(cookie));
}

test("LogOut after an idle hour ends the session for copies of its cookie too", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  later(61);

  await app.send(logout, "/logout", { cookie, form: {} });

  expect(await opensProfile(app, cookie)).toBe(false);
});

test.each([
  ["the database", { FIRESTORE_EMULATOR_HOST: NOWHERE }, 0],
  [
    "the sign-in service, with a token that has expired,",
    { FIREBASE_AUTH_EMULATOR_HOST: NOWHERE },
    61,
  ],
])("LogOut while %s is unavailable is finished at the next visit", async (_what, away, minutes) => {
  await using app = await startApp();
  const cut = app.withVariables(away);
  const cookie = await signIn(app, await app.firebase.addAccount());
  later(minutes);

  const answer = await cut.send(logout, "/logout", { cookie, form: {} });

  expect(answer.headers.getSetCookie().join("\n")).toMatch(/__session=; Max-Age=0/);
  expect(answer.headers.getSetCookie().join("\n")).toMatch(/flash=sign-out-pending/);
  const pending = toCookieHeader(
    new Headers({ "Set-Cookie": pendingCookie(answer.headers) ?? "" }),
  );
  expect(pending).not.toBe("");
  // Still unavailable: the cookie stays.
  later(1);
  const still = await cut.send(rootLoader, "/home", { cookie: pending });
  expect(pendingCookie(still.headers)).toBeDefined();

  later(1);
  const next = await app.send(rootLoader, "/home", {
    cookie: toCookieHeader(new Headers({ "Set-Cookie": pendingCookie(still.headers) ?? "" })),
  });

  expect(next.headers.getSetCookie().join("\n")).toMatch(/sign-out=; Max-Age=0/);
  expect(await opensProfile(app, cookie)).toBe(false);
});

test("LogOut needs no sign-in service while the token is valid", async () => {
  await using app = await startApp();
  const cut = app.withVariables({ FIREBASE_AUTH_EMULATOR_HOST: NOWHERE });
  const cookie = await signIn(app, await app.firebase.addAccount());

  const { headers } = await cut.send(logout, "/logout", { cookie, form: {} });

  expect(pendingCookie(headers)).toBeUndefined();
  expect(await opensProfile(app, cookie)).toBe(false);
});

test("two unfinished sign-outs are both finished later", async () => {
  await using app = await startApp();
  const cut = app.withVariables({ FIRESTORE_EMULATOR_HOST: NOWHERE });
  const first = await signIn(app, await app.firebase.addAccount());
  const second = await signIn(app, await app.firebase.addAccount());

  const one = await cut.send(logout, "/logout", { cookie: first, form: {} });
  const pending = toCookieHeader(one.headers);
  const two = await cut.send(logout, "/logout", { cookie: `${second}; ${pending}`, form: {} });
  later(1);
  await app.send(rootLoader, "/home", { cookie: toCookieHeader(two.headers) });

  expect(await opensProfile(app, first)).toBe(false);
  expect(await opensProfile(app, second)).toBe(false);
});

test("keeps the newest unfinished sign-outs that fit into a cookie", async () => {
  await using app = await startApp();
  const cut = app.withVariables({ FIRESTORE_EMULATOR_HOST: NOWHERE });
  const cookies: string[] = [];
  let pending = "";
  for (let count = 0; count < 40; count += 1) {
    const cookie = await signIn(cut, await app.firebase.addAccount());
    cookies.push(cookie);
    const sent = [cookie, pending].filter(Boolean).join("; ");
    const { headers } = await cut.send(logout, "/logout", { cookie: sent, form: {} });
    pending = toCookieHeader(new Headers({ "Set-Cookie": pendingCookie(headers) ?? "" }));
    expect(pending.length).toBeLessThan(4096);
  }

  later(1);
  await app.send(rootLoader, "/home", { cookie: pending });

  for (const cookie of cookies.slice(-3)) expect(await opensProfile(app, cookie)).toBe(false);
}, 30_000);

test("retries after the response, so that a sign-out needs no next request", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const real = globalThis.fetch;
  let failures = 2;
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    const isCommit = new Request(input, init).url.endsWith(":commit");
    if (!isCommit || failures === 0) return real(input, init);
    failures -= 1;
    return Promise.reject(new TypeError("fetch failed"));
  });
  vi.useFakeTimers({ now: Date.now(), toFake: ["Date", "setTimeout", "clearTimeout"] });
  const waited: Promise<unknown>[] = [];
  const request = new Request("http://localhost/logout", {
    method: "POST",
    headers: { Cookie: cookie },
    body: new URLSearchParams(),
  });
  const context = app.contextFor(request);
  context.cloudflare.ctx = { waitUntil: (promise) => void waited.push(promise) };
  await logout({ request, params: {}, context });

  expect(waited.length).toBeGreaterThan(0);
  const all = Promise.all(waited);
  let isDone = false;
  void all.finally(() => (isDone = true));
  while (!isDone) await vi.advanceTimersByTimeAsync(500);

  vi.useRealTimers();
  expect(failures).toBe(0);
  expect(await opensProfile(app, cookie)).toBe(false);
});

test("a new sign-in ends the browser's previous session, even after an idle hour", async () => {
  await using app = await startApp();
  const before = await signIn(app, await app.firebase.addAccount());
  const { email, password } = await app.firebase.addAccount();
  later(61);

  await app.send(login, "/login", { cookie: before, form: { email, password } });

  expect(await opensProfile(app, before)).toBe(false);
});

test("a session created while the database was unavailable is listed later and ends with LogOut", async () => {
  await using app = await startApp();
  const cut = app.withVariables({ FIRESTORE_EMULATOR_HOST: NOWHERE });
  const person = await app.firebase.addAccount();
  const seen = await signIn(cut, person);
  const unseen = await signIn(cut, await app.firebase.addAccount());
  expect(await opensProfile(app, seen)).toBe(true);

  for (const cookie of [seen, unseen]) await app.send(logout, "/logout", { cookie, form: {} });

  expect(await opensProfile(app, seen)).toBe(false);
  expect(await opensProfile(app, unseen)).toBe(false);
  later(61);
  expect(await opensProfile(app, seen)).toBe(false);
  expect(await opensProfile(app, unseen)).toBe(false);
});

const ENDS = {
  "signed out": (app: TestApp, _person: unknown, cookie: string) =>
    app.send(logout, "/logout", { cookie, form: {} }),
  deleted: (app: TestApp, person: Person) => app.firebase.endAccount(person, "deleted"),
  disabled: (app: TestApp, person: Person) => app.firebase.endAccount(person, "disabled"),
  revoked: (app: TestApp, person: Person) => app.firebase.endAccount(person, "revoked"),
};
type Person = Awaited<ReturnType<TestApp["firebase"]["addAccount"]>>;
type End = keyof typeof ENDS;
const ends: End[] = ["signed out", "deleted", "disabled", "revoked"];
const paths = ["/home", "/read/the-lamplighters-orchard", "/create", "/profile"];

const visits = { once: [0], repeatedly: [0, 26, 52] };

test.each(
  ends.flatMap((how) =>
    paths.flatMap((path) =>
      Object.entries(visits).map(([habit, looks]) => ({ how, path, habit, looks })),
    ),
  ),
)(
  "a user whose session was $how is not shown at $path a minute later, after visiting it $habit",
  async ({ how, path, looks }) => {
    await using app = await startApp();
    const person = await app.firebase.addAccount();
    const cookie = await signIn(app, person);
    const there = elsewhere(app);
    const begin = Date.now();
    const look = async (seconds: number) => {
      vi.setSystemTime(begin + seconds * 1000);
      return (await there.send(rootLoader, path, { cookie })).data;
    };
    for (const seconds of looks) {
      expect(await look(seconds)).toMatchObject({ user: { email: person.email } });
    }

    await ENDS[how](app, person, cookie);

    const last = looks.at(-1) ?? 0;
    expect(await look(last + 57)).toMatchObject({ user: null });
  },
);

test("an isolate remembers a session that it has signed out or found ended", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  expect((await app.send(rootLoader, "/home", { cookie })).data).toMatchObject({
    user: expect.anything(),
  });

  await app.send(logout, "/logout", { cookie, form: {} });
  const fetchSpy = vi.spyOn(globalThis, "fetch");

  expect((await app.send(rootLoader, "/home", { cookie })).data).toMatchObject({ user: null });
  const hosts = Object.values(app.firebase.hosts);
  // Requests of earlier tests to a server that is down may still be running.
  const ownRequests = fetchSpy.mock.calls.filter(([url]) =>
    hosts.some((host) => new Request(url).url.startsWith(`http://${host}/`)),
  );
  expect(ownRequests).toEqual([]);
});

test("an answer that is too late for one page is used for the next", async () => {
  await using app = await startApp();
  await using slow = await startServer((response) => {
    setTimeout(() => {
      const error = { code: 400, message: "USER_NOT_FOUND", status: "INVALID_ARGUMENT" };
      answerJson(response, 400, { error });
    }, 1200);
  });
  const cookie = await signIn(app, await app.firebase.addAccount());
  later(1);
  const lame = app.withVariables({ FIREBASE_AUTH_EMULATOR_HOST: slow.host });
  const request = new Request("http://localhost/home", { headers: { Cookie: cookie } });
  const waited: Promise<unknown>[] = [];
  const context = lame.contextFor(request);
  context.cloudflare.ctx = { waitUntil: (promise) => void waited.push(promise) };

  const first = await rootLoader({ request, params: {}, context });
  expect(waited).not.toEqual([]);
  await Promise.all(waited);

  expect(first).toMatchObject({ data: { user: expect.anything() } });
  expect((await lame.send(rootLoader, "/home", { cookie })).data).toMatchObject({ user: null });
});

test.each([
  ["the sign-in service", { FIREBASE_AUTH_EMULATOR_HOST: NOWHERE }, "signed out"],
  ["the database", { FIRESTORE_EMULATOR_HOST: NOWHERE }, "deleted"],
] as const)("while %s is unavailable, the other still ends a session", async (_what, away, how) => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  await ENDS[how](app, person, cookie);
  later(1);
  const cut = app.withVariables(away);

  const page = await cut.send(rootLoader, "/home", { cookie });
  const form = { intent: "save-profile", displayName: "Thief" };
  const acted = await app.withVariables(away).send(profile, "/profile", { cookie, form });

  expect(page.data).toMatchObject({ user: null });
  expect(acted.headers.get("Location")).toBe("/login");
});

test("a reading position is not saved after the session has ended, and the response says so", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  const there = elsewhere(app);
  const send = () =>
    there.send(places, "/places", { cookie, form: { position: JSON.stringify(positionOf()) } });
  expect(await readJson(await send())).toEqual({ isSaved: true });
  await app.send(logout, "/logout", { cookie, form: {} });

  const answer = await send();

  expect(await readJson(answer)).toMatchObject({ isSaved: false });
  expect(answer.headers.get("Set-Cookie")).toMatch(/^__session=; Max-Age=0/);
});

test("Home does not show the stories in progress after the session has ended", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const form = { position: JSON.stringify(positionOf()) };
  await app.send(places, "/places", { cookie, form });
  const open = async () => (await elsewhere(app).send(home, "/home", { cookie })).data;
  expect(await open()).toMatchObject({ inProgress: [{ percent: 60 }] });

  await app.send(logout, "/logout", { cookie, form: {} });

  expect(await open()).toMatchObject({ inProgress: [] });
});

test("a position saved after the session has ended stays on the device", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const there = elsewhere(app);
  expect((await there.send(rootLoader, "/home", { cookie })).status).toBe(200);
  await app.send(logout, "/logout", { cookie, form: {} });
  const story = await open(app, ORCHARD);
  const [, paragraph = ""] = / id="(p-[^"]+)"/.exec(String(story?.html)) ?? [];

  const answer = await there.send(place, "/place", { cookie, form: { story: ORCHARD, paragraph } });

  expect(answer.headers.getSetCookie().join("\n")).toMatch(/__session=; Max-Age=0/);
  expect(answer.headers.getSetCookie().join("\n")).toMatch(/places=/);
});

test("issues no custom token while the session cannot be checked", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());

  for (const name of ["FIREBASE_AUTH_EMULATOR_HOST", "FIRESTORE_EMULATOR_HOST"]) {
    const cut = app.withVariables({ [name]: NOWHERE });
    const answer = await cut.send(token, "/firebase-token", { cookie, form: {} });
    expect(answer.status).toBe(503);
  }
});

test.each(["deleted", "disabled"] as const)(
  "LogOut of an account that was %s leaves no unfinished sign-out",
  async (how) => {
    await using app = await startApp();
    const person = await app.firebase.addAccount();
    const cookie = await signIn(app, person);
    await app.firebase.endAccount(person, how);
    later(61);

    const { headers } = await app.send(logout, "/logout", { cookie, form: {} });

    expect(pendingCookie(headers)).toBeUndefined();
    expect(headers.getSetCookie().join()).not.toContain("sign-out-pending");
  },
);

test.each(["sign-out=nonsense", "sign-out="])(
  "the invalid sign-out cookie %j is removed without a request",
  async (cookie) => {
    await using app = await startApp();
    const asked = vi.spyOn(globalThis, "fetch");

    const { headers } = await app.send(rootLoader, "/home", { cookie });

    expect(headers.get("Set-Cookie")).toMatch(/sign-out=; Max-Age=0/);
    expect(asked).not.toHaveBeenCalled();
  },
);

test("an unfinished sign-out is not retried on every page, and signs no one in", async () => {
  await using app = await startApp();
  const cut = app.withVariables({ FIRESTORE_EMULATOR_HOST: NOWHERE });
  const cookie = await signIn(app, await app.firebase.addAccount());
  const answer = await cut.send(logout, "/logout", { cookie, form: {} });
  const pending = toCookieHeader(answer.headers);
  const asked = vi.spyOn(globalThis, "fetch");

  const page = await cut.send(rootLoader, "/home", { cookie: pending });

  expect(asked).not.toHaveBeenCalled();
  expect(page.data).toMatchObject({ user: null });
  const [, sealed = ""] = /sign-out=([^;]+)/.exec(pending) ?? [];
  const forged = await app.send(rootLoader, "/home", { cookie: `__session=${sealed}` });
  expect(forged.data).toMatchObject({ user: null });
});

test("a page does not wait long for an unfinished sign-out", async () => {
  await using app = await startApp();
  await using silent = await startServer(() => {});
  const cut = app.withVariables({ FIRESTORE_EMULATOR_HOST: NOWHERE });
  const cookie = await signIn(app, await app.firebase.addAccount());
  const { headers } = await cut.send(logout, "/logout", { cookie, form: {} });
  later(1);
  const slow = app.withVariables({ FIREBASE_AUTH_EMULATOR_HOST: silent.host });
  const begin = performance.now();

  const page = await slow.send(rootLoader, "/home", { cookie: toCookieHeader(headers) });

  expect(performance.now() - begin).toBeLessThan(1900);
  expect(pendingCookie(page.headers)).toBeDefined();
});
