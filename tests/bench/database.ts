import { fork } from "node:child_process";
import { once } from "node:events";

import { WebSocket } from "ws";
import * as z from "zod";

import { startDatabase } from "#emulator/database/server.ts";
import { median, percentile } from "./percentile.ts";

// Measures the local Realtime Database over real sockets: what a write costs when there are many siblings or many
// listeners. The server has a process of its own. The numbers depend on the machine, so none is judged.

const SIBLINGS = [10_000, 50_000];
const SETS = 10_000;
const IN_FLIGHT = 100;
const LISTENERS = 200;
const WRITES = 100;
const NAMESPACE = "bench";

const portSchema = z.number();
const messageSchema = z.object({
  d: z.object({
    r: z.number().optional(),
    a: z.string().optional(),
    b: z.object({ s: z.string().optional(), d: z.unknown() }).optional(),
  }),
});

if (process.send) {
  const server = await startDatabase({ rules: '{"rules": {".read": true, ".write": true}}' });
  process.send(server.port);
  process.on("disconnect", () => process.exit());
} else {
  const server = fork(new URL(import.meta.url));
  const [message]: unknown[] = await once(server, "message");
  const port = portSchema.parse(message);
  for (const count of SIBLINGS) await measureSets(port, count);
  await measureFiltered(port);
  for (const count of [1, LISTENERS]) await measureListeners(port, count);
  server.disconnect();
}

/** Measures how many children a second can be added to a list. */
async function measureSets(port: number, siblings: number): Promise<void> {
  await fill(port, siblings);
  const client = await connect(port);
  const waiting = new Set<Promise<void>>();
  const start = performance.now();
  for (let index = 0; index < SETS; index += 1) {
    const request = client.put(`/list/new${index}`, createMessage(index));
    waiting.add(request);
    void request.then(() => waiting.delete(request));
    if (waiting.size >= IN_FLIGHT) await Promise.race(waiting);
  }
  await Promise.all(waiting);
  const seconds = (performance.now() - start) / 1000;
  client.close();
  print(`sets a second, ${siblings.toLocaleString("en")} siblings`, SETS / seconds, "");
}

/** Measures writes while many clients listen to queries of a long list. */
async function measureFiltered(port: number): Promise<void> {
  await fill(port, 10_000);
  const writer = await connect(port);
  const clients = await Promise.all(Array.from({ length: LISTENERS }, () => connect(port)));
  await Promise.all(
    clients.map((client, index) =>
      client.request("q", { p: "/list", q: { i: "time", l: 50 + index, vf: "r" }, t: 1, h: "" }),
    ),
  );
  const elsewhere = await measureWrites((index) => writer.put(`/elsewhere/${index}`, index));
  print(`a write elsewhere, ${LISTENERS} filtered listens, median`, median(elsewhere), "ms");
  const outside = await measureWrites((index) =>
    writer.put(`/list/old${index}`, createMessage(-1 - index)),
  );
  print(`a write to the list, outside what they show, median`, median(outside), "ms");
  const inside = await measureWrites((index) =>
    writer.put(`/list/new${index}`, createMessage(20_000 + index)),
  );
  print(`a write that all of them receive, median`, median(inside), "ms");
  for (const client of [writer, ...clients]) client.close();
}

/** Measures the time from a write until each listener has received it. */
async function measureListeners(port: number, count: number): Promise<void> {
  await put(port, "/", null);
  const writer = await connect(port);
  const latencies: number[] = [];
  let sentAt = 0;
  let arrived = 0;
  let resolveAll: () => void = () => undefined;
  const clients = await Promise.all(
    Array.from({ length: count }, () =>
      connect(port, () => {
        latencies.push(performance.now() - sentAt);
        arrived += 1;
        if (arrived === count) resolveAll();
      }),
    ),
  );
  await Promise.all(clients.map((client) => client.request("q", { p: "/list", h: "" })));
  for (let index = 0; index < WRITES; index += 1) {
    arrived = 0;
    const all = new Promise<void>((resolve) => (resolveAll = resolve));
    sentAt = performance.now();
    await Promise.all([writer.put(`/list/${index}`, createMessage(index)), all]);
  }
  for (const client of [writer, ...clients]) client.close();
  const whom = count === 1 ? "one listener" : `${count} listeners`;
  print(`to ${whom}, median`, median(latencies), "ms");
  print(`to ${whom}, p95`, percentile(latencies, 0.95), "ms");
}

async function measureWrites(write: (index: number) => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < WRITES; index += 1) {
    const start = performance.now();
    await write(index);
    times.push(performance.now() - start);
  }
  return times;
}

async function fill(port: number, siblings: number): Promise<void> {
  const list = Array.from({ length: siblings }, (_, index) => [
    `m${String(index).padStart(6, "0")}`,
    createMessage(index),
  ]);
  await put(port, "/", { list: Object.fromEntries(list) });
}

function createMessage(time: number): object {
  return { uid: "ada", text: "A message of usual length, as people write them.", time };
}

async function put(port: number, path: string, data: unknown): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}${path}.json?ns=${NAMESPACE}`, {
    method: "PUT",
    headers: { Authorization: "Bearer owner" },
    body: JSON.stringify(data),
  });
  if (!response.ok) throw new Error(await response.text());
  await response.body?.cancel();
}

interface Client {
  request(action: string, body: object): Promise<void>;
  put(path: string, data: unknown): Promise<void>;
  close(): void;
}

async function connect(port: number, onPush?: () => void): Promise<Client> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/.ws?v=5&ns=${NAMESPACE}`);
  const waiting = new Map<number, () => void>();
  let last = 0;
  socket.on("message", (data: Buffer) => {
    const { d } = messageSchema.parse(JSON.parse(data.toString()));
    if (d.r === undefined) {
      if (d.a !== undefined) onPush?.();
      return;
    }
    if (d.b?.s !== "ok") throw new Error(`The server refuses: ${d.b?.s}`);
    waiting.get(d.r)?.();
    waiting.delete(d.r);
  });
  await once(socket, "open");

  function request(action: string, body: object): Promise<void> {
    last += 1;
    const r = last;
    const done = new Promise<void>((resolve) => void waiting.set(r, resolve));
    socket.send(JSON.stringify({ t: "d", d: { r, a: action, b: body } }));
    return done;
  }
  return {
    request,
    put: (path, data) => request("p", { p: path, d: data }),
    close: () => socket.close(),
  };
}

function print(what: string, measured: number, unit: string): void {
  const digits = measured < 100 ? 2 : 0;
  console.log(`${what.padEnd(60)} ${measured.toFixed(digits).padStart(10)} ${unit}`.trimEnd());
}
