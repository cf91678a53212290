import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

import { listen, LOOPBACK } from "#emulator/ports.ts";

const ERRORS_PATH = "/recorded-errors";

/** Reports every error and every violation of the Content-Security-Policy to the proxy, from before the first script. */
function recordErrors(path: string): void {
  const report = (problem: unknown) => {
    // Safari's stacks lack the message.
    const text = problem instanceof Error ? `${problem}\n${problem.stack}` : String(problem);
    navigator.sendBeacon(path, text);
  };
  addEventListener("error", ({ error, message }: ErrorEvent) => report(error ?? message));
  addEventListener("unhandledrejection", (event: PromiseRejectionEvent) => report(event.reason));
  addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sourceFile }) =>
    report(`${violatedDirective} blocks ${blockedURI} of ${sourceFile}`),
  );
  // React compares the head with its own.
  document.currentScript?.remove();
}

/**
 * Starts a proxy in front of the app that records what goes wrong in its pages, in any browser, and that can cut the
 * connection.
 */
export async function startRecordingProxy(origin: string, onError: (error: string) => void) {
  let isCut = false;
  const server = createServer((incoming, outgoing) => {
    if (isCut) return void outgoing.destroy();
    if (incoming.url !== ERRORS_PATH) return forward(origin, incoming, outgoing);
    void text(incoming).then(onError);
    outgoing.writeHead(204).end();
  });
  const listening = await listen(server, 0);
  return {
    url: `http://${LOOPBACK}:${listening.port}`,
    /** Cuts the connection between browsers and the app, or restores it. */
    cut(isNowCut: boolean): void {
      isCut = isNowCut;
      if (isCut) server.closeAllConnections();
    },
    [Symbol.asyncDispose]: () => listening.close(),
  };
}

function forward(origin: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url = "/" } = incoming;
  const { "accept-encoding": _, ...headers } = incoming.headers;
  // A connection of its own: the app closes idle ones, and a request that is sent at that moment is lost.
  const passed = request(origin + url, { method, headers, agent: false }, (response) => {
    const policy = String(response.headers["content-security-policy"] ?? "");
    const [, nonce] = /'nonce-([^']+)'/.exec(policy) ?? [];
    const isPage = response.headers["content-type"]?.startsWith("text/html") ?? false;
    const { "content-length": length, ...rest } = response.headers;
    const keepsLength = !isPage && length !== undefined;
    outgoing.writeHead(response.statusCode ?? 502, {
      ...rest,
      ...(keepsLength && { "content-length": length }),
    });
    if (isPage && nonce !== undefined) addRecorder(response, outgoing, nonce);
    else response.pipe(outgoing);
  });
  passed.on("error", () => outgoing.destroy());
  outgoing.on("close", () => passed.destroy());
  incoming.pipe(passed);
}

/** Adds the recorder at the beginning of the head, which is in the first part of a page. */
function addRecorder(response: IncomingMessage, outgoing: ServerResponse, nonce: string): void {
  const call = `(${recordErrors.toString()})(${JSON.stringify(ERRORS_PATH)})`;
  const script = `<script nonce="${nonce}">${call}</script>`;
  let isAdded = false;
  response.setEncoding("utf8");
  response.on("data", (part: string) => {
    outgoing.write(isAdded ? part : part.replace("<head>", () => `<head>${script}`));
    isAdded ||= part.includes("<head>");
  });
  response.on("end", () => outgoing.end());
  response.on("error", () => outgoing.destroy());
}
