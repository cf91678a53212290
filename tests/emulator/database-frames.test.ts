import { once } from "node:events";
import { connect } from "node:net";

import { onValue, ref, set } from "firebase/database";
import { expect, onTestFinished, test, vi } from "vitest";

import { HEARTBEAT_INTERVAL_MS } from "#emulator/database/constants.ts";
import type { DatabaseServer } from "#emulator/database/server.ts";
import {
  connectClient,
  NAMESPACE,
  openSocket,
  sendRest,
  startTestDatabase,
  type TestSocket,
} from "#tests/support/database.ts";

test("sends a hello first, with the time, the host and a session id", async () => {
  await using server = await startTestDatabase({ now: () => 1234 });
  using socket = await openSocket(server);

  expect(await socket.next()).toEqual({
    t: "c",
    d: {
      t: "h",
      d: {
        ts: 1234,
        v: "5",
        h: `127.0.0.1:${server.port}`,
        s: expect.stringMatching(/^[\w-]{32}$/) as string,
      },
    },
  });
});

test("transfers long strings in both directions", async () => {
  await using server = await startTestDatabase();
  await using writer = connectClient(server);
  await using reader = connectClient(server);
  const text = "ü".repeat(1_000_000);
  let seen: unknown;
  onValue(ref(reader.db, "big"), (snapshot) => {
    seen = snapshot.val();
  });

  await set(ref(writer.db, "big"), text);

  await expect.poll(() => seen === text).toBe(true);
});

test("joins a message that is split into frames anywhere", async () => {
  await using server = await startTestDatabase();
  using socket = await openReady(server);
  const text = JSON.stringify({ t: "d", d: { r: 1, a: "p", b: { p: "/a", d: 123 } } });
  const [before, after] = text.split("123");

  socket.send("4");
  for (const fragment of [before, "12", "3", after]) socket.send(fragment);

  expect(await socket.next()).toMatchObject({ d: { r: 1, b: { s: "ok" } } });
  expect(server.export()).toEqual({ [NAMESPACE]: { a: 123 } });
});

test("never splits a surrogate pair", async () => {
  await using server = await startTestDatabase();
  const text = `x${"😀".repeat(20_000)}`;
  server.import({ [NAMESPACE]: { a: text } });
  using socket = await openReady(server);

  socket.send({ t: "d", d: { r: 1, a: "g", b: { p: "/a", q: {} } } });

  expect(await socket.next()).toEqual({ t: "d", d: { r: 1, b: { s: "ok", d: text } } });
});

test("responds to a ping, but not to a keep-alive frame", async () => {
  await using server = await startTestDatabase();
  using socket = await openReady(server);

  socket.send("0");
  socket.send({ t: "d", d: { r: 1, a: "s", b: {} } });
  socket.send({ t: "c", d: { t: "p", d: {} } });

  expect(await socket.next()).toMatchObject({ t: "d", d: { r: 1 } });
  expect(await socket.next()).toEqual({ t: "c", d: { t: "o", d: null } });
});

test.each([
  ["an unknown action", "zz", {}],
  ["an action named like a built-in property", "constructor", {}],
  ["a listen without a path", "q", { h: "" }],
  ["a listen with an invalid query", "q", { p: "/a", q: { l: -1 }, t: 1 }],
  ["a filtered listen without a tag", "q", { p: "/a", q: { l: 1 }, h: "" }],
  ["a body that is not an object", "p", 5],
  ["no body", "p", undefined],
  ["a put without data", "p", { p: "/a" }],
  ["a path with a forbidden key", "p", { p: "/a.b", d: 1 }],
  ["a path with a control character", "p", { p: "/a\u0007", d: 1 }],
  ["a path that is too deep", "p", { p: "/a".repeat(33), d: 1 }],
  ["data with a forbidden key", "p", { p: "/a", d: { "b/c": 1 } }],
  ["data with an empty key", "p", { p: "/a", d: { "": 1 } }],
  ["data with a very long key", "p", { p: "/a", d: { ["ü".repeat(385)]: 1 } }],
  ["data that is too deep", "p", { p: "/a", d: nest(32) }],
  ["a value with children", "p", { p: "/a", d: { ".value": 1, b: 2 } }],
  ["a value that is an object", "p", { p: "/a", d: { ".value": { b: 1 } } }],
  ["a priority that is an object", "p", { p: "/a", d: { ".priority": { b: 1 }, c: 1 } }],
  ["a priority that is a boolean", "p", { p: "/a/.priority", d: true }],
  ["an unknown server value", "p", { p: "/a", d: { ".sv": "place" } }],
  ["an increment by a string", "p", { p: "/a", d: { ".sv": { increment: "1" } } }],
  ["an update that is not an object", "m", { p: "/a", d: 1 }],
  ["an update of a path and one below it", "m", { p: "/a", d: { b: 1, "b/c": 2 } }],
  ["an update with an empty key", "m", { p: "/a", d: { "": 1 } }],
  ["a token that is not a string", "auth", { cred: 5 }],
])("rejects %s with a response, and changes nothing", async (_, a, b) => {
  await using server = await startTestDatabase();
  using socket = await openReady(server);

  socket.send({ t: "d", d: { r: 1, a, b } });

  expect(await socket.next()).toEqual({
    t: "d",
    d: { r: 1, b: { s: "failure", d: expect.stringMatching(/./) as string } },
  });
  expect(server.export()).toEqual({});
});

