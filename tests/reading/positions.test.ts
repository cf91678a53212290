import { expect, test } from "vitest";

import { readPlaces, type Place } from "#app/reading/position.ts";
import { loader as homeLoader } from "#app/routes/home.tsx";
import { action as keepPlace } from "#app/routes/place.ts";
import { action as keepInAccount, loader as askAccount } from "#app/routes/places.ts";
import { action as profileAction } from "#app/routes/profile.tsx";
import { expectConsoleError } from "#tests/support/console.ts";
import { readDocument } from "#tests/support/documents.ts";
import { readJson, signIn, startApp, toCookieHeader, type TestApp } from "#tests/support/routes.ts";
import { open, ORCHARD, placeOf } from "./reading.ts";

/** The names of the text's paragraphs, in their order. */
async function listParagraphs(app: TestApp, id: string): Promise<string[]> {
  const story = await open(app, id);
  return [...String(story?.html).matchAll(/ id="(p-[^"]+)"/g)].map(([, name = ""]) => name);
}

function cookieOf(places: Place[]): string {
  const rows = places.map(({ story, title, paragraph, start, ...numbers }) => {
    const { offset, number, percent, minutesLeft, time } = numbers;
    return [story, title, paragraph, start, offset, number, percent, minutesLeft, time];
  });
  return `places=${encodeURIComponent(JSON.stringify(rows))}`;
}

test("a place is kept without scripts, and the page leads back to it", async () => {
  await using app = await startApp();
  const [, second = ""] = await listParagraphs(app, ORCHARD);

  const form = { story: ORCHARD, paragraph: second };
  const response = await app.send(keepPlace, "/place", { form });

  expect(response.status).toBe(303);
  expect(response.headers.get("Location")).toBe(`/read/${ORCHARD}#${second}`);
  const story = await open(app, ORCHARD, toCookieHeader(response.headers));
  expect(story?.place).toMatchObject({ paragraph: second, percent: 78 });
});

test.each<Record<string, string>>([
  { story: ORCHARD, paragraph: "p-nowhere" },
  { story: "nothing", paragraph: "p-1" },
  { story: ORCHARD },
  {},
])("the place %j is none", async (form) => {
  await using app = await startApp();

  expect(await app.send(keepPlace, "/place", { form })).toMatchObject({ status: 400 });
});

test("a place that an older text had is found again by its words", async () => {
  await using app = await startApp();
  const [, , third] = await listParagraphs(app, ORCHARD);
  const start = "That evening she counted three hundred a";

  const cookie = cookieOf([placeOf({ paragraph: "p-old", start, number: 7 })]);

  expect((await open(app, ORCHARD, cookie))?.place).toMatchObject({ paragraph: third, offset: 3 });
});

test.each(["places=nonsense", "places=%7B%7D", "places=%5B1%2C%5B%5D%5D", "places=%E0%A4%A"])(
  "the damaged cookie %j is as good as none",
  async (cookie) => {
    await using app = await startApp();

    expect((await open(app, ORCHARD, cookie))?.place).toBeNull();
  },
);

test("the cookie of places stays small, and forgets the oldest first", async () => {
  await using app = await startApp();
  const places = Array.from({ length: 40 }, (_, index) =>
    placeOf({ story: `a story with a long name ${index}`, time: 1000 - index }),
  );
  const [first = ""] = await listParagraphs(app, ORCHARD);

  const form = { story: ORCHARD, paragraph: first };
  const { headers } = await app.send(keepPlace, "/place", { form, cookie: cookieOf(places) });

  const cookie = toCookieHeader(headers);
  expect(cookie.length).toBeLessThan(2600);
  const kept = readPlaces(decodeURIComponent(cookie.slice("places=".length)));
  expect(kept.map(({ story }) => story).slice(0, 2)).toEqual([
    ORCHARD,
    "a story with a long name 0",
  ]);
  expect(kept.length).toBeGreaterThan(5);
});

test("a place goes to the account, and from there to another device", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  const place = placeOf({ time: Date.now() });

  const form = { place: JSON.stringify(place) };
  const response = await app.send(keepInAccount, "/places", { form, cookie });

  expect(await (response as Response).json()).toEqual({ isKept: true });
  const path = `users/${person.localId}/places/${ORCHARD}`;
  const stored = await readDocument(app.firebase.hosts, path);
  expect(stored).toMatchObject({
    percent: { integerValue: "60" },
    title: { stringValue: "Orchard" },
  });
  expect((await open(app, ORCHARD, cookie))?.place).toMatchObject({ percent: 60 });
  const asked = await app.send(askAccount, `/places?story=${ORCHARD}`, { cookie });
  expect(await (asked as Response).json()).toMatchObject({
    place: { percent: 60, story: ORCHARD },
  });
});

test("the later place wins in the account, whichever arrives last", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const now = Date.now();

  for (const [percent, time] of [
    [60, now],
    [20, now - 5000],
  ] as const) {
    const form = { place: JSON.stringify(placeOf({ percent, time })) };
    await app.send(keepInAccount, "/places", { form, cookie });
  }

  expect((await open(app, ORCHARD, cookie))?.place).toMatchObject({ percent: 60 });
});

test("a jump far back by another device is asked about", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const form = { place: JSON.stringify(placeOf({ percent: 20, time: Date.now() })) };
  await app.send(keepInAccount, "/places", { form, cookie });

  const here = cookieOf([placeOf({ percent: 60, time: 5 })]);

  expect(await open(app, ORCHARD, `${cookie}; ${here}`)).toMatchObject({
    place: { percent: 60 },
    other: { percent: 20 },
  });
});

