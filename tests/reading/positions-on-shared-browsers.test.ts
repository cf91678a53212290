import { afterEach, expect, test, vi } from "vitest";

import { loader as homeLoader } from "#app/routes/home.tsx";
import { action as savePosition } from "#app/routes/reading-position.ts";
import { action as saveInAccount } from "#app/routes/reading-positions.ts";
import { findOnDevice, saveOnDevice } from "#app/stories/positions/position-cookie.ts";
import { readJson, signIn, startApp, toCookieHeader } from "#tests/support/routes.ts";
import { deleteAccount } from "#tests/profile/deleting-account.ts";
import { createPosition, getCookie, listParagraphs, open, ORCHARD, readDevice } from "./reading.ts";

test("never saves a user's position in another's account", async () => {
  await using app = await startApp();
  const ana = await app.firebase.addAccount();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const position = JSON.stringify(createPosition({ time: Date.now() }));

  const form = { position, uid: ana.localId };
  const response = await app.send(saveInAccount, "/reading-positions", { form, cookie });

  expect(response.status).toBe(401);
  expect(await readJson(response)).toMatchObject({ reason: "other-user" });
  expect((await open(app, ORCHARD, cookie))?.position).toBeNull();
  await app.send(saveInAccount, "/reading-positions", { form, cookie: await signIn(app, ana) });
  expect((await open(app, ORCHARD, await signIn(app, ana)))?.position).toMatchObject({
    percent: 60,
  });
});

test("saves the position of another user on the device instead, without scripts", async () => {
  await using app = await startApp();
  const ana = await app.firebase.addAccount();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const anaCookie = await signIn(app, ana);
  const [, second = ""] = await listParagraphs(app, ORCHARD);

  const form = { story: ORCHARD, paragraph: second, uid: ana.localId };
  const { status, headers } = await app.send(savePosition, "/reading-position", { form, cookie });

  expect(status).toBe(303);
  expect((await open(app, ORCHARD, cookie))?.position).toBeNull();
  const device = toCookieHeader(headers);
  expect((await open(app, ORCHARD, `${cookie}; ${device}`))?.position).toBeNull();
  expect((await open(app, ORCHARD, `${anaCookie}; ${device}`))?.position).toMatchObject({
    paragraph: second,
  });
});

test("shows a user's position on a shared browser to nobody else", async () => {
  await using app = await startApp();
  const [ana, tomas] = [await app.firebase.addAccount(), await app.firebase.addAccount()];
  const tomasCookie = await signIn(app, tomas);
  const onPhone = createPosition({ percent: 30, time: Date.now() - 60_000 });
  const form = { position: JSON.stringify(onPhone) };
  await app.send(saveInAccount, "/reading-positions", { form, cookie: tomasCookie });
  const device = getCookie([
    { ...createPosition({ percent: 80, time: Date.now() }), owner: ana.localId },
  ]);

  expect(await open(app, ORCHARD, device)).toMatchObject({ position: null, lastReached: -1 });
  expect(await app.send(homeLoader, "/home", { cookie: device })).toMatchObject({
    data: { inProgress: [] },
  });
  const ofTomas = `${tomasCookie}; ${device}`;
  expect(await open(app, ORCHARD, ofTomas)).toMatchObject({
    position: { percent: 30 },
    otherPosition: null,
  });
  expect(await app.send(homeLoader, "/home", { cookie: ofTomas })).toMatchObject({
    data: { inProgress: [{ story: ORCHARD, percent: 30 }] },
  });
  const ofAna = `${await signIn(app, ana)}; ${device}`;
  expect((await open(app, ORCHARD, ofAna))?.position).toMatchObject({ percent: 80 });
  expect(await app.send(homeLoader, "/home", { cookie: ofAna })).toMatchObject({
    data: { inProgress: [{ story: ORCHARD, percent: 80 }] },
  });
});

test("keeps a visitor's position for the next user of the browser", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());

  const device = getCookie([{ ...createPosition({ percent: 40 }), owner: "" }]);

  expect((await open(app, ORCHARD, device))?.position).toMatchObject({ percent: 40 });
  const signedIn = `${cookie}; ${device}`;
  expect((await open(app, ORCHARD, signedIn))?.position).toMatchObject({ percent: 40 });
});

