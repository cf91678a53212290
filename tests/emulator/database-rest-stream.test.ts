import { expect, test, vi } from "vitest";

import { HEARTBEAT_INTERVAL_MS } from "#emulator/database/constants.ts";
import type { DatabaseServer } from "#emulator/database/server.ts";
import { createToken, NAMESPACE, sendRest, startTestDatabase } from "#tests/support/database.ts";

test("streams all data first, then each change with its path below the URL's", async () => {
  await using server = await startTestDatabase();
  server.import({ [NAMESPACE]: { room: { a: 1, list: ["x", "y"] } } });
  using stream = await openStream(server, "/room.json");

  await put(server, "/room/b/c.json", 2);
  await put(server, "/elsewhere.json", 1);
  await sendRest(server, "/room.json", { method: "PATCH", body: '{"a":null,"d":["z"],"b/c":3}' });
  await sendRest(server, "/.json", { method: "DELETE" });

  expect(stream.response.headers.get("Content-Type")).toBe("text/event-stream; charset=utf-8");
  expect(await stream.take(4)).toEqual([
    ["put", { path: "/", data: { a: 1, list: ["x", "y"] } }],
    ["put", { path: "/b/c", data: 2 }],
    ["patch", { path: "/", data: { a: null, d: ["z"], "b/c": 3 } }],
    ["put", { path: "/", data: null }],
  ]);
});

test("streams the root, and data with priorities as an export", async () => {
  await using server = await startTestDatabase();
  using stream = await openStream(server, "/.json?format=export");

  await put(server, "/a.json", { b: { ".value": 1, ".priority": 2 } });

  expect(await stream.take(2)).toEqual([
    ["put", { path: "/", data: null }],
    ["put", { path: "/a", data: { b: { ".value": 1, ".priority": 2 } } }],
  ]);
});

test("streams what enters and leaves a query", async () => {
  await using server = await startTestDatabase();
  server.import({ [NAMESPACE]: { a: { k1: 1, k2: 2 } } });
  using stream = await openStream(server, '/a.json?orderBy="$key"&limitToLast=2');

  await put(server, "/a/k3.json", 3);

  expect(await stream.take(2)).toEqual([
    ["put", { path: "/", data: { k1: 1, k2: 2 } }],
    ["patch", { path: "/", data: { k1: null, k3: 3 } }],
  ]);
});

test("opens no stream that the rules deny", async () => {
  await using server = await startTestDatabase({ rules: '{"rules": {}}' });

  const response = await sendRest(server, "/a.json", ACCEPT, "nobody");

  expect([response.status, await response.json()]).toEqual([401, { error: "Permission denied" }]);
});

test("ends with cancel when the rules no longer allow the read", async () => {
  await using server = await startTestDatabase({ rules: '{"rules": {".read": "!data.exists()"}}' });
  using stream = await openStream(server, "/a.json", "nobody");

  await put(server, "/a.json", "secret");

  expect(await stream.take(3)).toEqual([
    ["put", { path: "/", data: null }],
    ["cancel", null],
    null,
  ]);
});

test("keeps the connection alive, and ends with auth_revoked when the token expires", async () => {
  using clock = fakeIntervals();
  let now = 1_700_000_000_000;
  await using server = await startTestDatabase({ now: () => now });
  const token = createToken("ada", { exp: 1_700_000_040 });
  using stream = await openStream(server, `/a.json?auth=${token}`, "nobody");

  for (const _ of [1, 2]) {
    now += HEARTBEAT_INTERVAL_MS;
    clock.advance(HEARTBEAT_INTERVAL_MS);
  }

  expect(await stream.take(4)).toEqual([
    ["put", { path: "/", data: null }],
    ["keep-alive", null],
    ["auth_revoked", "credential is no longer valid"],
    null,
  ]);
});

