import { forwardRequest, startServer, type TestServer } from "./server.ts";

/**
 * Counts the requests that pass through its proxies.
 *
 * @param together how many requests must be under way before the first of them gets a response
 */
export function startRequestCounter({ together = 0 } = {}) {
  const servers: TestServer[] = [];
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
      const server = await startServer((outgoing, incoming) => {
        count += 1;
        pending += 1;
        peak = Math.max(peak, pending);
        outgoing.on("close", () => (pending -= 1));
        if (pending >= together) release();
        forwardRequest(host, { incoming, outgoing }, areTogether);
      });
      servers.push(server);
      return server.host;
    },
    [Symbol.dispose]: () => servers.forEach((server) => void server[Symbol.asyncDispose]()),
  };
}