test("keeps the positions of others on the browser when a user saves one, without scripts", async () => {
  await using app = await startApp();
  const ana = await app.firebase.addAccount();
  const session = await signIn(app, ana);
  const [, second = ""] = await listParagraphs(app, ORCHARD);
  const before = [createPosition({ percent: 40 }), { ...createPosition(), owner: "tomas" }];

  const { headers } = await app.send(savePosition, "/reading-position", {
    form: { story: ORCHARD, paragraph: second, uid: ana.localId },
    cookie: `${session}; ${getCookie(before)}`,
  });

  const device = toCookieHeader(headers);
  expect(readDevice(device).map(({ owner }) => owner)).toEqual([ana.localId, undefined, "tomas"]);
  expect((await open(app, ORCHARD, device))?.position).toMatchObject({ percent: 40 });
});

afterEach(() => vi.unstubAllGlobals());

/** Mocks a browser with a cookie. Returns a function that reads its positions, newest first. */
function stubBrowser(cookie: string) {
  const page = { cookie };
  vi.stubGlobal("location", { protocol: "http:" });
  vi.stubGlobal("document", page);
  vi.stubGlobal("dispatchEvent", () => true);
  return () => readDevice(page.cookie);
}

test("scripts find the position of their user or of a visitor, not another user's", () => {
  stubBrowser(getCookie([{ ...createPosition({ percent: 80 }), owner: "ana" }]));

  expect(findOnDevice(ORCHARD, "ana")).toMatchObject({ percent: 80 });
  expect(findOnDevice(ORCHARD, "tomas")).toBeNull();
  expect(findOnDevice(ORCHARD, undefined)).toBeNull();

  stubBrowser(getCookie([createPosition({ percent: 40 })]));
  expect(findOnDevice(ORCHARD, "tomas")).toMatchObject({ percent: 40 });
  expect(findOnDevice(ORCHARD, undefined)).toMatchObject({ percent: 40 });
});

test("scripts keep the positions of others when they save one, newest first", () => {
  const list = stubBrowser(getCookie([{ ...createPosition({ percent: 80 }), owner: "ana" }]));

  saveOnDevice(createPosition({ percent: 10 }), undefined);
  saveOnDevice(createPosition({ percent: 20 }), "tomas");
  saveOnDevice(createPosition({ percent: 15 }), undefined);

  expect(list().map(({ owner, percent }) => [owner, percent])).toEqual([
    [undefined, 15],
    ["tomas", 20],
    ["ana", 80],
  ]);
});

test("scripts drop the oldest position of all users first when the cookie is full", () => {
  const list = stubBrowser(getCookie([{ ...createPosition({ story: "first" }), owner: "ana" }]));

  for (let index = 0; index < 30; index += 1) {
    saveOnDevice(createPosition({ story: `story-${index}` }), index % 2 ? "tomas" : undefined);
  }

  const stories = list().map(({ story }) => story);
  expect(stories.slice(0, 2)).toEqual(["story-29", "story-28"]);
  expect(stories).not.toContain("first");
  expect(stories).toEqual(stories.map((_, index) => `story-${29 - index}`));
});

test.each([
  ["removes only their positions", ["tomas", undefined], ["tomas", undefined]],
  ["deletes the cookie if it has no others", [], []],
])("deleting the account on a shared browser %s", async (_promise, others, remaining) => {
  await using app = await startApp();
  const user = await app.firebase.addAccount();
  const session = await signIn(app, user);
  const positions = [user.localId, ...others].map((owner) => ({ ...createPosition(), owner }));

  const { headers } = await deleteAccount(app, `${session}; ${getCookie(positions)}`, user, {});

  const device = headers.getSetCookie().find((line) => line.startsWith("places=")) ?? "";
  expect(device).toContain(remaining.length > 0 ? "Max-Age=31536000" : "Max-Age=0");
  expect(readDevice(device).map(({ owner }) => owner)).toEqual(remaining);
});
