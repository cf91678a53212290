import { afterEach, expect, test, vi } from "vitest";
import * as z from "zod";

import { loader as homeLoader } from "#app/routes/home.tsx";
import { createPositionSync } from "#app/reading/positions/position-tracker.client.ts";
import { action as savePosition } from "#app/routes/reading-position.ts";
import {
  action as saveInAccount,
  loader as loadFromAccount,
} from "#app/routes/reading-positions.ts";
import { action as profileAction } from "#app/routes/profile.tsx";
import { loader as readLoader } from "#app/routes/read.$id.tsx";
import { action as changeSaved } from "#app/routes/saved.ts";
import { findBuiltIn } from "#app/stories/built-in.server.ts";
import { readPositions } from "#app/stories/positions/position-cookie.ts";
import { getMinutesLeft } from "#app/stories/positions/position.ts";
import { expectConsoleError } from "#tests/support/console.ts";
import { readDocument } from "#tests/support/documents.ts";
import { readJson, signIn, startApp, toCookieHeader } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";
import { createPosition, getCookie, listParagraphs, open, ORCHARD, readDevice } from "./reading.ts";

test("saves a position without scripts, so that the page starts there", async () => {
  await using app = await startApp();
  const id = "the-salt-road-0123456789";
  const text = "One two three.\n\nFour five six seven.\n\nEight.";
  await publishStory(app.firebase.hosts, { id, title: "The Salt Road", text });
  const [, second = ""] = await listParagraphs(app, id);

  const form = { story: id, paragraph: second };
  const response = await app.send(savePosition, "/reading-position", { form });

  expect(response.status).toBe(303);
  expect(response.headers.get("Location")).toBe(`/read/${id}#${second}`);
  const story = await open(app, id, toCookieHeader(response.headers));
  expect(story?.position).toMatchObject({ paragraph: second, percent: 85 });
});

test.each(["the-ministry-of-quiet-machines", "what-the-heron-keeps"])(
  "saves a position in the built-in story %s, with the minutes left for /home",
  async (id) => {
    await using app = await startApp();
    const [first = "", ...others] = await listParagraphs(app, id);

    const form = { story: id, paragraph: others[3] ?? first };
    const saved = await app.send(savePosition, "/reading-position", { form });
    const home = await app.send(homeLoader, "/home", { cookie: toCookieHeader(saved.headers) });

    const story = await open(app, id, toCookieHeader(saved.headers));
    const { percent } = z.object({ percent: z.number() }).parse(story?.position);
    const minutesLeft = getMinutesLeft(percent, findBuiltIn(id)?.words ?? 0);
    expect(minutesLeft).toBeGreaterThan(1);
    expect(home.data).toMatchObject({ inProgress: [{ story: id, percent, minutesLeft }] });
  },
);

test.each<Record<string, string>>([
  { story: ORCHARD, paragraph: "p-nowhere" },
  { story: "nothing", paragraph: "p-1" },
  { story: ORCHARD },
  {},
])("rejects %j, which is not in a story", async (form) => {
  await using app = await startApp();

  expect(await app.send(savePosition, "/reading-position", { form })).toMatchObject({
    status: 400,
  });
});

test("finds a position in an older version of the text by its words", async () => {
  await using app = await startApp();
  const [, , third] = await listParagraphs(app, ORCHARD);
  const start = "That evening she counted three hundred a";

  const cookie = getCookie([createPosition({ paragraph: "p-old", start, number: 7 })]);

  expect((await open(app, ORCHARD, cookie))?.position).toMatchObject({
    paragraph: third,
    offset: 3,
  });
});

test.each(["places=nonsense", "places=%7B%7D", "places=%5B1%2C%5B%5D%5D", "places=%E0%A4%A"])(
  "ignores the damaged cookie %j",
  async (cookie) => {
    await using app = await startApp();

    expect((await open(app, ORCHARD, cookie))?.position).toBeNull();
  },
);

