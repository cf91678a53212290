import { randomInt } from "node:crypto";
import { createServer } from "node:net";

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
export async function isFreePort(port: number): Promise<boolean> {
  return await listenBriefly(port).then(
    () => true,
    () => false,
  );
}

/**
 * Resolves when a server can listen on the port.
 *
 * @param server the name of the server, with its article
 * @param advice what the user can do, as a sentence
 * @throws LaunchError naming the port, the server and the advice
 */
export async function requireFreePort(port: number, server: string, advice: string): Promise<void> {
  try {
    await listenBriefly(port);
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

function listenBriefly(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => {
      server.close(() => resolve());
    });
  });
}
