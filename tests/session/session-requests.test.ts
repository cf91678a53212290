import { afterEach, expect, test, vi } from "vitest";

import { loader as rootLoader } from "#app/root.tsx";
import { action as drafts } from "#app/routes/drafts.ts";
import { action as following } from "#app/routes/following.ts";
import { loader as home } from "#app/routes/home.tsx";
import { action as saveInAccount } from "#app/routes/reading-positions.ts";
import { loader } from "#app/routes/profile.tsx";
import { createPosition } from "#tests/reading/reading.ts";
import { startApp } from "#tests/support/routes.ts";
import { sendJson, startServer } from "#tests/support/server.ts";
import { FIREFOX, signInWith } from "./devices.ts";
import { recordRequests } from "./own-requests.ts";

afterEach(() => void vi.useRealTimers());

test("a page checks the provider and the registry in turn, and both after a pause", async () => {
  await using app = await startApp();
  const cookie = await signInWith(app, await app.firebase.addAccount(), FIREFOX);
  const start = Date.now();
  const requests = recordRequests(app);
  const look = async (seconds: number) => {
    requests.clear();
    vi.setSystemTime(start + seconds * 1000);
    await app.send(rootLoader, "/profile", { cookie });
    return requests.list().map((url) => url.replace(/^.*\/(?=accounts:|sessions)/, ""));
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
  const requests = recordRequests(app);
  const open = async (seconds: number) => {
    requests.clear();
    vi.setSystemTime(start + seconds * 1000);
    const request = new Request("http://localhost/home", { headers: { Cookie: cookie } });
    const args = { request, params: {}, context: app.contextFor(request) };
    await Promise.all([rootLoader(args), home(args)]);
    return requests.list().length;
  };

  expect([await open(1), await open(26), await open(27), await open(90)]).toEqual([2, 3, 3, 3]);
});

test("Home shows new stories and positions even when it checks the session", async () => {
  await using app = await startApp();
  const cookie = await signInWith(app, await app.firebase.addAccount(), FIREFOX);
  const writer = await app.firebase.addAccount({ displayName: "Ana" });
  const writing = await signInWith(app, writer, FIREFOX);
  // Unlike `setSystemTime` alone, its Date accepts times that were read before as dates.
  const start = Date.now();
  vi.useFakeTimers({ toFake: ["Date"] });
  const open = async (seconds: number) => {
    vi.setSystemTime(start + seconds * 1000);
    return (await app.send(home, "/home", { cookie })).data;
  };
  const draft = { revision: "0", text: "Once upon a time", intent: "publish" };
  const publish = (title: string, id: string) =>
    app.send(drafts, "/drafts", { cookie: writing, form: { ...draft, title, id } });
  await publish("Sand", "b".repeat(20));
  const form = { intent: "follow", writer: writer.localId };
  await app.send(following, "/following", { cookie, form });
  expect(await open(0)).toMatchObject({ newStories: [{ title: "Sand" }], inProgress: [] });

  await publish("Salt", "a".repeat(20));
  await app.send(saveInAccount, "/reading-positions", {
    cookie,
    form: { position: JSON.stringify(createPosition()) },
  });

  expect(await open(60)).toMatchObject({
    newStories: [{ title: "Salt" }, { title: "Sand" }],
    inProgress: [{ percent: 60 }],
  });
});

test("every renewal checks the registry, however recent the last check", async () => {
  await using app = await startApp();
  const cookie = await signInWith(app, await app.firebase.addAccount(), FIREFOX);
  const requests = recordRequests(app);
  const look = async (minutes: number) => {
    requests.clear();
    vi.setSystemTime(Date.now() + minutes * 60_000);
    await app.send(rootLoader, "/profile", { cookie });
    return requests.list().map((url) => url.replace(/^.*\/(?=accounts:|sessions|token)/, ""));
  };
  const list: unknown = expect.stringMatching(/^sessions\/\w{20}$/);

  expect(await look(54.9)).toContainEqual(list);
  expect(await look(0.2)).toEqual([expect.stringMatching(/^token/), list]);
});

test("an account that the provider no longer returns is signed out", async () => {
  await using app = await startApp();
  await using empty = await startServer((response) => sendJson(response, 200, {}));
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
