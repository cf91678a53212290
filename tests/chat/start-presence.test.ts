import { setMaxListeners } from "node:events";
import { setTimeout as delay } from "node:timers/promises";

import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import type { PresenceListeners } from "#app/chat/presence.client.ts";
import type { FirebaseConfig } from "#app/firebase/config.ts";
import type { DatabaseServer } from "#emulator/database/server.ts";
import { connectPage, PAGE_CLAIMS, startAppDatabase } from "#tests/support/database-rules.ts";
import { collectWarnings, NAMESPACE, sendRest } from "#tests/support/database.ts";
import { startFaultProxy } from "#tests/support/fault-proxy.ts";
import type { ChooseFrameFault, FrameFault } from "#tests/support/fault-socket.ts";

const FIREBASE: FirebaseConfig = {
  apiKey: "local",
  projectId: "demo-test",
  appId: undefined,
  databaseURL: undefined,
  emulators: {},
};
const CLAIMS = { name: "Ana Reyes", picture: "https://photos.example/ana.png" };
const USER = { uid: "ana", displayName: CLAIMS.name, photoURL: CLAIMS.picture };
const SIGNED_IN = { uid: "ana", token: "t" };
const { fetch: realFetch } = globalThis;

const { connectDatabase } = vi.hoisted(() => ({ connectDatabase: vi.fn() }));
vi.mock("#app/firebase/database.client.ts", async (importOriginal) => ({
  ...(await importOriginal<object>()),
  connectDatabase,
}));
vi.mock("#app/firebase/auth.client.ts", () => ({
  signInToApp: async () => ({
    currentUser: { getIdTokenResult: async () => ({ claims: CLAIMS }) },
  }),
}));

beforeEach(() => {
  vi.stubGlobal("document", Object.assign(new EventTarget(), { visibilityState: "visible" }));
});
afterEach(() => vi.unstubAllGlobals());

/** Starts Ana's presence in a new tab. `token` returns the server's response when the tab fetches a token. */
async function openTab(
  server: Pick<DatabaseServer, "host" | "port">,
  token: () => unknown = () => SIGNED_IN,
) {
  const client = connectPage(server, "ana", CLAIMS);
  const page = new EventTarget();
  // At each attempt to connect, the SDK adds a listener that it never removes. Node.js warns about that, browsers don't.
  setMaxListeners(Infinity, page);
  vi.stubGlobal("window", page);
  connectDatabase.mockReturnValue(client.db);
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) =>
    input === "/firebase-token" ? Response.json(token()) : realFetch(input, init),
  );
  // Each tab has its own connection.
  vi.resetModules();
  const { startPresence } = await import("#app/chat/presence.client.ts");
  const seen = { people: vi.fn(), typing: vi.fn(), unseen: vi.fn() };
  const listeners: PresenceListeners = {
    onPeople: seen.people,
    onTyping: seen.typing,
    onUnseen: seen.unseen,
    onMute: () => {},
  };
  const presence = await startPresence(FIREBASE, USER, listeners);
  let ended: Promise<void> | undefined;
  const end = () => (ended ??= presence.end());
  return {
    presence: { ...presence, end },
    seen,
    hide: () => page.dispatchEvent(new Event("pagehide")),
    show: () => page.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true })),
    async [Symbol.asyncDispose]() {
      await end();
      await client[Symbol.asyncDispose]();
    },
  };
}

/** Returns what others see of Ana. */
function readPublic(server: DatabaseServer) {
  const stored: unknown = server.export()[NAMESPACE];
  const text = JSON.stringify(stored ?? {});
  return {
    isOnline: text.includes('"state":"online"'),
    connections:
      text.match(/"name":"Ana Reyes","photo":"https:\/\/photos.example\/ana.png"/g)?.length ?? 0,
    isTyping: text.includes('"typing"'),
  };
}

/** Whether the database has the record with which visitors count the user. */
const hasRecord = (server: DatabaseServer) =>
  JSON.stringify(server.export()).includes('"story":"room"');

const GONE = { isOnline: false, connections: 0, isTyping: false };

const startServer = (data = {}) => startAppDatabase(["ana"], data);

