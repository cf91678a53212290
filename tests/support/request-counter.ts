import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { forwardRequest } from "./server.ts";

/**
 * Counts the requests that pass through its proxies.
 *
 * @param together how many requests must be under way before the first of them gets a response
 */
export function startRequestCounter({ together = 0 } = {}) {
  const servers: ReturnType<typeof createServer>[] = [];
  let count = 0;
  let pending = 0;
  let peak = 0;
  let release = () => {};
  const areTogether = new Promise<void>((resolve) => (release = resolve));
  return {
    count: () => count,
    /** The maximum number of requests that were under way at the same time. */
    peak: () => peak,
    /** Starts a proxy in front of `host`, and returns its `host:port`. */
    async proxy(host: string): Promise<string> {
      const server = createServer((incoming, outgoing) => {
        count += 1;
        pending += 1;
        peak = Math.max(peak, pending);
        outgoing.on("close", () => (pending -= 1));
        if (pending >= together) release();
        forwardRequest(host, { incoming, outgoing }, areTogether);
      });
      servers.push(server);
      await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
      // A server that listens on a TCP port has an address object, never a pipe name.
      return `127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    [Symbol.dispose]: () => servers.forEach((server) => server.close().closeAllConnections()),
  };
}
