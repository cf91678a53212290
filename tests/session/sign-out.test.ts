import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { loader as rootLoader } from "#app/root.tsx";
import { action as login } from "#app/routes/login.tsx";
import { action as logout, clientAction } from "#app/routes/logout.ts";
import { addSignOutTask, MAX_WAIT_MS } from "#app/session/sign-out-tasks.ts";
import { signIn, startApp, toCookieHeader } from "#tests/support/routes.ts";
import { startServer } from "#tests/support/server.ts";
import { startWaitedTime } from "#tests/support/waited-time.ts";
import { advanceClock, UNREACHABLE_HOST, canOpenProfile } from "./isolates.ts";
import { recordRequests } from "./own-requests.ts";

beforeEach(() => void vi.useFakeTimers({ now: Date.now(), toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

function getPendingCookie(headers: Headers): string | undefined {
  return headers.getSetCookie().find((cookie) => /^(__Host-)?sign-out=[^;]/.test(cookie));
}

test("LogOut after an idle hour ends the session for copies of its cookie too", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  advanceClock(61);

  await app.send(logout, "/logout", { cookie, form: {} });

  expect(await canOpenProfile(app, cookie)).toBe(false);
});

test.each([
  ["the database", { FIRESTORE_EMULATOR_HOST: UNREACHABLE_HOST }, 0],
  ["the Realtime Database", { FIREBASE_DATABASE_EMULATOR_HOST: UNREACHABLE_HOST }, 0],
  [
    "the sign-in service, with a token that has expired,",
    { FIREBASE_AUTH_EMULATOR_HOST: UNREACHABLE_HOST },
    61,
  ],
])("LogOut while %s is unavailable is finished at the next visit", async (_what, away, minutes) => {
  await using app = await startApp();
  const cut = app.withVariables(away);
  const cookie = await signIn(app, await app.firebase.addAccount());
  advanceClock(minutes);

  const response = await cut.send(logout, "/logout", { cookie, form: {} });

  expect(response.headers.getSetCookie().join("\n")).toMatch(/__session=; Max-Age=0/);
  expect(response.headers.getSetCookie().join("\n")).toMatch(/flash=sign-out-pending/);
  const pending = toCookieHeader(
    new Headers({ "Set-Cookie": getPendingCookie(response.headers) ?? "" }),
  );
  expect(pending).not.toBe("");
  // Still unavailable: the cookie stays.
  advanceClock(1);
  const still = await cut.send(rootLoader, "/home", { cookie: pending });
  expect(getPendingCookie(still.headers)).toBeDefined();

  advanceClock(1);
  const next = await app.send(rootLoader, "/home", {
    cookie: toCookieHeader(new Headers({ "Set-Cookie": getPendingCookie(still.headers) ?? "" })),
  });

  expect(next.headers.getSetCookie().join("\n")).toMatch(/sign-out=; Max-Age=0/);
  expect(await canOpenProfile(app, cookie)).toBe(false);
});

test("LogOut needs no sign-in service while the token is valid", async () => {
  await using app = await startApp();
  const appWithoutAuth = app.withVariables({ FIREBASE_AUTH_EMULATOR_HOST: UNREACHABLE_HOST });
  const cookie = await signIn(app, await app.firebase.addAccount());

  const { headers } = await appWithoutAuth.send(logout, "/logout", { cookie, form: {} });

  expect(getPendingCookie(headers)).toBeUndefined();
  expect(await canOpenProfile(app, cookie)).toBe(false);
});

test("two unfinished sign-outs are both finished later", async () => {
  await using app = await startApp();
  const cut = app.withVariables({ FIRESTORE_EMULATOR_HOST: UNREACHABLE_HOST });
  const first = await signIn(app, await app.firebase.addAccount());
  const second = await signIn(app, await app.firebase.addAccount());

  const one = await cut.send(logout, "/logout", { cookie: first, form: {} });
  const pending = toCookieHeader(one.headers);
  const two = await cut.send(logout, "/logout", { cookie: `${second}; ${pending}`, form: {} });
  advanceClock(1);
  await app.send(rootLoader, "/home", { cookie: toCookieHeader(two.headers) });

  expect(await canOpenProfile(app, first)).toBe(false);
  expect(await canOpenProfile(app, second)).toBe(false);
});

test("keeps the newest unfinished sign-outs that fit into a cookie", async () => {
  await using app = await startApp();
  const cut = app.withVariables({ FIRESTORE_EMULATOR_HOST: UNREACHABLE_HOST });
  const cookies: string[] = [];
  let pending = "";
  for (let count = 0; count < 40; count += 1) {
    const cookie = await signIn(cut, await app.firebase.addAccount());
    cookies.push(cookie);
    const sent = [cookie, pending].filter(Boolean).join("; ");
    const { headers } = await cut.send(logout, "/logout", { cookie: sent, form: {} });
    pending = toCookieHeader(new Headers({ "Set-Cookie": getPendingCookie(headers) ?? "" }));
    expect(pending.length).toBeLessThan(4096);
  }

  advanceClock(1);
  await app.send(rootLoader, "/home", { cookie: pending });

  for (const cookie of cookies.slice(-3)) expect(await canOpenProfile(app, cookie)).toBe(false);
}, 30_000);

test("retries after the response, so that a sign-out does not need another request", async () => {
  await using app = await startApp();
  const account = await app.firebase.addAccount();
  const cookie = await signIn(app, account);
  const real = globalThis.fetch;
  let failures = 2;
  vi.spyOn(globalThis, "fetch").mockImplementation((input, init) => {
    const isCommit = new Request(input, init).url.endsWith(":commit");
    // Another test may still be writing after its last response.
    const isOwn = isCommit && JSON.stringify(init?.body).includes(account.localId);
    if (!isOwn || failures === 0) return real(input, init);
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
  expect(await canOpenProfile(app, cookie)).toBe(false);
});

test("a new sign-in ends the browser's previous session, even after an idle hour", async () => {
  await using app = await startApp();
  const before = await signIn(app, await app.firebase.addAccount());
  const { email, password } = await app.firebase.addAccount();
  advanceClock(61);

  await app.send(login, "/login", { cookie: before, form: { email, password } });

  expect(await canOpenProfile(app, before)).toBe(false);
});

test("a session created while the database was unavailable is listed later and ends with LogOut", async () => {
  await using app = await startApp();
  const cut = app.withVariables({ FIRESTORE_EMULATOR_HOST: UNREACHABLE_HOST });
  const person = await app.firebase.addAccount();
  const seen = await signIn(cut, person);
  const unseen = await signIn(cut, await app.firebase.addAccount());
  expect(await canOpenProfile(app, seen)).toBe(true);

  for (const cookie of [seen, unseen]) await app.send(logout, "/logout", { cookie, form: {} });

  expect(await canOpenProfile(app, seen)).toBe(false);
  expect(await canOpenProfile(app, unseen)).toBe(false);
  advanceClock(61);
  expect(await canOpenProfile(app, seen)).toBe(false);
  expect(await canOpenProfile(app, unseen)).toBe(false);
});

test.each(["deleted", "disabled"] as const)(
  "LogOut of an account that was %s leaves no unfinished sign-out",
  async (how) => {
    await using app = await startApp();
    const person = await app.firebase.addAccount();
    const cookie = await signIn(app, person);
    await app.firebase.endAccount(person, how);
    advanceClock(61);

    const { headers } = await app.send(logout, "/logout", { cookie, form: {} });

    expect(getPendingCookie(headers)).toBeUndefined();
    expect(headers.getSetCookie().join()).not.toContain("sign-out-pending");
  },
);

test.each(["sign-out=nonsense", "sign-out="])(
  "the invalid sign-out cookie %j is removed without a request",
  async (cookie) => {
    await using app = await startApp();
    const requests = recordRequests(app);

    const { headers } = await app.send(rootLoader, "/home", { cookie });

    expect(headers.get("Set-Cookie")).toMatch(/sign-out=; Max-Age=0/);
    expect(requests.list()).toEqual([]);
  },
);

test("an unfinished sign-out is not retried on every page, and signs no one in", async () => {
  await using app = await startApp();
  const cut = app.withVariables({ FIRESTORE_EMULATOR_HOST: UNREACHABLE_HOST });
  const cookie = await signIn(app, await app.firebase.addAccount());
  const response = await cut.send(logout, "/logout", { cookie, form: {} });
  const pending = toCookieHeader(response.headers);
  const requests = recordRequests(app);

  const page = await cut.send(rootLoader, "/home", { cookie: pending });

  // A retry would begin with a new token.
  expect(requests.list()).toEqual([]);
  expect(page.data).toMatchObject({ user: null });
  const [, sealed = ""] = /sign-out=([^;]+)/.exec(pending) ?? [];
  const forged = await app.send(rootLoader, "/home", { cookie: `__session=${sealed}` });
  expect(forged.data).toMatchObject({ user: null });
});

test("a page does not wait long for an unfinished sign-out", async () => {
  await using app = await startApp();
  await using silent = await startServer(() => {});
  const cut = app.withVariables({ FIRESTORE_EMULATOR_HOST: UNREACHABLE_HOST });
  const cookie = await signIn(app, await app.firebase.addAccount());
  const { headers } = await cut.send(logout, "/logout", { cookie, form: {} });
  advanceClock(1);
  const slow = app.withVariables({ FIREBASE_AUTH_EMULATOR_HOST: silent.host });
  const getWaitedMs = startWaitedTime();

  const page = await slow.send(rootLoader, "/home", { cookie: toCookieHeader(headers) });

  expect(getWaitedMs()).toBeLessThan(1900);
  expect(getPendingCookie(page.headers)).toBeDefined();
});

test("LogOut whose request fails leads to the error page", async () => {
  const failed = new TypeError("Failed to fetch");

  await expect(submitInBrowser({}, () => Promise.reject(failed))).rejects.toBe(failed);
});

test("signing out on a page that stays returns why the request has failed", async () => {
  const failed = new TypeError("Failed to fetch");

  const result = await submitInBrowser({ stay: "true" }, () => Promise.reject(failed));

  expect(result).toEqual({ offline: "network" });
});

test("ends the session after the tasks that need it, but does not wait for long", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const calls: string[] = [];
  let finish = () => {};
  addSignOutTask(async () => {
    calls.push("task");
    await new Promise<void>((resolve) => (finish = resolve));
    calls.push("task is done");
  });
  const signOut = () =>
    submitInBrowser({}, async () => {
      calls.push("sign out");
    });

  const signingOut = signOut();
  expect(calls).toEqual(["task"]);
  finish();
  await signingOut;
  expect(calls).toEqual(["task", "task is done", "sign out"]);

  calls.length = 0;
  const signingOutLate = signOut();
  await vi.advanceTimersByTimeAsync(MAX_WAIT_MS);
  await signingOutLate;
  expect(calls).toEqual(["task", "sign out"]);
});

/** Calls the client action as for a form with these fields. */
function submitInBrowser(fields: Record<string, string>, serverAction: () => Promise<unknown>) {
  return clientAction({
    request: new Request("http://localhost/logout", {
      method: "POST",
      body: new URLSearchParams(fields),
    }),
    params: {},
    serverAction: async <T>() => (await serverAction()) as T, // the result is not read
  });
}
