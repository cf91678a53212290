import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";

import { listen, LOOPBACK } from "#emulator/ports.ts";

export interface TestServer extends AsyncDisposable {
  /** As `host:port`. */
  host: string;
}

/** Starts a server with the given request handler, which may also never respond. */
export async function startServer(
  respond: (response: ServerResponse, request: IncomingMessage) => unknown,
): Promise<TestServer> {
  const server = createServer((request, response) => respond(response, request));
  const listening = await listen(server, 0);
  return {
    host: `${LOOPBACK}:${listening.port}`,
    [Symbol.asyncDispose]: () => listening.close(),
  };
}

/**
 * Forwards a request to a host, as `host:port`, and its response back.
 *
 * @param ready delays the response
 */
export function forwardRequest(
  host: string,
  { incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse },
  ready: Promise<void> = Promise.resolve(),
): void {
  const { url = "/", method, headers } = incoming;
  // A connection of its own: servers close idle ones, and a request that is sent at that moment is lost.
  const options = { method, headers, agent: false };
  const passed = request(new URL(url, `http://${host}`), options, (response) => {
    void ready.then(() => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
  });
  passed.on("error", () => outgoing.destroy());
  incoming.pipe(passed);
}

/** Sends a JSON response. */
export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
