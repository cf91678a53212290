import { afterEach, expect, test, vi } from "vitest";
import * as z from "zod";

import { loader as rootLoader } from "#app/root.tsx";
import { action as drafts } from "#app/routes/drafts.ts";
import { action as token } from "#app/routes/firebase-token.ts";
import { loader as home, action as sendMessage } from "#app/routes/home.tsx";
import { action as login } from "#app/routes/login.tsx";
import { action as logout } from "#app/routes/logout.ts";
import { action as places } from "#app/routes/places.ts";
import { action, loader } from "#app/routes/profile.tsx";
import { action as register } from "#app/routes/register.tsx";
import { loader as summary } from "#app/routes/room-summary.ts";
import { positionOf } from "#tests/reading/reading.ts";
import { readDocument } from "#tests/support/documents.ts";
import type { TestAccount } from "#tests/support/firebase.ts";
import { completeGoogleSignIn } from "#tests/support/google-sign-in.ts";
import { toMessageForm } from "#tests/support/message-form.ts";
import { startApp, toCookieHeader, type TestApp } from "#tests/support/routes.ts";
import { answerJson, startServer } from "#tests/support/server.ts";

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";
const SECURITY = "/profile?tab=security";

const pageSchema = z.object({
  security: z.object({
    sessions: z.array(
      z.object({ id: z.string(), device: z.string(), isHere: z.boolean(), seenAt: z.string() }),
    ),
  }),
});

afterEach(() => void vi.useRealTimers());

/** Signs in with a `User-Agent`. */
async function signInWith(app: TestApp, { email, password }: TestAccount, userAgent: string) {
  const headers = { "User-Agent": userAgent };
  const answer = await app.send(login, "/login", { form: { email, password }, headers });
  expect(answer.status).toBe(303);
  return toCookieHeader(answer.headers);
}

async function listSessions(app: TestApp, cookie: string) {
  const { data } = await app.send(loader, SECURITY, { cookie });
  return pageSchema.parse(data).security.sessions;
}

async function listDevices(app: TestApp, cookie: string) {
  return (await listSessions(app, cookie)).map(({ device, isHere }) => [device, isHere]);
}

/** Ends the other of two sessions. */
async function endOther(app: TestApp, cookie: string) {
  const other = (await listSessions(app, cookie)).find(({ isHere }) => !isHere);
  const form = { intent: "end-session", session: other?.id ?? "" };
  return app.send(action, SECURITY, { cookie, form });
}

test("every sign-in is listed with its browser, this one first", async () => {
  await using app = await startApp();
  const headers = { "User-Agent": FIREFOX };
  const form = { email: "ana@example.com", password: "correct horse" };
  const both = { ...form, confirmPassword: form.password };
  await app.send(register, "/register", { form: both, headers });
  const ways = [
    await app.send(login, "/login", { form, headers: { "User-Agent": IPHONE } }),
    await completeGoogleSignIn(app, { screen: "sign-in" }, { person: form.email }),
  ];

  const cookie = toCookieHeader(ways[1]?.headers ?? new Headers());
  const devices = await listDevices(app, cookie);

  expect(devices[0]).toEqual(["Unknown browser", true]);
  expect(new Set(devices.slice(1).map(([device]) => device))).toEqual(
    new Set(["Firefox on Windows", "Safari on iPhone"]),
  );
});

test("signing out one browser does not affect the other, and takes effect in actions at once", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount({ displayName: "Ana" });
  const here = await signInWith(app, person, FIREFOX);
  const there = await signInWith(app, person, IPHONE);
  expect(await listDevices(app, here)).toEqual([
    ["Firefox on Windows", true],
    ["Safari on iPhone", false],
  ]);

  const answer = await endOther(app, here);

  expect([answer.status, answer.headers.get("Location")]).toEqual([
    303,
    `${SECURITY}#end-session-flash`,
  ]);
  expect(answer.headers.get("Set-Cookie")).toMatch(/^flash=session-removed; /);
  expect(await listDevices(app, here)).toEqual([["Firefox on Windows", true]]);
  const form = { intent: "save-profile", displayName: "Thief" };
  const acted = await app.send(action, "/profile", { cookie: there, form });
  expect(acted.headers.get("Location")).toBe("/login");
  expect(acted.headers.getSetCookie().join()).toContain("__session=; Max-Age=0");
  const live = await app.send(token, "/firebase-token", { cookie: there, form: {} });
  expect(live.status).toBe(401);
  expect((await app.send(loader, "/profile", { cookie: here })).data).toMatchObject({
    user: { displayName: "Ana" },
  });
});

