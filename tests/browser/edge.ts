import { once } from "node:events";
import {
  createServer,
  request,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { buffer } from "node:stream/consumers";

interface Kept {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/**
 * Stands before the app and keeps its files, as Cloudflare's edge does. Every test begins with an empty browser, and
 * wrangler needs longer to hand out the forty files of one page than Chromium to show it.
 */
export async function startEdge(origin: string) {
  const files = new Map<string, Kept>();
  const server = createServer((incoming, outgoing) => {
    const key = `${incoming.method} ${incoming.url} ${incoming.headers["accept-encoding"]}`;
    const file = files.get(key);
    if (file) outgoing.writeHead(200, file.headers).end(file.body);
    else pass(origin, incoming, outgoing, (found) => files.set(key, found));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("Expected a port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Hands a request on, and its answer back. */
function pass(
  origin: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  onFile: (file: Kept) => void,
) {
  const { method, url = "", headers } = incoming;
  const passed = request(origin + url, {
    method,
    headers: { ...headers, connection: "close" },
  });
  passed.on("response", (answer) => {
    const { connection: _, ...own } = answer.headers;
    outgoing.writeHead(answer.statusCode ?? 502, own);
    answer.pipe(outgoing);
    const isFile = answer.statusCode === 200 && own["cache-control"]?.startsWith("public");
    if (method !== "GET" || !isFile) return;
    buffer(answer).then(
      (body) => onFile({ headers: own, body }),
      () => {}, // Whoever asked has left meanwhile.
    );
  });
  passed.on("error", () => outgoing.destroy());
  outgoing.on("close", () => passed.destroy());
  incoming.pipe(passed);
}
