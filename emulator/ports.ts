import { randomInt } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import { createServer, type AddressInfo } from "node:net";

import { LaunchError } from "./launch-error.ts";

/** Every local server listens on loopback only, so that the network cannot reach it. */
export const LOOPBACK = "127.0.0.1";

/** Below the ephemeral ports, which the system could assign to a connection before we use the port. */
const FIRST_FREE_PORT = 20_000;
const PORTS_PER_PROCESS = 120;

/** Processes try different ports, so that two find the same free one only if their ids are equal modulo this number. */
const STRIDE = 100;

const reserved = new Set<number>();
let lastIndex = randomInt(PORTS_PER_PROCESS);

/** Keeps a port for a server that starts later: `findFreePort` never returns it. */
export function reservePort(port: number): void {
  reserved.add(port);
}

/** Returns a port that is free at the moment. The next call returns a different one. */
export async function findFreePort(): Promise<number> {
  lastIndex = (lastIndex + 1) % PORTS_PER_PROCESS;
  const port = FIRST_FREE_PORT + lastIndex * STRIDE + (process.pid % STRIDE);
  return !reserved.has(port) && (await isFreePort(port)) ? port : await findFreePort();
}

/** Whether a server can listen on the port. */
async function isFreePort(port: number): Promise<boolean> {
  return await occupy(port).then(
    async (release) => {
      await release();
      return true;
    },
    () => false,
  );
}

/**
 * Takes a port for a server that starts later, so that no other gets it. Returns a function that frees it, and that may be
 * called again.
 *
 * @param server the name of the server, with its article
 * @param advice what the user can do, as a sentence
 * @throws LaunchError naming the port, the server and the advice
 */
export async function takePort(
  port: number,
  server: string,
  advice: string,
): Promise<() => Promise<void>> {
  try {
    return await occupy(port);
  } catch (error) {
    throw new LaunchError(`${describe(error, port)}, so ${server} cannot start. ${advice}`);
  }
}

function describe(error: unknown, port: number): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code === "EADDRINUSE") return `Port ${port} is already in use`;
  if (code === "EACCES") return `Port ${port} is reserved for the system`;
  return `Port ${port} cannot be opened (${String(code ?? error)})`;
}

async function occupy(port: number): Promise<() => Promise<void>> {
  // A client would otherwise keep the port open.
  const server = createServer((socket) => socket.destroy());
  server.listen({ port, host: LOOPBACK, exclusive: true });
  await once(server, "listening");
  return () => server[Symbol.asyncDispose]();
}

export interface ListeningServer {
  port: number;
  close(): Promise<void>;
}

/** Makes an HTTP server listen on loopback. @param port 0 for a free one */
export async function listen(server: Server, port: number): Promise<ListeningServer> {
  // No timeout: it could close an idle connection that a client is about to use again.
  server.keepAliveTimeout = 0;
  server.listen(port, LOOPBACK);
  await once(server, "listening");
  // A server that listens on a TCP port has an address object, never a pipe name.
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