test("a page checks the provider and the registry in turn, and both after a pause", async () => {
  await using app = await startApp();
  const cookie = await signInWith(app, await app.firebase.addAccount(), FIREFOX);
  const start = Date.now();
  const asked = vi.spyOn(globalThis, "fetch");
  const look = async (seconds: number) => {
    asked.mockClear();
    vi.setSystemTime(start + seconds * 1000);
    await app.send(rootLoader, "/profile", { cookie });
    return asked.mock.calls.map(([url]) =>
      new Request(url).url.replace(/^.*\/(?=accounts:|sessions)/, ""),
    );
  };
  const provider: unknown = expect.stringMatching(/^accounts:lookup/);
  const list: unknown = expect.stringMatching(/^sessions\/\w{20}$/);

  // Signing in has just confirmed the session.
  expect(await look(20)).toEqual([]);
  expect(await look(27)).toEqual([provider]);
  expect(await look(28)).toEqual([list]);
  expect(await look(29)).toEqual([]);
  expect(await look(53)).toEqual([provider]);
  expect(await look(54)).toEqual([list]);
  expect(await look(110)).toEqual([provider, list]);
});

test("Home makes at most three requests, including the session check", async () => {
  await using app = await startApp();
  const cookie = await signInWith(app, await app.firebase.addAccount(), FIREFOX);
  const start = Date.now();
  const asked = vi.spyOn(globalThis, "fetch");
  const open = async (seconds: number) => {
    asked.mockClear();
    vi.setSystemTime(start + seconds * 1000);
    const request = new Request("http://localhost/home", { headers: { Cookie: cookie } });
    const args = { request, params: {}, context: app.contextFor(request) };
    await Promise.all([rootLoader(args), home(args)]);
    // Retries of other tests in this process go to other hosts.
    const hosts = Object.values(app.firebase.hosts);
    const urls = asked.mock.calls.map(([input]) => new Request(input).url);
    return urls.filter((url) => hosts.some((host) => url.includes(host))).length;
  };

  expect([await open(1), await open(26), await open(27), await open(90)]).toEqual([3, 3, 3, 3]);
});

test("Home shows new stories and positions also when it checks the session", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount({ displayName: "Ana" });
  const cookie = await signInWith(app, person, FIREFOX);
  const start = Date.now();
  const open = async (seconds: number) => {
    vi.setSystemTime(start + seconds * 1000);
    return (await app.send(home, "/home", { cookie })).data;
  };
  expect(await open(0)).toMatchObject({ newStories: [], inProgress: [] });

  const draft = { id: "a".repeat(20), revision: "0", title: "Salt", text: "Once upon a time" };
  await app.send(drafts, "/drafts", { cookie, form: { ...draft, intent: "publish" } });
  await app.send(places, "/places", { cookie, form: { position: JSON.stringify(positionOf()) } });

  expect(await open(60)).toMatchObject({
    newStories: [{ title: "Salt" }],
    inProgress: [{ percent: 60 }],
  });
});

test("LogOut deletes the session from the registry, and copies of its cookie are useless", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const here = await signInWith(app, person, FIREFOX);
  const there = await signInWith(app, person, IPHONE);

  await app.send(logout, "/logout", { cookie: there, form: {} });

  expect(await listDevices(app, here)).toEqual([["Firefox on Windows", true]]);
  const form = { intent: "save-profile", displayName: "Thief" };
  const acted = await app.send(action, "/profile", { cookie: there, form });
  expect(acted.headers.get("Location")).toBe("/login");
});

test("a second sign-in in the same browser replaces the first in the list", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const first = await signInWith(app, person, FIREFOX);
  const { email, password } = person;

  const headers = { "User-Agent": FIREFOX };
  const again = await app.send(login, "/login", {
    cookie: first,
    form: { email, password },
    headers,
  });

  expect(await listDevices(app, toCookieHeader(again.headers))).toEqual([
    ["Firefox on Windows", true],
  ]);
});

test.each([
  ["sign-out-everywhere", {}],
  ["change-password", { newPassword: "another horse" }],
])("%s leaves only this session in the list", async (intent, more) => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const here = await signInWith(app, person, FIREFOX);
  await signInWith(app, person, IPHONE);

  const form = { intent, currentPassword: person.password, ...more };
  const answer = await app.send(action, SECURITY, { cookie: here, form });

  expect(answer.status).toBe(303);
  const cookie = toCookieHeader(answer.headers);
  expect(await listDevices(app, cookie)).toEqual([["Firefox on Windows", true]]);
});

