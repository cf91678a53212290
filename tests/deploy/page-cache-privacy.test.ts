import fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { setFlash } from "#app/site/flash/flash.server.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { startApp, type TestApp } from "#tests/support/routes.ts";
import { startCachedApp, isCached, ORIGIN, type Visit } from "#tests/support/visitors.ts";

const STORY_PATH = "/read/what-the-heron-keeps";
const PATHS = [
  "/home",
  "/home?tag=quiet",
  "/home?sort=new",
  STORY_PATH,
  `${STORY_PATH}.data`,
  "/home.data",
  "/login",
  "/register",
];

const OTHER_COOKIES = [
  "__Host-session=x",
  "__session=x",
  "__Host-sign-out=x",
  "sign-out=x",
  "__Host-flash=account-deleted",
  "__Host-form-error=x",
  "__Host-places=%5B%5D",
  "places=%5B%5D",
  "__Host-saved=%5B%5D",
  "__Host-return-to=%7B%7D",
  "__Host-google=x",
  "__Host-email-cooldown=x",
  "__Host-unsaved=x",
  "something=x",
  "theme=dark; =x; other=1",
];

/** Words that only pages of the signed-in user contain. */
const PRIVATE_NAME = "Robin Vale";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-22T14:05:00Z") });
});

afterEach(() => {
  vi.useRealTimers();
});

async function startWithUser(app: TestApp) {
  const person = await app.firebase.addAccount({ displayName: PRIVATE_NAME });
  const edge = await startCachedApp(app, {
    FIREBASE_APP_ID: "1:1:web:1",
    FIREBASE_MEASUREMENT_ID: "G-1A2B3C4D5E",
  });
  return { edge, person, cookie: await edge.signIn(person) };
}

test("no page of a signed-in user is stored, or served to anybody else", async () => {
  await using app = await startApp();
  const { edge, person, cookie } = await startWithUser(app);
  const visit = fc.record({
    path: fc.constantFrom(...PATHS, "/profile", "/create"),
    isSignedIn: fc.boolean(),
    theme: fc.constantFrom("", "theme=dark", "__Host-theme=light"),
    passMs: fc.constantFrom(0, 1000, 70_000, 400_000),
  });

  await fc.assert(
    fc.asyncProperty(fc.array(visit, { minLength: 4, maxLength: 8 }), async (visits) => {
      for (const { path, isSignedIn, theme, passMs } of visits) {
        edge.pass(passMs);
        const cookies = [theme, isSignedIn ? cookie : ""].filter(Boolean).join("; ");
        const response = await edge.visit(path, { cookie: cookies });
        const text = await response.text();
        await edge.finish();

        expect(text.includes(person.localId), path).toBe(isSignedIn && response.status === 200);
        if (isSignedIn) expect(isCached(response), path).toBe(false);
      }
    }),
    { numRuns: 6, endOnFailure: true },
  );

  const stored = edge.memory.list();
  expect(stored.length).toBeGreaterThan(3);
  const secrets = [PRIVATE_NAME, person.localId, person.email, "session"];
  for (const { key, text } of stored) {
    for (const secret of secrets) expect(key).not.toContain(secret);
    for (const secret of secrets.slice(0, 3)) expect(text).not.toContain(secret);
    expect(text.toLowerCase()).not.toContain('"set-cookie"');
  }
});

test("a request with any other cookie is not served from the cache, and its page is not stored", async () => {
  await using app = await startApp();
  const { edge } = await startWithUser(app);
  await edge.visit("/home");
  await edge.visit("/home", { cookie: "theme=dark" });
  await edge.finish();
  const before = edge.memory.list().length;

  for (const cookie of OTHER_COOKIES) {
    const response = await edge.visit("/home", { cookie });
    await edge.finish();

    expect(isCached(response), cookie).toBe(false);
    expect(edge.memory.list(), cookie).toHaveLength(before);
  }
});

test("a message for one browser is shown there, and to no later visitor", async () => {
  await using app = await startApp();
  const { edge } = await startWithUser(app);
  const flash = setFlash(new Request(ORIGIN), "account-deleted")["Set-Cookie"].split(";")[0];

  const own = await edge.read("/home", { cookie: flash });
  await edge.finish();

  expect(own).toContain("Your account has been deleted.");
  expect(await edge.read("/home")).not.toContain("Your account has been deleted.");
});

const VARIANTS: [string, string, Visit, Visit][] = [
  ["themes", "/home", { cookie: "__Host-theme=dark" }, { cookie: "__Host-theme=light" }],
  ["a theme and none", "/home", { cookie: "__Host-theme=dark" }, {}],
  ["zones", "/home", { zone: "Asia/Tokyo" }, { zone: "Europe/Zurich" }],
  ["languages", "/home", { language: "de-CH" }, { language: "en-US" }],
  ["consents", "/home", { cookie: "__Host-analytics=yes" }, { cookie: "__Host-analytics=no" }],
  ["privacy controls", "/home", { headers: { "Sec-GPC": "1" } }, {}],
  [
    "reading settings",
    STORY_PATH,
    { cookie: "__Host-reading=size%3D28" },
    { cookie: "__Host-reading=size%3D16" },
  ],
];

test.each(VARIANTS)(
  "visitors with different %s get the pages that they would get without a cache",
  async (_, path, one, other) => {
    await using app = await startApp();
    await fillRoom(app.firebase, await app.firebase.addAccount(), 3, ["Good evening"]);
    const { edge } = await startWithUser(app);

    const pages: string[] = [];
    for (const visit of [one, other, one, other]) {
      const response = await edge.visit(path, visit);
      await edge.finish();
      const rendered = await edge.visitUncached(path, visit);
      pages.push(toComparable(await response.text()));
      expect(pages.at(-1)).toBe(toComparable(await rendered.text()));
      expect(response.headers.get("Content-Security-Policy")?.replace(UUID, "")).toBe(
        rendered.headers.get("Content-Security-Policy")?.replace(UUID, ""),
      );
    }

    expect(pages[0]).not.toBe(pages[1]);
    expect(edge.memory.list()).toHaveLength(2);
  },
);

const UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;

/** Returns a page without the values that differ each time: its nonce and its message id. */
function toComparable(html: string): string {
  return html
    .replaceAll(new RegExp(UUID, "g"), "")
    .replaceAll(/(nextId\\",\\"|name="messageId" value=")\w{20}/g, "$1");
}