test("ignores a position in the cookie with a longer beginning than positions have", () => {
  const read = (length: number) =>
    readDevice(getCookie([createPosition({ start: "x".repeat(length) })]));

  expect(read(80)).toHaveLength(1);
  expect(read(81)).toEqual([]);
});

test("limits the cookie of positions and drops the oldest first", async () => {
  await using app = await startApp();
  const positions = Array.from({ length: 40 }, (_, index) =>
    createPosition({ story: `a story with a long name ${index}`, time: 1000 - index }),
  );
  const [first = ""] = await listParagraphs(app, ORCHARD);

  const form = { story: ORCHARD, paragraph: first };
  const { headers } = await app.send(savePosition, "/reading-position", {
    form,
    cookie: getCookie(positions),
  });

  const cookie = toCookieHeader(headers);
  expect(cookie.length).toBeLessThan(2600);
  const saved = readPositions(decodeURIComponent(cookie.slice("places=".length)));
  expect(saved.map(({ story }) => story).slice(0, 2)).toEqual([
    ORCHARD,
    "a story with a long name 0",
  ]);
  expect(saved.length).toBeGreaterThan(5);
});

test("reads no more positions from the cookie than fit into it", () => {
  const positions = Array.from({ length: 1000 }, () => createPosition());

  expect(readDevice(getCookie(positions))).toHaveLength(40);
});

test("saves a position in the account, which another device loads", async () => {
  await using app = await startApp();
  const user = await app.firebase.addAccount();
  const cookie = await signIn(app, user);
  const position = createPosition({ time: Date.now() });

  const form = { position: JSON.stringify(position) };
  const response = await app.send(saveInAccount, "/reading-positions", { form, cookie });

  expect(await (response as Response).json()).toEqual({ status: "done" });
  const path = `users/${user.localId}/places/${ORCHARD}`;
  const stored = await readDocument(app.firebase.hosts, path);
  expect(stored).toMatchObject({
    percent: { integerValue: "60" },
    title: { stringValue: "Orchard" },
  });
  expect((await open(app, ORCHARD, cookie))?.position).toMatchObject({ percent: 60 });
  const loaded = await app.send(loadFromAccount, `/reading-positions?story=${ORCHARD}`, { cookie });
  expect(await (loaded as Response).json()).toMatchObject({
    position: { percent: 60, story: ORCHARD },
  });
});

afterEach(() => void vi.useRealTimers());

test("sends positions to the account every ten seconds after the clock is set back", async () => {
  vi.useFakeTimers();
  const fetch = vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json(null));
  const sync = createPositionSync("ana");
  sync.save(createPosition());
  sync.flush();

  vi.setSystemTime(Date.now() - 3_600_000);
  sync.save(createPosition({ number: 3 }));
  const latest = createPosition({ number: 4 });
  sync.save(latest);
  await vi.advanceTimersByTimeAsync(9999);
  expect(fetch).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(fetch).toHaveBeenCalledTimes(2);
  const body = new URLSearchParams({ uid: "ana", position: JSON.stringify(latest) });
  expect(fetch).toHaveBeenLastCalledWith("/reading-positions", expect.objectContaining({ body }));

  await vi.advanceTimersByTimeAsync(60_000);
  sync.save(createPosition({ number: 5 }));
  await vi.advanceTimersByTimeAsync(0);
  expect(fetch).toHaveBeenCalledTimes(3);
});

test("stores the later position in the account, in whatever order they arrive", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const now = Date.now();

  for (const [percent, time] of [
    [60, now],
    [20, now - 5000],
  ] as const) {
    const form = { position: JSON.stringify(createPosition({ percent, time })) };
    await app.send(saveInAccount, "/reading-positions", { form, cookie });
  }

  expect((await open(app, ORCHARD, cookie))?.position).toMatchObject({ percent: 60 });
});

