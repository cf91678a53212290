import { onValue, ref } from "firebase/database";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { maintainConnection } from "#app/firebase/database.client.ts";
import { connectClient, startTestDatabase } from "#tests/support/database.ts";
import { startFaultProxy, type Fault } from "#tests/support/fault-proxy.ts";

const MINUTE = 60_000;
const STEP_MS = 250;

let page: EventTarget & { visibilityState: string };

beforeEach(() => {
  page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  vi.stubGlobal("document", page);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  // Makes all waits as long as they can be.
  vi.spyOn(Math, "random").mockReturnValue(1);
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Connects through a proxy that lets connections fail, with a clock that the test controls. */
async function startClient() {
  const server = await startTestDatabase();
  let fault: Fault = "none";
  const proxy = await startFaultProxy(`${server.host}:${server.port}`, () => fault);
  const { hostname: host, port } = new URL(`http://${proxy.host}`);
  const client = connectClient({ host, port: Number(port) });
  const states: boolean[] = [];
  onValue(ref(client.db, ".info/connected"), (snapshot) => states.push(snapshot.val() === true));
  const isConnected = () => states.at(-1);
  const connection = maintainConnection(client.db);
  await passUntil(() => isConnected() === true);

  return {
    connection,
    isConnected,
    attempts: () => proxy.log.length,
    async breakAll() {
      fault = "cut";
      proxy.cutAll();
      await passUntil(() => isConnected() === false);
    },
    repair: () => (fault = "none"),
    async [Symbol.asyncDispose]() {
      connection.end();
      await client[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
      await server.close();
    },
  };
}

/** Lets time pass. After each step, the network has some real time for its responses. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    await vi.advanceTimersByTimeAsync(STEP_MS);
    for (let turns = 0; turns < 10; turns += 1) {
      await new Promise((resolve) => void setImmediate(resolve));
    }
  }
}

/** Lets time pass until something is true, and returns how long that takes. */
async function passUntil(isTrue: () => boolean): Promise<number> {
  const startedAt = Date.now();
  while (!isTrue()) await pass(STEP_MS);
  return Date.now() - startedAt;
}

test("connects within a minute after the database responds again, however long the outage was", async () => {
  await using client = await startClient();
  await client.breakAll();
  await pass(20 * MINUTE);

  client.repair();

  expect(await passUntil(() => client.isConnected() === true)).toBeLessThanOrEqual(MINUTE);
});

test("tries at once when the page becomes visible, but not more often than every ten seconds", async () => {
  await using client = await startClient();
  await client.breakAll();
  // By now, the connection is tried once a minute.
  await pass(20.5 * MINUTE);
  /**
   * Returns how many attempts follow within a quarter of a second. The SDK's own attempts are at least a second apart.
   */
  const show = async () => {
    const before = client.attempts();
    page.dispatchEvent(new Event("visibilitychange"));
    await pass(STEP_MS);
    return client.attempts() - before;
  };

  page.visibilityState = "hidden";
  expect(await show()).toBe(0);
  page.visibilityState = "visible";
  expect(await show()).toBe(1);
  expect([await show(), await show()]).toEqual([0, 0]);

  await pass(10_000);
  expect(await show()).toBe(1);
});

test("does not connect while it is paused, nor after its end", async () => {
  await using client = await startClient();
  client.connection.pause();
  await passUntil(() => client.isConnected() === false);
  const before = client.attempts();

  page.dispatchEvent(new Event("visibilitychange"));
  await pass(2 * MINUTE);
  expect(client.attempts()).toBe(before);

  client.connection.resume();
  await passUntil(() => client.isConnected() === true);
  client.connection.end();
  page.dispatchEvent(new Event("visibilitychange"));
  await pass(2 * MINUTE);
  expect(client.attempts()).toBe(before + 1);
});
