import { enableLogging, get, goOffline, goOnline, ref, remove, set } from "firebase/database";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { startOnline } from "#app/chat/online-status.client.ts";
import { subscribeToPeople } from "#app/chat/people.client.ts";
import type { PeopleHere } from "#app/chat/presence.ts";
import {
  subscribeToTyping,
  setTyping,
  setUnseen,
  subscribeToUnseen,
} from "#app/chat/presence.client.ts";
import type { DatabaseServer } from "#emulator/database/server.ts";
import { connectPage, startAppDatabase } from "#tests/support/database-rules.ts";
import { collectWarnings, connectClient, NAMESPACE } from "#tests/support/database.ts";
import { startFaultProxy } from "#tests/support/fault-proxy.ts";

const HOUR = 60 * 60_000;
const NAMES: Record<string, string> = { ana: "Ana Reyes", tomas: "Tomas Lund" };

let page: EventTarget & { visibilityState: string };

beforeEach(() => {
  page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  vi.stubGlobal("document", page);
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const startServer = (data = {}, now = Date.now) =>
  startAppDatabase(["ana", "bob", "tomas", "reader"], data, { now });

function connect(server: Pick<DatabaseServer, "host" | "port">, uid: string) {
  const name = NAMES[uid];
  return connectPage(server, uid, name === undefined ? {} : { name });
}

/** Opens a tab of the user, which is online. */
function openTab(server: Pick<DatabaseServer, "host" | "port">, uid: string, now = Date.now) {
  const client = connect(server, uid);
  const getProfile = async () => ({ name: NAMES[uid] ?? "Anonymous" });
  const online = startOnline(client.db, uid, { getProfile, now, tab: {} });
  return { ...client, online, [Symbol.asyncDispose]: client[Symbol.asyncDispose].bind(client) };
}

/** Subscribes to who is here, as a user who is not here. */
function watchPeople(server: DatabaseServer, now = Date.now) {
  const client = connect(server, "reader");
  const changes: (PeopleHere | null)[] = [];
  const unsubscribe = subscribeToPeople(client.db, (here) => changes.push(here), now);
  return {
    client,
    changes,
    names: () => changes.at(-1)?.people.map(({ name }) => name),
    async [Symbol.asyncDispose]() {
      unsubscribe();
      await client[Symbol.asyncDispose]();
    },
  };
}

interface Stored {
  status?: Record<string, { state: string; last_changed: number }>;
  connections?: Record<string, Record<string, { name: string; time: number }>>;
  unseen?: Record<string, boolean>;
  typing?: unknown;
}

function read(server: DatabaseServer): Stored {
  const { sessions: _, ...stored } = Object(server.export()[NAMESPACE]);
  // The rules allow no data of another shape.
  return stored as Stored;
}

const readState = (server: DatabaseServer, uid: string) => read(server).status?.[uid]?.state;
/** Waits for Ana's connections. Tabs that open together can choose the same id; the app repairs that when one is closed. */
const expectConnections = (server: DatabaseServer, count: number) =>
  expect.poll(() => countConnections(server, "ana")).toBe(count);
const countConnections = (server: DatabaseServer, uid: string) =>
  Object.keys(read(server).connections?.[uid] ?? {}).length;

test("lists a user with two tabs once, until both are closed", async () => {
  await using server = await startServer();
  await using people = watchPeople(server);
  await using first = openTab(server, "ana");
  await expectConnections(server, 1);
  await using second = openTab(server, "ana");
  await using tomas = openTab(server, "tomas");
  await expectConnections(server, 2);
  await expect.poll(() => people.names()).toEqual(["Ana Reyes", "Tomas Lund"]);

  goOffline(second.db);
  await expectConnections(server, 1);
  expect(people.names()).toEqual(["Ana Reyes", "Tomas Lund"]);
  goOffline(tomas.db);
  await expect.poll(() => people.names()).toEqual(["Ana Reyes"]);
  goOffline(first.db);

  await expect.poll(() => people.names()).toEqual([]);
  expect(readState(server, "ana")).toBe("offline");
  expect(people.changes.slice(1).every((here) => here !== null)).toBe(true);
});

test.for(["https://photos.example/ana.png", `/pictures/ana/${"0a".repeat(16)}.png`])(
  "shows the photo %s",
  async (photo) => {
    await using server = await startServer();
    await using people = watchPeople(server);
    const picture = photo.startsWith("/") ? `https://inkglade.example${photo}` : photo;
    await using ana = connectPage(server, "ana", { name: "Ana Reyes", picture });
    const online = startOnline(ana.db, "ana", {
      getProfile: async () => ({ name: "Ana Reyes", photo }),
      now: Date.now,
      tab: {},
    });

    await expect
      .poll(() => people.changes.at(-1)?.people)
      .toEqual([{ uid: "ana", name: "Ana Reyes", photoURL: photo }]);
    online.cancel();
  },
);

test("sets the status to online again when one of several tabs is closed, by one write", async () => {
  await using server = await startServer();
  await using first = openTab(server, "ana");
  await expectConnections(server, 1);
  await using second = openTab(server, "ana");
  await expectConnections(server, 2);
  await using third = openTab(server, "ana");
  await expectConnections(server, 3);
  page.visibilityState = "hidden";
  const { revision } = server;

  goOffline(third.db);

  await expectConnections(server, 2);
  await expect.poll(() => readState(server, "ana")).toBe("online");
  await new Promise((resolve) => void setTimeout(resolve, 700));
  expect(server.revision - revision).toBe(2);
  goOffline(first.db);
  goOffline(second.db);
  await expectConnections(server, 0);
  expect(readState(server, "ana")).toBe("offline");
});

test("writes no status when a tab ends and another is still open", async () => {
  await using server = await startServer();
  await using first = openTab(server, "ana");
  await expectConnections(server, 1);
  await using second = openTab(server, "ana");
  await expectConnections(server, 2);
  const before = read(server).status;

  await second.online.end();
  expect(read(server).status).toEqual(before);
  expect(countConnections(server, "ana")).toBe(1);
  goOffline(second.db);

  await first.online.end();
  expect(readState(server, "ana")).toBe("offline");
  expect(countConnections(server, "ana")).toBe(0);
});

test("sets the status to offline when all tabs end at once", async () => {
  await using server = await startServer();
  await using first = openTab(server, "ana");
  await expectConnections(server, 1);
  await using second = openTab(server, "ana");
  await expectConnections(server, 2);

  await Promise.all([first.online.end(), second.online.end()]);

  expect(readState(server, "ana")).toBe("offline");
  expect(countConnections(server, "ana")).toBe(0);
});

test("shows the user as here again after a lost connection, with one record", async () => {
  await using server = await startServer();
  await using people = watchPeople(server);
  await using tab = openTab(server, "ana");
  await expect.poll(() => people.names()).toEqual(["Ana Reyes"]);

  goOffline(tab.db);
  await expect.poll(() => people.names()).toEqual([]);
  goOnline(tab.db);

  await expect.poll(() => people.names()).toEqual(["Ana Reyes"]);
  await expect.poll(() => readState(server, "ana")).toBe("online");
  expect(countConnections(server, "ana")).toBe(1);
});

test("a tab that ends without a connection is not shown again by a write that the SDK repeats", async () => {
  await using server = await startServer();
  let connection: "good" | "lost" | "back" = "good";
  await using proxy = await startFaultProxy(
    `${server.host}:${server.port}`,
    () => "none",
    ({ text }) => {
      if (connection === "lost") return "cut";
      if (connection === "back" || !text.includes('"a":"p","b":{"p":"/connections/')) return "none";
      connection = "lost";
      return "unanswered";
    },
  );
  const { hostname: host, port } = new URL(`http://${proxy.host}`);
  await using tab = openTab({ host, port: Number(port) }, "ana");
  await expect.poll(() => connection).toBe("lost");
  goOffline(tab.db);

  await tab.online.end();
  connection = "back";
  goOnline(tab.db);

  // The SDK sends this after everything else.
  await get(ref(tab.db, "unseen/ana"));
  expect(countConnections(server, "ana")).toBe(0);
  expect(readState(server, "ana")).toBe("offline");
});

test("writes a connection again if it is removed while the tab is connected", async () => {
  await using server = await startServer();
  await using tab = openTab(server, "ana");
  await expectConnections(server, 1);

  await remove(ref(tab.db, "connections/ana"));
  expect(countConnections(server, "ana")).toBe(0);

  await expect.poll(() => countConnections(server, "ana")).toBe(1);
});

test("writes nothing after the deletion of the account", async () => {
  await using server = await startServer();
  await using tab = openTab(server, "ana");
  await expectConnections(server, 1);
  await using other = openTab(server, "ana");
  await expectConnections(server, 2);
  await using admin = connectClient(server, "owner");

  await remove(ref(admin.db, "status/ana"));
  await remove(ref(admin.db, "connections/ana"));
  await new Promise((resolve) => void setTimeout(resolve, 1000));
  await tab.online.end();
  goOffline(other.db);
  await new Promise((resolve) => void setTimeout(resolve, 100));

  expect(read(server)).toEqual({});
});

test("lists a user for 12 hours after the last renewal, by the database's clock", async () => {
  const time = 1_700_000_000_000;
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
  vi.setSystemTime(time + 5 * HOUR);
  const connections = { ana: { c0: { name: "Ana Reyes", time } } };
  await using server = await startServer({ connections }, () => time);
  await using people = watchPeople(server);
  await expect.poll(() => people.names()).toEqual(["Ana Reyes"]);

  vi.advanceTimersByTime(11.8 * HOUR);
  expect(people.names()).toEqual(["Ana Reyes"]);
  vi.advanceTimersByTime(0.4 * HOUR);

  expect(people.names()).toEqual([]);
});

test("renews its records every ten minutes while it is visible", async () => {
  let time = 1_700_000_000_000;
  await using server = await startServer({}, () => time);
  await using tab = openTab(server, "ana", () => time);
  await expectConnections(server, 1);
  const readTimes = () => [
    read(server).status?.ana?.last_changed,
    ...Object.values(read(server).connections?.ana ?? {}).map((connection) => connection.time),
  ];
  const start = time;
  expect(readTimes()).toEqual([start, start]);

  time += 9 * 60_000;
  page.dispatchEvent(new Event("visibilitychange"));
  time += 60_000;
  page.visibilityState = "hidden";
  page.dispatchEvent(new Event("visibilitychange"));
  await new Promise((resolve) => void setTimeout(resolve, 100));
  expect(readTimes()).toEqual([start, start]);
  page.visibilityState = "visible";
  page.dispatchEvent(new Event("visibilitychange"));

  await expect.poll(() => readTimes()).toEqual([time, time]);
  await tab.online.end();
});

test("shows a user half a minute after their token could not be renewed", async () => {
  const { setTimeout: startTimer } = globalThis;
  // The test itself ends the timers of half a minute.
  const halfMinuteTimers: (() => void)[] = [];
  vi.stubGlobal("setTimeout", (run: () => void, ms = 0) =>
    ms === 30_000 ? void halfMinuteTimers.push(run) : startTimer(run, ms),
  );
  await using server = await startServer();
  await using client = connect(server, "ana");
  const getProfile = vi.fn(async () => ({ name: "Ana Reyes" }));
  getProfile.mockRejectedValueOnce(new Error("The token can't be renewed."));
  const online = startOnline(client.db, "ana", { getProfile, now: Date.now, tab: {} });

  await expect.poll(() => getProfile.mock.calls.length).toBe(1);
  expect(read(server)).toEqual({});
  halfMinuteTimers.at(-1)?.();
  await expectConnections(server, 1);
  expect(readState(server, "ana")).toBe("online");
  await online.end();
});

test("shows nobody without a connection, and to visitors", async () => {
  await using server = await startServer();
  await using people = watchPeople(server);
  await using visitor = connectClient(server);
  const seen: unknown[] = [];
  subscribeToPeople(visitor.db, (here) => seen.push(here), Date.now);
  await expect.poll(() => people.changes.at(-1)).toEqual({ people: [], hasMore: false });
  await expect(get(ref(visitor.db, "connections"))).rejects.toThrow("Permission denied");

  expect(seen).toEqual([]);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  goOffline(people.client.db);
  expect(people.changes.at(-1)).not.toBeNull();
  vi.advanceTimersByTime(5000);

  expect(people.changes.at(-1)).toBeNull();
});

test("names the users who are typing, except those who are not here", async () => {
  await using server = await startServer({ typing: { general: { gone: true } } });
  await using reader = connect(server, "reader");
  await using ana = openTab(server, "ana");
  await using bob = openTab(server, "bob");
  const typing: (string | null)[][] = [];
  subscribeToTyping(
    reader.db,
    "reader",
    (people) => typing.push(people.map(({ name }) => name)),
    Date.now,
  );

  await setTyping(ana.db, "ana", true);
  await setTyping(bob.db, "bob", true);

  await expect.poll(() => typing.at(-1)).toEqual(["Ana Reyes", null]);
  goOffline(ana.db);
  await expect.poll(() => typing.at(-1)).toEqual([null]);
});

test("the unseen mode removes everything in one write, and the rules deny more", async () => {
  await using server = await startServer();
  await using people = watchPeople(server);
  await using tab = openTab(server, "ana");
  await using other = connect(server, "ana");
  const seen: (boolean | null)[] = [];
  subscribeToUnseen(other.db, "ana", (isUnseen) => seen.push(isUnseen));
  await setTyping(tab.db, "ana", true);
  await expect.poll(() => people.names()).toEqual(["Ana Reyes"]);
  await expect.poll(() => seen).toEqual([false]);

  const { revision } = server;
  await setUnseen(other.db, "ana", true);
  tab.online.cancel();

  expect(read(server)).toEqual({ unseen: { ana: true } });
  expect(server.revision).toBe(revision + 1);
  await expect.poll(() => people.names()).toEqual([]);
  using warnings = collectWarnings();
  await expect(setTyping(tab.db, "ana", true)).rejects.toThrow();
  await expect(set(ref(tab.db, "status/ana/state"), "online")).rejects.toThrow();
  expect(warnings.texts).toHaveLength(2);
  expect(read(server)).toEqual({ unseen: { ana: true } });

  await setUnseen(other.db, "ana", false);
  expect(seen).toEqual([false, true, false]);
  await remove(ref(other.db, "unseen/ana"));
  expect(seen.at(-1)).toBeNull();
});

test("registers offline on disconnect before it sets online, on every connection", async () => {
  await using server = await startServer();
  const calls: string[] = [];
  enableLogging((line) => {
    const [, action, path] = /"a":"(p|o)","b":\{"p":"\/(status\/ana)"/.exec(line) ?? [];
    if (action !== undefined) calls.push(`${action} ${path}`);
  });
  await using tab = openTab(server, "ana");
  await expect.poll(() => calls).toEqual(["o status/ana", "p status/ana"]);
  // Waits for the response to the write, because the SDK would send it again otherwise.
  await get(ref(tab.db, "unseen/ana"));

  goOffline(tab.db);
  await expectConnections(server, 0);
  goOnline(tab.db);

  await expect.poll(() => calls).toHaveLength(4);
  expect(calls.slice(2)).toEqual(["o status/ana", "p status/ana"]);
  enableLogging(false);
});