test.each([
  ["the session itself", (id: string) => id],
  ["nonsense", () => "../../places/salt"],
  ["nothing", () => ""],
])("%s cannot be ended as another session", async (_what, toId) => {
  await using app = await startApp();
  const cookie = await signInWith(app, await app.firebase.addAccount(), FIREFOX);
  const [mine] = await listSessions(app, cookie);

  const form = { intent: "end-session", session: toId(mine?.id ?? "") };
  expect((await app.send(action, SECURITY, { cookie, form })).status).toBe(400);
  expect(await listDevices(app, cookie)).toEqual([["Firefox on Windows", true]]);
});

test("an unavailable database neither fails a sign-in nor ends a session, and the page says so", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const listed = await signInWith(app, person, FIREFOX);
  const env = { ...app.firebase.hosts, FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" };
  await using cut = await startApp(env);

  const unlisted = await signInWith(cut, person, IPHONE);

  for (const cookie of [listed, unlisted]) {
    expect((await cut.send(loader, SECURITY, { cookie })).data).toMatchObject({
      user: { email: person.email },
      security: { sessions: null },
    });
  }
  const other = { intent: "end-session", session: "a".repeat(20) };
  expect(await cut.send(action, SECURITY, { cookie: listed, form: other })).toMatchObject({
    status: 503,
    data: { form: "end-session", banner: { message: "That browser is still signed in." } },
  });
  // Once the registry is available, the other session is added and can be ended from elsewhere.
  const later = app.withVariables({});
  expect(await listDevices(later, unlisted)).toEqual([
    ["Unknown browser", true],
    ["Firefox on Windows", false],
  ]);
  await endOther(later, listed);
  expect((await later.send(loader, SECURITY, { cookie: unlisted })).status).toBe(302);
});

/** Opens a page shortly before the token expires, and returns the renewed cookie. */
async function renew(app: TestApp, cookie: string) {
  vi.setSystemTime(Date.now() + 56 * 60_000);
  const { headers } = await app.send(rootLoader, "/profile", { cookie });
  expect(headers.get("Set-Cookie")).toMatch(/^(__Host-)?__session=[^;]/);
  return toCookieHeader(headers);
}

/** Changes the user's name, and returns the renewed cookie. */
async function rename(app: TestApp, cookie: string) {
  const form = { intent: "save-profile", displayName: "Another" };
  const { headers } = await app.send(action, "/profile", { cookie, form });
  expect(toCookieHeader(headers)).toMatch(/__session=[^;]/);
  return toCookieHeader(headers);
}

test.each([
  ["renewed", [renew]],
  ["updated after a change of name", [rename]],
  ["updated, then renewed", [rename, renew]],
  ["renewed twice", [renew, renew]],
])(
  "a session that was %s keeps its entry and can be ended from elsewhere",
  async (_what, steps) => {
    await using app = await startApp();
    const person = await app.firebase.addAccount({ displayName: "Ana" });
    const here = await signInWith(app, person, FIREFOX);
    let there = await signInWith(app, person, IPHONE);
    const before = (await listSessions(app, there)).find(({ isHere }) => isHere);

    for (const step of steps) there = await step(app, there);

    const after = await listSessions(app, there);
    expect(after.map(({ id, isHere }) => [id, isHere])).toContainEqual([before?.id, true]);
    expect(after).toHaveLength(2);
    await endOther(app, here);
    const answer = await app.withVariables({}).send(loader, "/profile", { cookie: there });
    expect(answer.headers.get("Location")).toBe("/login");
  },
);

test("every renewal checks the registry, however recent the last check", async () => {
  await using app = await startApp();
  const cookie = await signInWith(app, await app.firebase.addAccount(), FIREFOX);
  const asked = vi.spyOn(globalThis, "fetch");
  const look = async (minutes: number) => {
    asked.mockClear();
    vi.setSystemTime(Date.now() + minutes * 60_000);
    await app.send(rootLoader, "/profile", { cookie });
    return asked.mock.calls.map(([url]) =>
      new Request(url).url.replace(/^.*\/(?=accounts:|sessions|token)/, ""),
    );
  };
  const list: unknown = expect.stringMatching(/^sessions\/\w{20}$/);

  expect(await look(54.9)).toContainEqual(list);
  expect(await look(0.2)).toEqual([expect.stringMatching(/^token/), list]);
});

