import { afterEach, expect, test, vi } from "vitest";

import { readCookie, writeCookie } from "#app/http/cookie.ts";
import { setRecentChange } from "#app/http/page-record.server.ts";
import { createSealedCookie } from "#app/http/cookie.server.ts";
import { POSITIONS_COOKIE } from "#app/stories/positions/position-cookie.ts";
import { loader as rootLoader } from "#app/root.tsx";
import * as anyPath from "#app/routes/$.ts";
import { action as startGoogle } from "#app/routes/auth.google.ts";
import { action as setConsent } from "#app/routes/consent.ts";
import { loader as createLoader } from "#app/routes/create.tsx";
import { loader as homeLoader } from "#app/routes/home.tsx";
import { action as login, loader as loginLoader } from "#app/routes/login.tsx";
import { action as logout } from "#app/routes/logout.ts";
import { action as savePosition } from "#app/routes/reading-position.ts";
import { action as changeProfile, loader as profileLoader } from "#app/routes/profile.tsx";
import { loader as readLoader } from "#app/routes/read.$id.tsx";
import { action as setReading } from "#app/routes/reading-settings.ts";
import { action as changeSaved } from "#app/routes/saved.ts";
import { action as surprise } from "#app/routes/surprise.ts";
import { action as setTheme } from "#app/routes/theme.ts";
import orchard from "#public/assets/stories/the-lamplighters-orchard.md?raw";
import type { TestAccount } from "#tests/support/firebase.ts";
import { renderMarkdown } from "#tests/support/markdown.ts";
import { startApp, toCookieHeader, type TestApp } from "#tests/support/routes.ts";

const SECURE = "https://inkglade.example";
const LOCAL = "http://localhost";
const ORCHARD = "the-lamplighters-orchard";
const page = { Accept: "text/html" };

/** Sends every request that sets a cookie, and returns the `Set-Cookie` values. */
async function collectCookies(app: TestApp, origin: string): Promise<string[]> {
  const person = await app.firebase.addAccount();
  const cookie = await signInAt(app, origin, person);
  const [first] = renderMarkdown(orchard).paragraphs;
  const form = { story: ORCHARD, paragraph: first?.id ?? "" };
  const responses = [
    await app.send(login, `${origin}/login`, { form: toForm(person) }),
    await app.send(setTheme, `${origin}/theme`, { form: { theme: "dark" } }),
    await app.send(setConsent, `${origin}/consent`, { form: { analytics: "no" } }),
    await app.send(setReading, `${origin}/reading-settings`, { form: { size: "22" } }),
    await app.send(savePosition, `${origin}/reading-position`, { form }),
    await app.send(surprise, `${origin}/surprise`, { form: {} }),
    await app.send(changeSaved, `${origin}/saved`, { form: { intent: "save", story: ORCHARD } }),
    await app.send(startGoogle, `${origin}/auth/google`, { form: { screen: "sign-in" } }),
    await app.send(startGoogle, `${origin}/auth/google`, { form: { screen: "link" } }),
    await app.send(createLoader, `${origin}/create`),
    await app.send(anyPath.loader, `${origin}/quest/the-glass-apiary`, { headers: page }),
    await app.send(changeProfile, `${origin}/profile`, {
      form: { intent: "save-profile", uid: person.localId, displayName: "Ana" },
    }),
    await app.send(changeProfile, `${origin}/profile`, {
      form: { intent: "send-confirmation" },
      cookie,
    }),
    await app
      .withVariables({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" })
      .send(logout, `${origin}/logout`, { form: {}, cookie: await signInAt(app, origin, person) }),
    await app.send(logout, `${origin}/logout`, { form: {}, cookie }),
    await app.send(createLoader, `${origin}/create`, { headers: { Referer: `${origin}/login` } }),
    // Set by the page cache, after a change by a user.
    new Response(null, {
      headers: setRecentChange(new Request(origin, { headers: { Cookie: cookie } })),
    }),
  ];
  return responses.flatMap(({ headers }) => headers.getSetCookie());
}

const NAMES =
  "session theme analytics reading places recent saved google form-error return-to flash unsaved email-cooldown sign-out cookie-check changed".split(
    " ",
  );

test("every cookie is Secure and limited to this host on https", async () => {
  await using app = await startApp();

  const cookies = await collectCookies(app, SECURE);

  for (const cookie of cookies) {
    expect(cookie).toMatch(/^__Host-[a-z-]+=/);
    expect(cookie).toContain("; Path=/;");
    expect(cookie).toMatch(/; Secure(;|$)/);
    expect(cookie).not.toContain("Domain=");
  }
  const names = cookies.map((cookie) => cookie.slice("__Host-".length).split("=")[0]);
  expect(new Set(names)).toEqual(new Set(NAMES));
});

test("a browser keeps what it remembers for months, and the rest for minutes or days", async () => {
  await using app = await startApp();

  const cookies = await collectCookies(app, LOCAL);

  const ages = cookies.flatMap((cookie): [string, number][] => {
    const [, name = "", value, age] = /^_*([a-z-]+)=([^;]*); Max-Age=(\d+)/.exec(cookie) ?? [];
    return value ? [[name, Number(age) / 60]] : [];
  });
  const [hour, day] = [60, 24 * 60];
  expect(Object.fromEntries(ages)).toEqual({
    ...{ theme: 365 * day, reading: 365 * day, places: 365 * day, saved: 365 * day },
    ...{ analytics: 182 * day, recent: 90 * day, session: 14 * day, "sign-out": 14 * day },
    ...{ "return-to": hour / 2, unsaved: hour / 2, google: hour / 6, changed: 1 / 4 },
    ...{ "form-error": 1, flash: 1, "email-cooldown": 1, "cookie-check": 1 },
  });
});

test("every cookie has its plain name and is not Secure on http", async () => {
  await using app = await startApp();

  const cookies = await collectCookies(app, LOCAL);

  expect(new Set(cookies.map((cookie) => cookie.split("=")[0]?.replace(/^__/, "")))).toEqual(
    new Set(NAMES),
  );
  for (const cookie of cookies) expect(cookie).not.toMatch(/__Host-|; Secure/);
});

test.each([SECURE, LOCAL])("reads the cookies that it has set at %s", async (origin) => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const kept = [
    await app.send(login, `${origin}/login`, { form: toForm(person) }),
    await app.send(setTheme, `${origin}/theme`, { form: { theme: "dark" } }),
    await app.send(anyPath.loader, `${origin}/quest/the-glass-apiary`, { headers: page }),
  ];
  const cookie = kept.map(({ headers }) => toCookieHeader(headers)).join("; ");

  const root = await app.send(rootLoader, `${origin}/home`, { cookie });
  const home = await app.send(homeLoader, `${origin}/home`, { cookie });

  expect(root.data).toMatchObject({ theme: "dark", user: { uid: person.localId } });
  expect(home.data).toMatchObject({ questNotice: expect.any(Number) });
});

function toSession({ idToken, refreshToken }: TestAccount, secondsLeft: number) {
  return { idToken, refreshToken, expiresAt: Date.now() + secondsLeft * 1000 };
}

test("a session without the prefix is ignored on https", async () => {
  await using app = await startApp();
  const [ana, mallory] = [await app.firebase.addAccount(), await app.firebase.addAccount()];
  const planted = createSealedCookie(
    { SESSION_SECRET: app.env.SESSION_SECRET, SESSION_SECRET_PREVIOUS: undefined },
    "__session",
    { maxAgeSeconds: 60, now: Date.now },
  );
  const header = await planted.seal(new Request(LOCAL), toSession(mallory, 3600));
  const [plain = ""] = header.split(";");
  const own = await signInAt(app, SECURE, ana);

  const signedOut = await app.send(rootLoader, `${SECURE}/home`, { cookie: plain });
  const signedIn = await app.send(rootLoader, `${SECURE}/home`, { cookie: `${plain}; ${own}` });

  expect(signedOut.data).toMatchObject({ user: null });
  expect(signedIn.data).toMatchObject({ user: { uid: ana.localId } });
});

test("no cookie without the prefix is read on https, because a subdomain can set it", async () => {
  await using app = await startApp({ FIREBASE_APP_ID: "app", FIREBASE_MEASUREMENT_ID: "G-TEST" });
  const cookie = "theme=dark; reading=size%3D22; flash=session-ended; analytics=yes";

  const root = await app.send(rootLoader, `${SECURE}/home`, { cookie });
  const story = { params: { id: ORCHARD }, cookie };
  const reading = await app.send(readLoader, `${SECURE}/read/${ORCHARD}`, story);
  const screen = await app.send(loginLoader, `${SECURE}/login`, { cookie });

  expect(root.data).toMatchObject({ theme: "system", analytics: { consent: "unasked" } });
  expect(reading.data).toMatchObject({ story: { settings: { size: "19" } } });
  expect(screen.data).toMatchObject({ flashText: null });
});

test("the profile shows a message once, on https too", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const session = await signInAt(app, SECURE, person);
  const form = { intent: "save-profile", uid: person.localId, displayName: "Ana", photoURL: "" };
  const saved = await app.send(changeProfile, `${SECURE}/profile`, { form, cookie: session });
  const cookie = `${session}; ${toCookieHeader(saved.headers)}`;

  const shown = await app.send(profileLoader, `${SECURE}/profile`, { cookie });

  expect(shown.data).toMatchObject({ flash: "profile-saved" });
  expect(shown.headers.getSetCookie()).toContain(
    "__Host-flash=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax",
  );
});