test("offers a position far back on another device", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const form = { position: JSON.stringify(createPosition({ percent: 20, time: Date.now() })) };
  await app.send(saveInAccount, "/reading-positions", { form, cookie });

  const device = getCookie([createPosition({ percent: 60, time: 5 })]);

  expect(await open(app, ORCHARD, `${cookie}; ${device}`)).toMatchObject({
    position: { percent: 60 },
    otherPosition: { percent: 20 },
  });
});

test("accepts later positions after one from a device with a fast clock", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());

  for (const [percent, time] of [
    [20, Date.now() + 1e9],
    [60, Date.now() + 50_000],
  ] as const) {
    const form = { position: JSON.stringify(createPosition({ percent, time })) };
    await app.send(saveInAccount, "/reading-positions", { form, cookie });
  }

  expect((await open(app, ORCHARD, cookie))?.position).toMatchObject({ percent: 60 });
});

test.each(["", "{}", "nonsense", JSON.stringify({ ...createPosition(), story: "a/b" })])(
  "rejects %j, which is not a position",
  async (position) => {
    await using app = await startApp();

    expect(
      await app.send(saveInAccount, "/reading-positions", { form: { position } }),
    ).toMatchObject({
      status: 400,
    });
  },
);

test("lists the stories in progress on Home, newest first, from the device and the account", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const now = Date.now();
  const account = [
    createPosition({ story: "there", title: "There", percent: 12, time: now - 3 }),
    createPosition({ story: "both", title: "Both", percent: 50, time: now - 1 }),
    createPosition({ story: "over", title: "Over", percent: 100, time: now }),
  ];
  for (const position of account) {
    await app.send(saveInAccount, "/reading-positions", {
      form: { position: JSON.stringify(position) },
      cookie,
    });
  }
  const device = [
    createPosition({ percent: 30, minutesLeft: 4, time: now - 2 }),
    createPosition({ story: "both", title: "Both", percent: 40, time: now - 9 }),
    createPosition({ story: "over", title: "Over", percent: 99, time: now - 9 }),
  ];

  const { data } = await app.send(homeLoader, "/home", {
    cookie: `${cookie}; ${getCookie(device)}`,
  });

  expect(data).toMatchObject({
    inProgress: [
      { story: "both", title: "Both", percent: 50, cover: "" },
      { story: ORCHARD, percent: 30, minutesLeft: 4, cover: `/assets/covers/${ORCHARD}.svg` },
      { story: "there", title: "There", percent: 12 },
    ],
  });
});

test("lists nothing in progress on Home for a new user, or where the deployment shows no stories", async () => {
  await using app = await startApp();
  const bare = app.withVariables({ READER: "placeholder" });
  const cookie = getCookie([createPosition()]);

  expect(await app.send(homeLoader, "/home")).toMatchObject({ data: { inProgress: [] } });
  expect(await bare.send(homeLoader, "/home", { cookie })).toMatchObject({
    data: { inProgress: [] },
  });
});

test("deletes the positions with the account", async () => {
  await using app = await startApp();
  const user = await app.firebase.addAccount();
  const cookie = await signIn(app, user);
  await app.send(saveInAccount, "/reading-positions", {
    form: { position: JSON.stringify(createPosition()) },
    cookie,
  });

  const { email, password: currentPassword } = user;
  const form = { intent: "delete-account", email, currentPassword, messages: "delete" };
  await app.send(profileAction, "/profile", { form, cookie });

  const path = `users/${user.localId}/places/${ORCHARD}`;
  expect(await readDocument(app.firebase.hosts, path)).toMatchObject({ error: { code: 404 } });
});

const UNPUBLISHED = "the-salt-road-0123456789";

