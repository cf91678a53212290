import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { loader as rootLoader } from "#app/root.tsx";
import { action as token } from "#app/routes/firebase-token.ts";
import { loader as home } from "#app/routes/home.tsx";
import { action as logout } from "#app/routes/logout.ts";
import { action as savePosition } from "#app/routes/reading-position.ts";
import { action as saveInAccount } from "#app/routes/reading-positions.ts";
import { action as profile } from "#app/routes/profile.tsx";
import { open, ORCHARD, createPosition } from "#tests/reading/reading.ts";
import { readJson, signIn, startApp, type TestApp } from "#tests/support/routes.ts";
import { sendJson, startServer } from "#tests/support/server.ts";
import { openNewIsolate, advanceClock, UNREACHABLE_HOST } from "./isolates.ts";
import { recordRequests } from "./own-requests.ts";

beforeEach(() => void vi.useFakeTimers({ now: Date.now(), toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

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
  "a user whose session was $how is not shown a minute later at $path, visited $habit",
  async ({ how, path, looks }) => {
    await using app = await startApp();
    const person = await app.firebase.addAccount();
    const cookie = await signIn(app, person);
    const otherIsolate = openNewIsolate(app);
    const begin = Date.now();
    const look = async (seconds: number) => {
      vi.setSystemTime(begin + seconds * 1000);
      return (await otherIsolate.send(rootLoader, path, { cookie })).data;
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
  const requests = recordRequests(app);

  expect((await app.send(rootLoader, "/home", { cookie })).data).toMatchObject({ user: null });
  expect(requests.list()).toEqual([]);
});

test("a response that is too late for one page is used for the next", async () => {
  await using app = await startApp();
  await using slow = await startServer((response) => {
    setTimeout(() => {
      const error = { code: 400, message: "USER_NOT_FOUND", status: "INVALID_ARGUMENT" };
      sendJson(response, 400, { error });
    }, 1200);
  });
  const cookie = await signIn(app, await app.firebase.addAccount());
  advanceClock(1);
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
  ["the sign-in service", { FIREBASE_AUTH_EMULATOR_HOST: UNREACHABLE_HOST }, "signed out"],
  ["the database", { FIRESTORE_EMULATOR_HOST: UNREACHABLE_HOST }, "deleted"],
] as const)("without %s, the other service still ends a session", async (_what, away, how) => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  await ENDS[how](app, person, cookie);
  advanceClock(1);
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
  const there = openNewIsolate(app);
  const send = () =>
    there.send(saveInAccount, "/reading-positions", {
      cookie,
      form: { position: JSON.stringify(createPosition()) },
    });
  expect(await readJson(await send())).toEqual({ status: "done" });
  await app.send(logout, "/logout", { cookie, form: {} });

  const response = await send();

  expect(await readJson(response)).toMatchObject({ reason: "unauthenticated" });
  expect(response.headers.get("Set-Cookie")).toMatch(/^__session=; Max-Age=0/);
});

test("Home does not show the stories in progress after the session has ended", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const form = { position: JSON.stringify(createPosition()) };
  await app.send(saveInAccount, "/reading-positions", { cookie, form });
  const open = async () => (await openNewIsolate(app).send(home, "/home", { cookie })).data;
  expect(await open()).toMatchObject({ inProgress: [{ percent: 60 }] });

  await app.send(logout, "/logout", { cookie, form: {} });

  expect(await open()).toMatchObject({ inProgress: [] });
});

test("a position saved after the session has ended stays on the device", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const there = openNewIsolate(app);
  expect((await there.send(rootLoader, "/home", { cookie })).status).toBe(200);
  await app.send(logout, "/logout", { cookie, form: {} });
  const story = await open(app, ORCHARD);
  const [, paragraph = ""] = / id="(p-[^"]+)"/.exec(String(story?.html)) ?? [];

  const response = await there.send(savePosition, "/reading-position", {
    cookie,
    form: { story: ORCHARD, paragraph },
  });

  expect(response.headers.getSetCookie().join("\n")).toMatch(/__session=; Max-Age=0/);
  expect(response.headers.getSetCookie().join("\n")).toMatch(/places=/);
});

test("issues no custom token while the session cannot be checked", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());

  for (const name of ["FIREBASE_AUTH_EMULATOR_HOST", "FIRESTORE_EMULATOR_HOST"]) {
    const cut = app.withVariables({ [name]: UNREACHABLE_HOST });
    const response = await cut.send(token, "/firebase-token", { cookie, form: {} });
    expect(response.status).toBe(503);
  }
});
