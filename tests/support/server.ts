import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export interface TestServer extends AsyncDisposable {
  /** host:port */
  host: string;
}

/** Starts a server that answers, or fails to answer, as the test needs. */
export async function startServer(
  answer: (response: ServerResponse, request: IncomingMessage) => unknown,
): Promise<TestServer> {
  const server = createServer((request, response) => answer(response, request));
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

/** Answers with JSON. */
export function answerJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
}