test("sends no change to a token that has expired, even before the next keep-alive", async () => {
  let now = 1_700_000_000_000;
  await using server = await startTestDatabase({ now: () => now });
  const token = createToken("ada", { exp: 1_700_000_040 });
  using stream = await openStream(server, `/a.json?auth=${token}`, "nobody");

  now += 40_000;
  await put(server, "/a.json", 1);

  expect(await stream.take(3)).toMatchObject([["put", {}], ["auth_revoked", {}], null]);
});

test("keeps nothing for a client that does not read, and sends it all data once it does", async () => {
  await using server = await startTestDatabase();
  using stream = await openStream(server, "/a.json");

  changeUntilBehind(server);

  let received = 0;
  for (let number: unknown = 0; number !== 60; received += 1) {
    const [event] = await stream.take(1);
    number = event?.[0] === "put" && Object(event[1]).data?.number;
  }
  expect(received).toBeLessThan(40);
});

test("ends with cancel when a client reads on that may no longer read", async () => {
  let now = 0;
  const rules = '{"rules": {".read": "now < 1000", ".write": true}}';
  await using server = await startTestDatabase({ rules, now: () => now });
  using stream = await openStream(server, "/a.json", "nobody");
  changeUntilBehind(server);

  now = 1000;
  let [event] = await stream.take(1);
  while (event?.[0] === "put") [event] = await stream.take(1);

  expect([event, ...(await stream.take(1))]).toEqual([["cancel", null], null]);
  expect((await put(server, "/a.json", 1)).status).toBe(200);
});

test("forgets the stream of a client that goes away", async () => {
  using _clock = fakeIntervals();
  await using server = await startTestDatabase();
  using stream = await openStream(server, "/a.json");
  expect(vi.getTimerCount()).toBe(1); // For its keep-alive events.

  stream.abort();

  await expect.poll(() => vi.getTimerCount()).toBe(0);
});

test("ends streams when the server stops, without an event", async () => {
  const server = await startTestDatabase();
  using stream = await openStream(server, "/a.json");

  await server.close();

  expect(await stream.take(2)).toMatchObject([["put", {}], null]);
});

const ACCEPT = { headers: { Accept: "text/event-stream" } };

interface EventStream extends Disposable {
  readonly response: Response;
  /** Resolves with the next events, each with its name and data. The end of the stream is `null`. */
  take(count: number): Promise<([event: string, data: unknown] | null)[]>;
  abort(): void;
}

async function openStream(
  server: DatabaseServer,
  path: string,
  as?: "owner" | "nobody",
): Promise<EventStream> {
  const controller = new AbortController();
  const init = { ...ACCEPT, signal: controller.signal };
  const response = await sendRest(server, path, init, as);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";

  async function next(): Promise<[string, unknown] | null> {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end >= 0) {
        const [, event = "", data = ""] =
          /^event: (.*)\ndata: (.*)$/.exec(text.slice(0, end)) ?? [];
        text = text.slice(end + 2);
        return [event, JSON.parse(data)];
      }
      const chunk = await reader?.read();
      if (!chunk || chunk.done) return null;
      text += chunk.value;
    }
  }

  return {
    response,
    async take(count) {
      const events: ([string, unknown] | null)[] = [];
      while (events.length < count) events.push(await next());
      return events;
    },
    abort: () => controller.abort(),
    [Symbol.dispose]: () => controller.abort(),
  };
}

function put(server: DatabaseServer, path: string, data: unknown): Promise<Response> {
  return sendRest(server, path, { method: "PUT", body: JSON.stringify(data) });
}

/** Changes `/a` 60 times, which is more than the operating system and the client hold for a stream. */
function changeUntilBehind(server: DatabaseServer): void {
  const filler = "x".repeat(1_000_000);
  for (let number = 1; number <= 60; number += 1)
    server.import({ [NAMESPACE]: { a: { number, filler } } });
}

function fakeIntervals(): Disposable & { advance(milliseconds: number): void } {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  return {
    advance: (milliseconds) => void vi.advanceTimersByTime(milliseconds),
    [Symbol.dispose]: () => void vi.useRealTimers(),
  };
}
