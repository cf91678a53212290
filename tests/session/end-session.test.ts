import { afterEach, expect, test, vi } from "vitest";

import { toMessageForm } from "#app/chat/post-message.ts";
import { loader as rootLoader } from "#app/root.tsx";
import { action as token } from "#app/routes/firebase-token.ts";
import { action as sendMessage } from "#app/routes/home.tsx";
import { action, loader } from "#app/routes/profile.tsx";
import { loader as summary } from "#app/routes/room-summary.ts";
import { readDocument } from "#tests/support/documents.ts";
import { readJson, startApp, toCookieHeader, type TestApp } from "#tests/support/routes.ts";
import {
  endOther,
  FIREFOX,
  listDevices,
  listSessions,
  SECURITY,
  signInTwice,
  signInWith,
} from "./devices.ts";

afterEach(() => void vi.useRealTimers());

test("signing out one browser does not affect the other, and takes effect in actions at once", async () => {
  await using app = await startApp();
  const { here, there } = await signInTwice(app, { displayName: "Ana" });
  expect(await listDevices(app, here)).toEqual([
    ["Firefox on Windows", true],
    ["Safari on iPhone", false],
  ]);

  const response = await endOther(app, here);

  expect([response.status, response.headers.get("Location")]).toEqual([
    303,
    `${SECURITY}#end-session-flash`,
  ]);
  expect(response.headers.get("Set-Cookie")).toMatch(/^flash=session-removed; /);
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
    const { here, there: signedIn } = await signInTwice(app);
    const before = (await listSessions(app, signedIn)).find(({ isCurrent }) => isCurrent);

    let there = signedIn;
    for (const step of steps) there = await step(app, there);

    const after = await listSessions(app, there);
    expect(after.map(({ id, isCurrent }) => [id, isCurrent])).toContainEqual([before?.id, true]);
    expect(after).toHaveLength(2);
    await endOther(app, here);
    const response = await app.withVariables({}).send(loader, "/profile", { cookie: there });
    expect(response.headers.get("Location")).toBe("/login");
  },
);

test("a late response of an ended session leaves the cookie of the next sign-in", async () => {
  await using app = await startApp();
  const { here, there } = await signInTwice(app);
  await endOther(app, here);
  const headers = { "Sec-Fetch-Mode": "cors" };

  const response = await app.send(summary, "/rooms/general/summary", { cookie: there, headers });
  const live = await app.send(token, "/firebase-token", { cookie: there, headers, form: {} });
  const frame = await app.send(rootLoader, "/rooms/general/live", {
    cookie: there,
    headers: { "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "iframe" },
  });
  const page = await app.send(rootLoader, "/home", { cookie: there });

  expect(response.headers.get("Set-Cookie")).toBeNull();
  expect([live.status, live.headers.get("Set-Cookie")]).toEqual([401, null]);
  expect(frame.headers.get("Set-Cookie")).toBeNull();
  expect(page.headers.get("Set-Cookie")).toMatch(/__session=; Max-Age=0/);
});

test("a session that has ended stores no message, and what was typed is shown again", async () => {
  await using app = await startApp();
  const { here, there } = await signInTwice(app);
  await endOther(app, here);
  const form = toMessageForm({ id: "m".repeat(20), text: "Too late." });

  const response = await app.send(sendMessage, "/home", { cookie: there, form });

  expect(response.data).toMatchObject({ reason: "unauthenticated", text: "Too late." });
  expect(
    await readDocument(app.firebase.hosts, `rooms/general/messages/${"m".repeat(20)}`),
  ).toMatchObject({ error: { status: "NOT_FOUND" } });
});

test("a session that has ended is not renewed", async () => {
  await using app = await startApp();
  const { here, there } = await signInTwice(app);
  await endOther(app, here);
  vi.setSystemTime(Date.now() + 56 * 60_000);

  const { data, headers } = await app
    .withVariables({})
    .send(rootLoader, "/home", { cookie: there });

  expect(data).toMatchObject({ user: null });
  expect(headers.get("Set-Cookie")).toMatch(/__session=; Max-Age=0/);
});

test("the room's summary tells an open page that its session has ended", async () => {
  await using app = await startApp();
  const { here, there } = await signInTwice(app);
  const headers = { "Sec-Fetch-Mode": "cors" };
  const ask = async () =>
    readJson(await app.send(summary, "/rooms/general/summary", { cookie: there, headers }));
  expect(await ask()).not.toHaveProperty("hasEnded");

  await endOther(app, here);

  expect(await ask()).toMatchObject({ hasEnded: true });
});