test("a clock that runs ahead does not make its places the latest for ever", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());

  for (const [percent, time] of [
    [20, Date.now() + 1e9],
    [60, Date.now() + 50_000],
  ] as const) {
    const form = { place: JSON.stringify(placeOf({ percent, time })) };
    await app.send(keepInAccount, "/places", { form, cookie });
  }

  expect((await open(app, ORCHARD, cookie))?.place).toMatchObject({ percent: 60 });
});

test.each(["", "{}", "nonsense", JSON.stringify({ ...placeOf(), story: "a/b" })])(
  "%j is no place",
  async (place) => {
    await using app = await startApp();

    expect(await app.send(keepInAccount, "/places", { form: { place } })).toMatchObject({
      status: 400,
    });
  },
);

test("Home continues what is begun and not finished, newest first, from both the device and the account", async () => {
  await using app = await startApp();
  const account = await signIn(app, await app.firebase.addAccount());
  const now = Date.now();
  const there = [
    placeOf({ story: "there", title: "There", percent: 12, time: now - 3 }),
    placeOf({ story: "both", title: "Both", percent: 50, time: now - 1 }),
    placeOf({ story: "over", title: "Over", percent: 100, time: now }),
  ];
  for (const place of there) {
    await app.send(keepInAccount, "/places", {
      form: { place: JSON.stringify(place) },
      cookie: account,
    });
  }
  const here = [
    placeOf({ percent: 30, minutesLeft: 4, time: now - 2 }),
    placeOf({ story: "both", title: "Both", percent: 40, time: now - 9 }),
    placeOf({ story: "over", title: "Over", percent: 99, time: now - 9 }),
  ];

  const { data } = await app.send(homeLoader, "/home", { cookie: `${account}; ${cookieOf(here)}` });

  expect(data).toMatchObject({
    begun: [
      { story: "both", title: "Both", percent: 50, cover: "" },
      { story: ORCHARD, percent: 30, minutesLeft: 4, cover: `/assets/covers/${ORCHARD}.svg` },
      { story: "there", title: "There", percent: 12 },
    ],
  });
});

test("Home has nothing to continue for somebody who is new, nor where there is no reader", async () => {
  await using app = await startApp();
  await using bare = await startApp({ READER: "placeholder" });
  const cookie = cookieOf([placeOf()]);

  expect(await app.send(homeLoader, "/home")).toMatchObject({ data: { begun: [] } });
  expect(await bare.send(homeLoader, "/home", { cookie })).toMatchObject({ data: { begun: [] } });
});

test("places go with the account", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);
  await app.send(keepInAccount, "/places", { form: { place: JSON.stringify(placeOf()) }, cookie });

  const { email, password: currentPassword } = person;
  const form = { intent: "delete-account", email, currentPassword, messages: "delete" };
  await app.send(profileAction, "/profile", { form, cookie });

  const path = `users/${person.localId}/places/${ORCHARD}`;
  expect(await readDocument(app.firebase.hosts, path)).toMatchObject({ error: { code: 404 } });
});

test("where one person is in a story never goes to another's account", async () => {
  await using app = await startApp();
  const ana = await app.firebase.addAccount();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const place = JSON.stringify(placeOf({ time: Date.now() }));

  const form = { place, uid: ana.localId };
  const response = await app.send(keepInAccount, "/places", { form, cookie });

  expect(response.status).toBe(401);
  expect(await readJson(response)).toMatchObject({ isKept: false });
  expect((await open(app, ORCHARD, cookie))?.place).toBeNull();
  await app.send(keepInAccount, "/places", { form, cookie: await signIn(app, ana) });
  expect((await open(app, ORCHARD, await signIn(app, ana)))?.place).toMatchObject({ percent: 60 });
});

test("without scripts, too: the place stays on the device, and out of another's account", async () => {
  await using app = await startApp();
  const ana = await app.firebase.addAccount();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const [, second = ""] = await listParagraphs(app, ORCHARD);

  const form = { story: ORCHARD, paragraph: second, uid: ana.localId };
  const { status, headers } = await app.send(keepPlace, "/place", { form, cookie });

  expect(status).toBe(303);
  expect((await open(app, ORCHARD, cookie))?.place).toBeNull();
  expect((await open(app, ORCHARD, toCookieHeader(headers)))?.place).toMatchObject({
    paragraph: second,
  });
});

test("a place in the account that cannot be read is not taken for none", async () => {
  expectConsoleError();
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const cut = app.withVariables({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });

  expect(await open(app, ORCHARD, cookie)).toMatchObject({ isPlaceUnreachable: false });
  expect(await open(cut, ORCHARD, cookie)).toMatchObject({ isPlaceUnreachable: true, place: null });
  expect(await open(cut, ORCHARD)).toMatchObject({ isPlaceUnreachable: false });

  const asked = await cut.send(askAccount, `/places?story=${ORCHARD}`, { cookie });
  expect(asked.status).toBe(503);
  const form = { place: JSON.stringify(placeOf()) };
  const kept = await cut.send(keepInAccount, "/places", { form, cookie });
  expect(kept.status).toBe(503);
  expect(await readJson(kept)).toMatchObject({ isKept: false });
});

test("a visitor has no account to keep a place in", async () => {
  await using app = await startApp();

  const form = { place: JSON.stringify(placeOf()) };
  const response = await app.send(keepInAccount, "/places", { form });

  expect(await (response as Response).json()).toEqual({ isKept: false });
  const asked = await app.send(askAccount, `/places?story=${ORCHARD}`);
  expect(await (asked as Response).json()).toEqual({ place: null });
});
