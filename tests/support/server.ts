import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export interface TestServer extends AsyncDisposable {
  /** As `host:port`. */
  host: string;
}

/** Starts a server with the given request handler, which may also never respond. */
export async function startServer(
  respond: (response: ServerResponse, request: IncomingMessage) => unknown,
): Promise<TestServer> {
  const server = createServer((request, response) => respond(response, request));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("Expected a port");
  return {
    host: `127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Sends a JSON response. */
export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