test("shows a user with the name and photo of the token, until the presence ends", async () => {
  await using server = await startServer();
  await using tab = await openTab(server);
  tab.presence.setTyping(true);
  await expect
    .poll(() => readPublic(server))
    .toEqual({ isOnline: true, connections: 1, isTyping: true });
  expect(tab.seen.people).toHaveBeenLastCalledWith({
    people: [{ uid: "ana", name: CLAIMS.name, photoURL: CLAIMS.picture }],
    hasMore: false,
  });

  await tab.presence.end();

  expect(readPublic(server)).toEqual(GONE);
});

test("a user whose session has ended is no longer shown once their tabs know it", async () => {
  // The SDK warns when the rules deny what a tab writes before it knows that its session has ended.
  using _warnings = collectWarnings();
  await using server = await startServer();
  await using first = await openTab(server);
  await expect.poll(() => readPublic(server).connections).toBe(1);
  await using second = await openTab(server);
  first.presence.setTyping(true);
  await expect
    .poll(() => readPublic(server))
    .toEqual({ isOnline: true, connections: 2, isTyping: true });

  const { session, slot } = PAGE_CLAIMS;
  const body = JSON.stringify(`ended ${session}`);
  await sendRest(server, `/sessions/ana/${slot}.json`, { method: "PUT", body });
  await Promise.all([first.presence.end(), second.presence.end()]);

  await expect.poll(() => readPublic(server)).toEqual(GONE);
});

test("adds one to the number that visitors see, until the presence ends", async () => {
  await using server = await startServer();
  await using tab = await openTab(server);
  await expect.poll(() => hasRecord(server)).toBe(true);

  await tab.presence.end();

  await expect.poll(() => hasRecord(server)).toBe(false);
});

test("a tab that ends keeps the typing of another", async () => {
  await using server = await startServer();
  await using first = await openTab(server);
  await expect.poll(() => readPublic(server).connections).toBe(1);
  await using second = await openTab(server);
  first.presence.setTyping(true);
  await expect
    .poll(() => readPublic(server))
    .toEqual({ isOnline: true, connections: 2, isTyping: true });

  await second.presence.end();

  expect(readPublic(server)).toEqual({ isOnline: true, connections: 1, isTyping: true });
});

test.each([
  ["the same user", SIGNED_IN, 1],
  ["another user", { uid: "tomas", token: "t" }, 0],
  ["nobody", null, 0],
])(
  "a page from the back/forward cache shows its user only if they are still signed in: %s",
  async (_who, token, count) => {
    await using server = await startServer();
    let response: unknown = SIGNED_IN;
    await using tab = await openTab(server, () => response);
    tab.presence.setTyping(true);
    await expect.poll(() => readPublic(server).connections).toBe(1);

    tab.hide();
    await expect.poll(() => readPublic(server)).toEqual(GONE);
    response = token;
    tab.show();

    await delay(300);
    await expect.poll(() => readPublic(server).connections).toBe(count);
  },
);

test("the unseen mode of one tab removes the user in all, and turning it off shows them again", async () => {
  await using server = await startServer();
  await using first = await openTab(server);
  await expect.poll(() => readPublic(server).connections).toBe(1);
  await using second = await openTab(server);
  first.presence.setTyping(true);
  await expect
    .poll(() => readPublic(server))
    .toEqual({ isOnline: true, connections: 2, isTyping: true });
  await expect.poll(() => hasRecord(server)).toBe(true);

  second.presence.setUnseen(true);

  await expect.poll(() => first.seen.unseen).toHaveBeenLastCalledWith(true);
  await expect.poll(() => hasRecord(server)).toBe(false);
  first.presence.setTyping(true);
  const { revision } = server;
  await delay(1000);
  expect(readPublic(server)).toEqual(GONE);
  expect(server.revision).toBe(revision);
  first.presence.setTyping(false);

  first.presence.setUnseen(false);

  await expect
    .poll(() => readPublic(server))
    .toEqual({ isOnline: true, connections: 2, isTyping: false });
});

test("a user who is unseen from the start writes nothing", async () => {
  await using server = await startServer({ unseen: { ana: true } });
  await using tab = await openTab(server);
  const { revision } = server;
  tab.presence.setTyping(true);
  await expect.poll(() => tab.seen.unseen).toHaveBeenCalledWith(true);
  await expect.poll(() => tab.seen.people).toHaveBeenLastCalledWith({ people: [], hasMore: false });

  await tab.presence.end();

  expect(server.revision).toBe(revision);
});