test("a late answer to a script or frame of an ended session leaves the cookie of the next sign-in", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const here = await signInWith(app, person, FIREFOX);
  const there = await signInWith(app, person, IPHONE);
  await endOther(app, here);
  const headers = { "Sec-Fetch-Mode": "cors" };

  const answer = await app.send(summary, "/rooms/general/summary", { cookie: there, headers });
  const live = await app.send(token, "/firebase-token", { cookie: there, headers, form: {} });
  const frame = await app.send(rootLoader, "/rooms/general/live", {
    cookie: there,
    headers: { "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe" },
  });
  const page = await app.send(rootLoader, "/home", { cookie: there });

  expect(answer.headers.get("Set-Cookie")).toBeNull();
  expect([live.status, live.headers.get("Set-Cookie")]).toEqual([401, null]);
  expect(frame.headers.get("Set-Cookie")).toBeNull();
  expect(page.headers.get("Set-Cookie")).toMatch(/__session=; Max-Age=0/);
});

test("a session that has ended stores no message, and what was typed comes back", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const here = await signInWith(app, person, FIREFOX);
  const there = await signInWith(app, person, IPHONE);
  await endOther(app, here);
  const form = toMessageForm({ id: "m".repeat(20), text: "Too late." });

  const answer = await app.send(sendMessage, "/home", { cookie: there, form });

  expect(answer.data).toMatchObject({ reason: "unauthenticated", text: "Too late." });
  expect(
    await readDocument(app.firebase.hosts, `rooms/general/messages/${"m".repeat(20)}`),
  ).toMatchObject({ error: { status: "NOT_FOUND" } });
});

test("a session that has ended is not renewed", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const here = await signInWith(app, person, FIREFOX);
  const there = await signInWith(app, person, IPHONE);
  await endOther(app, here);
  vi.setSystemTime(Date.now() + 56 * 60_000);

  const { data, headers } = await app
    .withVariables({})
    .send(rootLoader, "/home", { cookie: there });

  expect(data).toMatchObject({ user: null });
  expect(headers.get("Set-Cookie")).toMatch(/__session=; Max-Age=0/);
});

test("an account that the provider no longer returns is signed out", async () => {
  await using app = await startApp();
  await using empty = await startServer((response) => answerJson(response, 200, {}));
  const cookie = await signInWith(app, await app.firebase.addAccount(), FIREFOX);
  vi.setSystemTime(Date.now() + 60_000);
  const cut = app.withVariables({ FIREBASE_AUTH_EMULATOR_HOST: empty.host });

  const page = await cut.send(rootLoader, "/home", { cookie });
  const profile = await app
    .withVariables({ FIREBASE_AUTH_EMULATOR_HOST: empty.host })
    .send(loader, "/profile", { cookie });

  expect(page.data).toMatchObject({ user: null });
  expect(profile.headers.get("Location")).toBe("/login");
});

test("seenAt is updated when it is an hour old", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signInWith(app, person, FIREFOX);
  const [mine] = await listSessions(app, cookie);
  const path = `users/${person.localId}/sessions/${mine?.id}`;
  const act = () => app.send(action, SECURITY, { cookie, form: { intent: "nonsense" } });
  const readSeenAt = async () => {
    const fields = fieldsSchema.parse(await readDocument(app.firebase.hosts, path));
    return Number(fields.seenAt.integerValue);
  };
  const now = Date.now();

  await writeSeenAt(app, path, now - 59 * 60_000);
  await act();
  expect(await readSeenAt()).toBe(now - 59 * 60_000);

  await writeSeenAt(app, path, now - 61 * 60_000);
  await act();
  expect(await readSeenAt()).toBeGreaterThanOrEqual(now);
});

test("a session not seen for two weeks is not listed, because its cookie has expired", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const here = await signInWith(app, person, FIREFOX);
  const there = await signInWith(app, person, IPHONE);
  const [other] = await listSessions(app, there);
  const path = `users/${person.localId}/sessions/${other?.id}`;

  await writeSeenAt(app, path, Date.now() - 14 * 24 * 60 * 60_000);

  expect(await listDevices(app, here)).toEqual([["Firefox on Windows", true]]);
});

const fieldsSchema = z.object({ seenAt: z.object({ integerValue: z.string() }) });

/** Sets a session's `seenAt`, bypassing the rules. */
async function writeSeenAt({ firebase }: TestApp, path: string, time: number) {
  const root = `http://${firebase.hosts.FIRESTORE_EMULATOR_HOST}/v1/projects/${firebase.projectId}`;
  const url = `${root}/databases/(default)/documents/${path}?updateMask.fieldPaths=seenAt`;
  const response = await fetch(url, {
    method: "PATCH",
    headers: { Authorization: "Bearer owner", "Content-Type": "application/json" },
    body: JSON.stringify({ fields: { seenAt: { integerValue: String(time) } } }),
  });
  expect(response.status).toBe(200);
}