test("forgets the position in an unpublished story when the user follows its link on Home", async () => {
  await using app = await startApp();
  const account = await app.firebase.addAccount();
  const session = await signIn(app, account);
  const position = createPosition({ story: UNPUBLISHED, time: Date.now() });
  const form = { position: JSON.stringify(position) };
  await app.send(saveInAccount, "/reading-positions", { form, cookie: session });
  const others = [createPosition(), { ...position, owner: "tomas" }];
  const device = getCookie([{ ...position, owner: account.localId }, position, ...others]);
  expect(await app.send(homeLoader, "/home", { cookie: `${session}; ${device}` })).toMatchObject({
    data: { inProgress: [{ story: UNPUBLISHED }, { story: ORCHARD }] },
  });

  const params = { id: UNPUBLISHED };
  const path = `/read/${UNPUBLISHED}`;
  const page = await app.send(readLoader, path, { params, cookie: `${session}; ${device}` });
  await app.finish();

  expect(page.data).toMatchObject({ story: null, isUnavailable: false });
  const remaining = page.headers.getSetCookie().find((line) => line.startsWith("places=")) ?? "";
  expect(readDevice(remaining)).toEqual(others);
  expect(await app.send(homeLoader, "/home", { cookie: session })).toMatchObject({
    data: { inProgress: [] },
  });
  const stored = `users/${account.localId}/places/${UNPUBLISHED}`;
  expect(await readDocument(app.firebase.hosts, stored)).toMatchObject({ error: { code: 404 } });
});

test("forgets no position when the database is unavailable or the site shows no stories", async () => {
  expectConsoleError();
  await using app = await startApp();
  const cookie = getCookie([createPosition({ story: UNPUBLISHED })]);
  const path = `/read/${UNPUBLISHED}`;

  const disconnected = app.withVariables({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });
  const bare = app.withVariables({ READER: "placeholder" });
  for (const other of [disconnected, bare]) {
    const options = { params: { id: UNPUBLISHED }, cookie };
    const { headers } = await other.send(readLoader, path, options);
    expect(headers.getSetCookie().join("\n")).not.toContain("places=");
  }
});

test("an address with the id of a list deletes no list", async () => {
  await using app = await startApp();
  const account = await app.firebase.addAccount();
  const cookie = await signIn(app, account);
  const form = { intent: "save", story: ORCHARD };
  await app.send(changeSaved, "/saved", { form, cookie });

  await app.send(readLoader, "/read/~saved", { params: { id: "~saved" }, cookie });
  await app.finish();

  expect(await app.send(homeLoader, "/home", { cookie })).toMatchObject({
    data: { saved: [{ id: ORCHARD }] },
  });
});

test("distinguishes a position that cannot be read from one that does not exist", async () => {
  expectConsoleError();
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  const disconnected = app.withVariables({ FIRESTORE_EMULATOR_HOST: "127.0.0.1:1" });

  expect(await open(app, ORCHARD, cookie)).toMatchObject({ isPositionUnavailable: false });
  expect(await open(disconnected, ORCHARD, cookie)).toMatchObject({
    isPositionUnavailable: true,
    position: null,
  });
  expect(await open(disconnected, ORCHARD)).toMatchObject({ isPositionUnavailable: false });

  const loaded = await disconnected.send(loadFromAccount, `/reading-positions?story=${ORCHARD}`, {
    cookie,
  });
  expect(loaded.status).toBe(503);
  const form = { position: JSON.stringify(createPosition()) };
  const response = await disconnected.send(saveInAccount, "/reading-positions", { form, cookie });
  expect(response.status).toBe(503);
  expect(await readJson(response)).toMatchObject({ reason: "unavailable" });
});

test("reports to visitors that nothing was saved", async () => {
  await using app = await startApp();

  const form = { position: JSON.stringify(createPosition()) };
  const response = await app.send(saveInAccount, "/reading-positions", { form });

  expect(await (response as Response).json()).toMatchObject({ reason: "unauthenticated" });
  const loaded = await app.send(loadFromAccount, `/reading-positions?story=${ORCHARD}`);
  expect(await (loaded as Response).json()).toEqual({ position: null });
});