/** Starts a proxy that lets the connections of a tab fail. */
async function startUnreliable(server: DatabaseServer, choose: ChooseFrameFault) {
  const proxy = await startFaultProxy(`${server.host}:${server.port}`, () => "none", choose);
  const { hostname: host, port } = new URL(`http://${proxy.host}`);
  return { ...proxy, host, port: Number(port) };
}

test.each(["p", "oc"])(
  "the presence ends even if the connection is lost before the response to the request %s",
  async (action) => {
    await using server = await startServer();
    let fault: FrameFault = "none";
    await using proxy = await startUnreliable(server, ({ text }) => {
      const chosen = text.includes(`"a":"${action}"`) ? fault : "none";
      if (chosen !== "none") fault = "none";
      return chosen;
    });
    await using tab = await openTab(proxy);
    await expect.poll(() => readPublic(server).connections).toBe(1);

    fault = "unanswered";
    await tab.presence.end();

    expect(fault).toBe("none");
    await expect.poll(() => readPublic(server)).toEqual(GONE);
  },
);

test("the unseen mode is saved even if the room is closed before the database has got it", async () => {
  await using server = await startServer();
  let fault: FrameFault = "cut";
  await using proxy = await startUnreliable(server, ({ text }) => {
    const chosen = text.includes('"unseen/ana":true') ? fault : "none";
    if (chosen !== "none") fault = "none";
    return chosen;
  });
  await using tab = await openTab(proxy);
  await expect.poll(() => readPublic(server).connections).toBe(1);

  tab.presence.setUnseen(true);
  await tab.presence.end();

  expect(server.export()[NAMESPACE]).toMatchObject({ unseen: { ana: true } });
  expect(readPublic(server)).toEqual(GONE);
});

const frameFaultArbitrary = fc.oneof(
  { weight: 10, arbitrary: fc.constant<FrameFault>("none") },
  { weight: 3, arbitrary: fc.constantFrom<FrameFault>("cut", "unanswered", "late") },
);

test.each([1, 2, 3, 4, 5, 6])(
  "whichever messages are lost, late or repeated, a user's presence is correct: seed %i",
  async (seed) => {
    // The SDK connects again at once.
    vi.spyOn(Math, "random").mockReturnValue(0);
    // The SDK warns when the rules deny a repeated write, because the user has become unseen.
    using _warnings = collectWarnings();
    await using server = await startServer();
    const [faults = [], others = []] = [seed, -seed].map((faultSeed) =>
      fc.sample(frameFaultArbitrary, { seed: faultSeed, numRuns: 80 }),
    );
    await using one = await startUnreliable(server, () => faults.pop() ?? "none");
    await using other = await startUnreliable(server, () => others.pop() ?? "none");
    await using first = await openTab(one);
    await using second = await openTab(other);
    const countRecords = () => JSON.stringify(server.export()).split('"story":"room"').length - 1;

    for (let count = 0; faults.length + others.length > 0; count += 1) {
      first.presence.setTyping(count % 2 === 0);
      if (count % 4 === 0) second.presence.setUnseen(count % 8 === 4);
      // Between two changes, some messages arrive and others do not.
      await delay(20);
    }
    second.presence.setUnseen(false);
    first.presence.setTyping(true);

    // A tab that ends does not connect again, so the server would never get what is late, and would wait for that connection.
    for (const proxy of [one, other]) await expect.poll(() => proxy.countLate()).toBe(0);
    // With a constant `Math.random`, both tabs can choose the same id for their connection.
    const shown = { isOnline: true, connections: expect.toBeOneOf([1, 2]) };
    await expect.poll(() => readPublic(server)).toEqual({ ...shown, isTyping: true });
    await expect.poll(countRecords).toBe(1);
    for (const { seen } of [first, second]) {
      await expect.poll(() => seen.people.mock.lastCall?.[0]?.people).toHaveLength(1);
    }

    await first.presence.end();
    await expect
      .poll(() => readPublic(server))
      .toEqual({ isOnline: true, connections: 1, isTyping: false });
    await expect.poll(countRecords).toBe(1);
    await second.presence.end();
    await expect.poll(() => readPublic(server)).toEqual(GONE);
    await expect.poll(countRecords).toBe(0);
  },
);
