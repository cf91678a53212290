import { afterEach, expect, test, vi } from "vitest";
import * as z from "zod";

import { action as login } from "#app/routes/login.tsx";
import { action as logout } from "#app/routes/logout.ts";
import { action, loader } from "#app/routes/profile.tsx";
import { action as register } from "#app/routes/register.tsx";
import { changeDocument, readDocument } from "#tests/support/documents.ts";
import type { TestAccount } from "#tests/support/firebase.ts";
import { completeGoogleSignIn } from "#tests/support/google-sign-in.ts";
import { readTexts, startPlainBrowser } from "#tests/support/plain-browser.ts";
import { startApp, toCookieHeader, type TestApp } from "#tests/support/routes.ts";
import {
  endOther,
  FIREFOX,
  IPHONE,
  listDevices,
  listSessions,
  SECURITY,
  signInTwice,
  signInWith,
} from "./devices.ts";

afterEach(() => void vi.useRealTimers());

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

test("LogOut deletes the session from the registry, and copies of its cookie are useless", async () => {
  await using app = await startApp();
  const { here, there } = await signInTwice(app);

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
  const { person, here } = await signInTwice(app);

  const form = { intent, currentPassword: person.password, ...more };
  const response = await app.send(action, SECURITY, { cookie: here, form });

  expect(response.status).toBe(303);
  const cookie = toCookieHeader(response.headers);
  expect(await listDevices(app, cookie)).toEqual([["Firefox on Windows", true]]);
});

test.each([
  ["sign-out-everywhere", {}],
  ["change-password", { newPassword: "another horse" }],
])("%s also ends the sessions after the 100 that are listed", async (intent, more) => {
  await using app = await startApp();
  const { person, here } = await signInTwice(app);
  await addSessions(app, person, 201);
  expect(await listDevices(app, here)).toHaveLength(100);

  const form = { intent, currentPassword: person.password, ...more };
  const response = await app.send(action, SECURITY, { cookie: here, form });

  const cookie = toCookieHeader(response.headers);
  expect(await listDevices(app, cookie)).toEqual([["Firefox on Windows", true]]);
  expect(await readDocument(app.firebase.hosts, `${toSessionPath(person, 200)}`)).toHaveProperty(
    "error",
  );
});

test("the list says that it ends after 100 sessions, and what ends the others", async () => {
  await using browser = await startPlainBrowser();
  const person = await browser.firebase.addAccount();
  const { email, password } = person;
  await browser.post("/login", { email, password });
  const sentence =
    "Only the 100 that were used last are listed. Signing out everywhere ends the others too.";
  expect(readTexts(await browser.get(SECURITY), ["p"])).not.toContain(sentence);
  await addSessions(browser, person, 100);

  expect(readTexts(await browser.get(SECURITY), ["p"])).toContain(sentence);
});

/** Adds sessions of other browsers, each last used some minutes ago. */
async function addSessions(
  { firebase }: Pick<TestApp, "firebase">,
  person: TestAccount,
  count: number,
) {
  for (let index = 0; index < count; index += 1) {
    const time = { integerValue: Date.now() - index * 60_000 };
    const fields = { device: { stringValue: IPHONE }, signedInAt: time, seenAt: time };
    await changeDocument(firebase.hosts, toSessionPath(person, index), fields);
  }
}

function toSessionPath({ localId }: TestAccount, index: number): string {
  return `users/${localId}/sessions/${`${index}`.padStart(20, "s")}`;
}

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
  const { person, here, there } = await signInTwice(app);
  const [other] = await listSessions(app, there);
  const path = `users/${person.localId}/sessions/${other?.id}`;

  await writeSeenAt(app, path, Date.now() - 14 * 24 * 60 * 60_000);

  expect(await listDevices(app, here)).toEqual([["Firefox on Windows", true]]);
});

test("the list has the sessions last seen, however many have expired", async () => {
  await using app = await startApp();
  const { person, here } = await signInTwice(app);
  // A sign-in removes expired sessions after its response.
  await app.finish();
  const path = `users/${person.localId}/sessions`;
  const expired = Array.from(
    { length: 120 },
    (_, number) => `A${String(number).padStart(19, "0")}`,
  );
  const ended = `gone${"A".repeat(16)}`;
  const { hosts } = app.firebase;
  await Promise.all(
    expired.map((id, number) =>
      changeDocument(hosts, `${path}/${id}`, toFields(Date.now() - (16 + number) * DAY_MS)),
    ),
  );
  // Marks a late session as ended, as long as its cookie may be valid.
  await changeDocument(hosts, `${path}/${ended}`, toFields(0));

  expect(await listDevices(app, here)).toEqual([
    ["Firefox on Windows", true],
    ["Safari on iPhone", false],
  ]);

  await signInWith(app, person, FIREFOX);
  await app.finish();
  const left = await Promise.all(
    [...expired, ended].map((id) => readDocument(hosts, `${path}/${id}`)),
  );
  const isLeft = left.map((fields) => fieldsSchema.safeParse(fields).success);
  expect(isLeft.filter(Boolean)).toHaveLength(111);
  expect(isLeft.at(-1)).toBe(true);
});

test("a sign-in ends no session of the last two weeks, though its record is an hour behind", async () => {
  await using app = await startApp();
  const { person, there } = await signInTwice(app);
  const [other] = await listSessions(app, there);
  const path = `users/${person.localId}/sessions/${other?.id}`;
  await writeSeenAt(app, path, Date.now() - 14 * DAY_MS - 59 * 60_000);

  await signInWith(app, person, FIREFOX);
  await app.finish();

  const record = fieldsSchema.safeParse(await readDocument(app.firebase.hosts, path));
  expect(record.success).toBe(true);
});

test("an unavailable database neither fails a sign-in nor ends a session, and the page says so", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const listed = await signInWith(app, person, FIREFOX);
  const cut = app.withVariables({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });

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

const DAY_MS = 24 * 60 * 60_000;

/** Returns the stored fields of a session that was seen only when it began. */
function toFields(time: number) {
  const integerValue = String(time);
  return { device: { stringValue: "" }, signedInAt: { integerValue }, seenAt: { integerValue } };
}

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
