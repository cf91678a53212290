import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

import { LOOPBACK } from "./ports.ts";

/** The start of a request that cannot write. The SDK receives the results of writes by GET from the channel `Write`. */
const READ_REQUEST =
  /^(?:OPTIONS|GET(?! \S+\/Write\/channel)|POST \S+(?:\/Listen\/channel|:(?:runQuery|runAggregationQuery|batchGet|listCollectionIds)))[ ?]/;

/** The start of any HTTP/1.1 request. */
const REQUEST = /^[A-Z]+ \S+/;

/** Longer than the start of any request whose kind matters. */
const START_CHARACTERS = 512;

export interface FirestoreProxyOptions {
  port: number;
  /** The port of the Firestore server. */
  target: number;
  /** Called before each response that may confirm a write. */
  onWrite: () => void;
}

export interface FirestoreProxy {
  port: number;
  close(): Promise<void>;
}

/**
 * Starts a proxy in front of the Firestore server. It forwards bytes unchanged, for REST, WebChannel and gRPC, and notices
 * requests that may write. It may take a read for a write, but not a write for a read.
 */
export async function startFirestoreProxy(options: FirestoreProxyOptions): Promise<FirestoreProxy> {
  const { port, target, onWrite } = options;
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: target, host: LOOPBACK, noDelay: true });
    let mayWrite = true;
    client.on("data", (chunk: Buffer) => {
      const start = chunk.toString("latin1", 0, START_CHARACTERS);
      // Other chunks continue a request.
      if (REQUEST.test(start)) mayWrite = !READ_REQUEST.test(start);
    });
    upstream.on("data", () => {
      if (mayWrite) onWrite();
    });
    client.pipe(upstream).pipe(client);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  });
  server.listen(port, LOOPBACK);
  await once(server, "listening");
  // A server that listens on a TCP port has an address object, never a pipe name.
  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
