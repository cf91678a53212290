import {
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { buffer } from "node:stream/consumers";

import { startServer } from "#tests/support/server.ts";

interface CachedFile {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

interface CachingProxyOptions {
  /** Called with a request whose connection the app has closed without a response. @default ignored */
  onError?: (line: string) => void;
  /** Responds to a request instead of the app. Returns whether it does. @default to none */
  intercept?: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
}

/**
 * Starts a proxy that caches the app's static files, as Cloudflare's CDN does. Every test starts with an empty browser
 * cache, and wrangler takes longer to serve the files of a page than Chromium takes to render it.
 */
export async function startCachingProxy(
  origin: string,
  { onError = () => {}, intercept = () => false }: CachingProxyOptions = {},
) {
  const files = new Map<string, CachedFile>();
  const running = new Set<Promise<void>>();
  const server = await startServer((outgoing, incoming) => {
    if (intercept(incoming, outgoing)) return;
    const key = `${incoming.method} ${incoming.url} ${incoming.headers["accept-encoding"]}`;
    const file = files.get(key);
    if (file) return void outgoing.writeHead(200, file.headers).end(file.body);
    const onFile = (found: CachedFile) => void files.set(key, found);
    const ended = pass(origin, incoming, outgoing, { onFile, onError });
    running.add(ended);
    void ended.then(() => running.delete(ended));
  });
  return {
    url: `http://${server.host}`,
    /** Resolves when the app has responded to every request. */
    async settled(): Promise<void> {
      await Promise.all(running);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/**
 * Forwards a request and its response, and resolves when both have ended. A request that writes ends with the app's
 * response, even when the browser has left.
 */
function pass(
  origin: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { onFile, onError }: { onFile: (file: CachedFile) => void; onError: (line: string) => void },
): Promise<void> {
  const { method, url = "", headers } = incoming;
  const isRead = method === "GET";

  function forward(response: IncomingMessage) {
    const { connection: _, ...own } = response.headers;
    // Discards the rest of a response when the browser has closed the connection.
    outgoing.on("close", () => response.resume());
    if (outgoing.destroyed) return void response.resume();
    outgoing.writeHead(response.statusCode ?? 502, own);
    response.pipe(outgoing);
    const isFile = response.statusCode === 200 && own["cache-control"]?.startsWith("public");
    if (!isRead || !isFile) return;
    buffer(response).then(
      (body) => onFile({ headers: own, body }),
      () => {}, // The browser has closed the connection.
    );
  }

  return new Promise((resolve) => {
    // A connection of its own: the app closes idle ones, and a request that is sent at that moment is lost.
    const passed = request(origin + url, { method, headers, agent: false });
    passed.on("response", forward);
    passed.on("error", (error) => {
      if (!outgoing.destroyed) onError(`${method} ${url}: ${error.message}`);
      outgoing.destroy();
    });
    passed.on("close", resolve);
    outgoing.on("close", () => {
      if (isRead || !incoming.complete) passed.destroy();
    });
    incoming.pipe(passed);
  });
}