test("rejects a number that is too large", async () => {
  await using server = await startTestDatabase();
  using socket = await openReady(server);

  socket.send('{"t":"d","d":{"r":1,"a":"p","b":{"p":"/a","d":1e999}}}');

  expect(await socket.next()).toMatchObject({ d: { r: 1, b: { s: "failure" } } });
});

test("survives data that is nested a million times", async () => {
  await using server = await startTestDatabase();
  using socket = await openReady(server);
  using other = await openReady(server);

  for (const levels of [5000, 1_000_000]) {
    const data = `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    socket.send(`{"t":"d","d":{"r":${levels},"a":"p","b":{"p":"/a","d":${data}}}}`);
  }

  expect(await socket.next()).toMatchObject({ d: { r: 5000, b: { s: "failure" } } });
  other.send({ t: "c", d: { t: "p", d: {} } });
  expect(await other.next()).toMatchObject({ t: "c" });
});

test("rejects a string over the limit without closing the connection", async () => {
  await using server = await startTestDatabase();
  using socket = await openReady(server);

  socket.send({ t: "d", d: { r: 1, a: "p", b: { p: "/a", d: "x".repeat(11 * 1024 * 1024) } } });
  socket.send({ t: "d", d: { r: 2, a: "p", b: { p: "/a", d: "x".repeat(17 * 1024 * 1024) } } });
  socket.send({ t: "c", d: { t: "p", d: {} } });

  expect(await socket.next()).toMatchObject({ d: { r: 1, b: { s: "too_big" } } });
  expect(await socket.next()).toMatchObject({ d: { r: 2, b: { s: "too_big" } } });
  expect(await socket.next()).toMatchObject({ t: "c" });
});

test("treats keys named like built-in properties as plain data", async () => {
  await using server = await startTestDatabase();
  using socket = await openReady(server);
  const data = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';

  socket.send(`{"t":"d","d":{"r":1,"a":"p","b":{"p":"/a","d":${data}}}}`);
  socket.send(`{"t":"d","d":{"r":2,"a":"m","b":{"p":"/a","d":{"__proto__/more":1}}}}`);

  expect(await socket.next()).toMatchObject({ d: { r: 1, b: { s: "ok" } } });
  expect(await socket.next()).toMatchObject({ d: { r: 2, b: { s: "ok" } } });
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  expect(JSON.stringify(server.export())).toBe(
    `{"${NAMESPACE}":{"a":{"__proto__":{"more":1,"polluted":true},"constructor":{"prototype":{"polluted":true}}}}}`,
  );
});

test.each<[string, string[], number]>([
  ["a frame that is not JSON", ["{oops"], 1002],
  ["JSON that is not a message", ["[]"], 1002],
  ["a message of an unknown type", ['{"t":"x","d":{}}'], 1002],
  ["a request without a number", ['{"t":"d","d":{"a":"s","b":{}}}'], 1002],
  ["JSON that is nested too deeply", ["[".repeat(100_000)], 1002],
  ["frames that do not form a message", ["2", "{oops", "}"], 1002],
  [
    "more data than a message may have",
    ["999999", ...Array<string>(5).fill("x".repeat(15_000_000))],
    1009,
  ],
])("%s closes only that connection", async (_, frames, code) => {
  await using server = await startTestDatabase();
  using hostile = await openReady(server);
  using innocent = await openReady(server);

  for (const frame of frames) hostile.send(frame);

  expect(await hostile.closed).toBe(code);
  innocent.send({ t: "c", d: { t: "p", d: {} } });
  expect(await innocent.next()).toEqual({ t: "c", d: { t: "o", d: null } });
});

test.each([
  ["another path", "/elsewhere?ns=x", 404],
  ["no namespace", "/.ws?v=5", 400],
  ["an invalid namespace", "/.ws?v=5&ns=../x", 400],
])("rejects a socket with %s", async (_, url, status) => {
  await using server = await startTestDatabase();

  await expect(openSocket(server, url)).rejects.toThrow(`Unexpected server response: ${status}`);
});

test("stops although a client whose socket was rejected keeps its connection", async () => {
  await using server = await startTestDatabase();
  const socket = connect({ port: server.port, host: server.host, allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  const upgrade = "Connection: Upgrade\r\nUpgrade: websocket";
  socket.write(`GET /elsewhere HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n\r\n`);
  const [response]: Buffer[] = await once(socket, "data");

  await server.close();

  expect(response?.toString()).toContain("404 Not Found");
});

test("disconnects a client that does not respond to pings, and runs its onDisconnect operations", async () => {
  using clock = fakeIntervals();
  await using server = await startTestDatabase();
  using silent = await openSocket(server, undefined, { autoPong: false });
  using lively = await openReady(server);
  await silent.next();
  silent.send({ t: "d", d: { r: 1, a: "o", b: { p: "/a", d: "dead" } } });
  await silent.next();

  clock.advance(HEARTBEAT_INTERVAL_MS);
  await Promise.all([silent.pinged, lively.pinged]);
  // The response to this arrives after the pong.
  lively.send({ t: "c", d: { t: "p", d: {} } });
  await lively.next();
  clock.advance(HEARTBEAT_INTERVAL_MS);

  expect(await silent.closed).toBe(1006);
  expect(server.export()).toEqual({ [NAMESPACE]: { a: "dead" } });
  lively.send({ t: "c", d: { t: "p", d: {} } });
  expect(await lively.next()).toMatchObject({ t: "c" });
});

test("disconnects a client that does not complete a message, but waits while it sends", async () => {
  using clock = fakeIntervals();
  await using server = await startTestDatabase();
  using stuck = await openReady(server);
  using slow = await openReady(server);
  stuck.send("2");
  slow.send("2");
  await Promise.all([stuck.settled(), slow.settled()]);

  clock.advance(HEARTBEAT_INTERVAL_MS);
  slow.send('{"t":"c","d":');
  await slow.settled();
  clock.advance(HEARTBEAT_INTERVAL_MS);

  expect(await stuck.closed).toBe(1002);
  slow.send('{"t":"p","d":{}}}');
  expect(await slow.next()).toMatchObject({ t: "c", d: { t: "o" } });
});

test("disconnects a client that does not read, rather than keep all its data", async () => {
  await using server = await startTestDatabase();
  using idle = await openReady(server);
  idle.send({ t: "d", d: { r: 1, a: "q", b: { p: "/a", h: "" } } });
  await idle.next();
  idle.pause();

  const filler = "x".repeat(1024 * 1024);
  for (let number = 0; number < 100; number += 1)
    server.import({ [NAMESPACE]: { a: { number, filler } } });

  idle.resume();
  expect(await idle.closed).toBe(1006);
});

test.each([
  ["of 1 GB", Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0]), 1009],
  ["that is compressed", Buffer.from([0xc1, 0x81, 0, 0, 0, 0, 0]), 1002],
  ["that is not UTF-8", Buffer.from([0x81, 0x81, 0, 0, 0, 0, 0xff]), 1007],
])("closes the connection at the start of a frame %s", async (_, frame, code) => {
  await using server = await startTestDatabase();
  using socket = await openReady(server);

  socket.write(frame);

  expect(await socket.closed).toBe(code);
});

test("returns and reports an internal error, and continues to run", async () => {
  const reported: unknown[] = [];
  let isBroken = false;
  await using server = await startTestDatabase({
    onError: (error) => reported.push(error),
    random: (bytes) => {
      if (isBroken) throw new Error("No random bytes");
      return new Uint8Array(bytes);
    },
  });

  isBroken = true;
  const response = await sendRest(server, "/list.json", {
    method: "POST",
    body: "1",
  });
  const next = await sendRest(server, "/list.json");

  expect([response.status, next.status]).toEqual([500, 200]);
  expect(reported).toHaveLength(1);
});

async function openReady(server: DatabaseServer): Promise<TestSocket> {
  const socket = await openSocket(server);
  await socket.next();
  return socket;
}

function fakeIntervals(): Disposable & { advance(milliseconds: number): void } {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  return {
    advance: (milliseconds) => void vi.advanceTimersByTime(milliseconds),
    [Symbol.dispose]: () => void vi.useRealTimers(),
  };
}

function nest(levels: number): unknown {
  let data: unknown = 1;
  for (let level = 0; level < levels; level += 1) data = { a: data };
  return data;
}