afterEach(() => vi.unstubAllGlobals());

/** Mocks a page in a browser, and returns the cookies that scripts write. */
function stubPage(protocol: string, cookie: string) {
  const written: string[] = [];
  vi.stubGlobal("location", { protocol });
  vi.stubGlobal("document", {
    get cookie() {
      return cookie;
    },
    set cookie(line: string) {
      written.push(line);
    },
  });
  return written;
}

test("scripts write a cookie as the server does on https", () => {
  const written = stubPage("https:", "");

  writeCookie(POSITIONS_COOKIE, "[1]");

  expect(written).toEqual([
    "__Host-places=%5B1%5D; Max-Age=31536000; Path=/; SameSite=Lax; Secure",
  ]);
});

test("scripts write a cookie as the server does on http", () => {
  const written = stubPage("http:", "");

  writeCookie(POSITIONS_COOKIE, "[1]");

  expect(written).toEqual(["places=%5B1%5D; Max-Age=31536000; Path=/; SameSite=Lax"]);
});

test.each([
  ["https:", "places=1; __Host-places=2", "2"],
  ["https:", "__Host-theme=dark; __Host-places=%5B1%5D", "[1]"],
  ["https:", "places=1", undefined],
  ["http:", "places=1", "1"],
  ["https:", "__Host-places=%", undefined],
  ["https:", "myplaces=1", undefined],
])("on %s scripts find in the cookies %j the value %j", (protocol, cookie, expected) => {
  stubPage(protocol, cookie);

  expect(readCookie("places")).toBe(expected);
});

async function signInAt(app: TestApp, origin: string, person: TestAccount): Promise<string> {
  return toCookieHeader(
    (await app.send(login, `${origin}/login`, { form: toForm(person) })).headers,
  );
}

function toForm({ email, password }: TestAccount) {
  return { email, password };
}
