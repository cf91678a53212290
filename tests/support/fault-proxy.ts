import { once } from "node:events";
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";

import { listen, LOOPBACK } from "#emulator/ports.ts";
import { createSocketProxy, type ChooseFrameFault } from "./fault-socket.ts";

/**
 * What happens to one request:
 *
 * - `cut`: the connection ends before the server has the request;
 * - `lost`: the server begins to respond, and the connection ends instead of the response;
 * - `midway`: the first part of a streamed response arrives, and the connection ends instead of the second;
 * - `late`, `slow`: the request and the response take a little longer, or longer than a second;
 * - `twice`: the server receives the request twice, and the client gets the second response;
 * - `error`: a 503 instead of the server's response;
 * - `hung`: no response, and the server does not get the request;
 * - `silent`: the server responds, and nothing of the response arrives;
 * - `stalled`, `partial`: the first half of the server's response arrives, and then nothing, or the connection ends;
 * - `html`, `broken`, `garbage`: a 200 with a page, with invalid JSON, or with JSON of another shape;
 * - `quota`: a 429, as Google's services send it.
 */
export type Fault =
  | "none"
  | "cut"
  | "lost"
  | "midway"
  | "late"
  | "slow"
  | "twice"
  | "error"
  | "hung"
  | "silent"
  | "stalled"
  | "partial"
  | keyof typeof REPLACED_BODIES;

const REPLACED_BODIES = {
  html: [200, "text/html", "<!doctype html><title>Welcome</title><h1>Sign in to the network</h1>"],
  broken: [200, "application/json", '{"documents": [{"name": "projects/'],
  garbage: [200, "application/json", '{"kind": "unexpected", "items": [1, null, {"name": 7}]}'],
  quota: [
    429,
    "application/json",
    '{"error": {"code": 429, "message": "Quota exceeded.", "status": "RESOURCE_EXHAUSTED"}}',
  ],
} as const;

export interface FaultRequest {
  method: string;
  /** The path and query. */
  url: string;
}

export interface FaultProxy extends AsyncDisposable {
  /** As `host:port`. */
  host: string;
  /** All requests, with what happened to each. */
  log: (FaultRequest & { fault: Fault })[];
  /** Ends all open connections, including WebSockets and responses that are being streamed. */
  cutAll: () => void;
  /** Returns how many late messages of WebSockets the server has not got yet. */
  countLate: () => number;
}

const LATE_MS = 25;
const SLOW_MS = 1200;

/**
 * Starts a proxy in front of `host` that `choose` makes unreliable. A WebSocket can be cut when it is opened, and fails
 * later as `chooseFrame` says.
 */
export async function startFaultProxy(
  host: string,
  choose: (request: FaultRequest) => Fault = () => "none",
  chooseFrame?: ChooseFrameFault,
): Promise<FaultProxy> {
  const { hostname, port } = new URL(`http://${host}`);
  const log: FaultProxy["log"] = [];
  const sockets = new Set<Socket>();

  function decide({ method = "GET", url = "/" }: IncomingMessage): Fault {
    const fault = choose({ method, url });
    log.push({ method, url, fault });
    return fault;
  }

  function forward(incoming: IncomingMessage, body?: Buffer): Promise<IncomingMessage> {
    const { method, url: path, headers } = incoming;
    return new Promise((resolve, reject) => {
      // A connection of its own: servers close idle ones, and a request that is sent at that moment is lost.
      const passed = request({ hostname, port, method, path, headers, agent: false });
      passed.on("response", resolve).on("error", reject);
      const stop = () => passed.destroy();
      incoming.socket.on("close", stop);
      passed.on("close", () => incoming.socket.off("close", stop));
      if (body) passed.end(body);
      else incoming.pipe(passed);
    });
  }

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const fault = decide(incoming);
    if (fault === "cut") return void incoming.socket.destroy();
    if (fault === "none") return pass(await forward(incoming), outgoing);

    const body = await buffer(incoming);
    if (fault === "hung") return undefined;
    if (fault === "error") return void outgoing.writeHead(503).end();
    if (isReplaced(fault)) {
      const [status, type, text] = REPLACED_BODIES[fault];
      return void outgoing.writeHead(status, { "Content-Type": type }).end(text);
    }
    if (fault === "late") await delay(LATE_MS);
    if (fault === "slow") await delay(SLOW_MS);
    let response = await forward(incoming, body);
    if (fault === "twice") {
      await readFirstPart(response);
      response.resume();
      response = await forward(incoming, body);
    }
    if (fault === "lost" || fault === "midway") {
      const part = await readFirstPart(response);
      if (fault === "midway") {
        writeHead(response, outgoing);
        outgoing.write(part);
        await readFirstPart(response);
      }
      return void incoming.socket.destroy();
    }
    if (fault === "silent") return void (await buffer(response));
    if (fault === "stalled" || fault === "partial") {
      const whole = await buffer(response);
      const type = response.headers["content-type"] ?? "application/json";
      const headers = { "Content-Type": type, "Content-Length": whole.length };
      outgoing.writeHead(response.statusCode ?? 502, headers);
      outgoing.write(whole.subarray(0, whole.length / 2), () => {
        if (fault === "partial") incoming.socket.destroy();
      });
      return undefined;
    }
    if (fault === "late") await delay(LATE_MS);
    return pass(response, outgoing);
  }

  const server = createServer((incoming, outgoing) => {
    // The client or the server has closed the connection.
    handle(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  const socketProxy = createSocketProxy(host, chooseFrame);
  server.on("upgrade", (incoming, socket, head) => {
    if (decide(incoming) === "cut") socket.destroy();
    else socketProxy.upgrade(incoming, socket, head);
  });
  const listening = await listen(server, 0);
  const cutAll = () => sockets.forEach((socket) => socket.destroy());
  return {
    host: `${LOOPBACK}:${listening.port}`,
    log,
    cutAll,
    countLate: () => socketProxy.countLate(),
    async [Symbol.asyncDispose]() {
      cutAll();
      await listening.close();
    },
  };
}

function isReplaced(fault: Fault): fault is keyof typeof REPLACED_BODIES {
  return fault in REPLACED_BODIES;
}

/** Waits for the next part of a response. Returns an empty buffer at the end of the response. */
async function readFirstPart(response: IncomingMessage): Promise<Buffer> {
  const part: unknown = response.read();
  if (Buffer.isBuffer(part)) return part;
  if (response.readableEnded) return Buffer.alloc(0);
  await once(response, "readable");
  return readFirstPart(response);
}

function pass(response: IncomingMessage, outgoing: ServerResponse): void {
  writeHead(response, outgoing);
  response.pipe(outgoing);
  response.on("error", () => outgoing.destroy());
}

function writeHead(response: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.writeHead(response.statusCode ?? 502, response.headers);
  // The headers of a stream arrive before its first part.
  outgoing.flushHeaders();
}
