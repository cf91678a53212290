import { once } from "node:events";
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { connect, type Socket } from "node:net";
import { buffer } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";

/**
 * What happens to one request:
 *
 * - `cut`: the connection ends before the server has the request;
 * - `lost`: the server answers, and the connection ends instead of the answer;
 * - `late`: the request and the answer take longer;
 * - `twice`: the server receives the request twice, and the client gets the second answer;
 * - `error`: a 503 instead of the server's answer.
 */
export type Fault = "none" | "cut" | "lost" | "late" | "twice" | "error";

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
  /** Ends all open connections, also WebSockets and answers that are being streamed. */
  cutAll: () => void;
}

const LATE_MS = 25;

/** Starts a proxy in front of `host` that `choose` makes unreliable. A WebSocket can only be cut. */
export async function startFaultProxy(
  host: string,
  choose: (request: FaultRequest) => Fault = () => "none",
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
    const { method, url: path } = incoming;
    const headers: IncomingHttpHeaders = { ...incoming.headers, connection: "close" };
    return new Promise((resolve, reject) => {
      const passed = request({ hostname, port, method, path, headers });
      passed.on("response", resolve).on("error", reject);
      incoming.socket.on("close", () => passed.destroy());
      if (body) passed.end(body);
      else incoming.pipe(passed);
    });
  }

  async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const fault = decide(incoming);
    if (fault === "cut") return void incoming.socket.destroy();
    if (fault === "none") return pass(await forward(incoming), outgoing);

    const body = await buffer(incoming);
    if (fault === "error") return void outgoing.writeHead(503).end();
    if (fault === "late") await delay(LATE_MS);
    let answer = await forward(incoming, body);
    if (fault === "twice") {
      await buffer(answer);
      answer = await forward(incoming, body);
    }
    if (fault === "lost") {
      await buffer(answer);
      return void incoming.socket.destroy();
    }
    if (fault === "late") await delay(LATE_MS);
    return pass(answer, outgoing);
  }

  const server = createServer((incoming, outgoing) => {
    // The client or the server has closed the connection.
    handle(incoming, outgoing).catch(() => incoming.socket.destroy());
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.on("upgrade", (incoming, socket, head) => {
    if (decide(incoming) === "cut") return void socket.destroy();
    const server = connect(Number(port), hostname, () => {
      const headers = incoming.rawHeaders.map((text, index) => text + (index % 2 ? "\r\n" : ": "));
      server.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${headers.join("")}\r\n`);
      server.write(head);
      socket.pipe(server).pipe(socket);
    });
    for (const [one, other] of [
      [socket, server],
      [server, socket],
    ] as const) {
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
    }
    return undefined;
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("Expected a port");
  const cutAll = () => sockets.forEach((socket) => socket.destroy());
  return {
    host: `127.0.0.1:${address.port}`,
    log,
    cutAll,
    async [Symbol.asyncDispose]() {
      cutAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function pass(answer: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
  // The headers of a stream arrive before its first part.
  outgoing.flushHeaders();
  answer.pipe(outgoing);
  answer.on("error", () => outgoing.destroy());
}
