import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";

import { createReadableStreamFromReadable } from "@remix-run/node";

import { MAX_MESSAGE_BYTES } from "./constants.ts";
import type { Databases } from "./databases.ts";
import { DatabaseError, createPermissionDeniedError, type ErrorStatus } from "./errors.ts";
import { handleLongPoll } from "./long-poll.ts";
import { getNamespace } from "./namespace.ts";
import { getRequestIdentity, handleDataRequest } from "./rest.ts";
import { RulesError } from "./rules/rules-error.ts";

export interface HttpContext {
  readonly databases: Databases;
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  /** Functions that end the event streams. */
  readonly openStreams: Set<() => void>;
  readonly onError: (error: unknown) => void;
}

const HTTP_STATUS: Record<ErrorStatus, number> = {
  permission_denied: 401,
  invalid_token: 401,
  datastale: 412,
  too_big: 413,
  failure: 400,
  unavailable: 503,
  internal_error: 500,
};

const TOO_LONG = "The body is too long.";

/** Handles every request except WebSocket upgrades. Turns errors into responses. */
async function respond(request: Request, context: HttpContext): Promise<Response> {
  try {
    return await route(request, context);
  } catch (error) {
    if (error instanceof DatabaseError)
      return createErrorResponse(HTTP_STATUS[error.status], error.message);
    if (error instanceof RulesError) return createErrorResponse(400, error.message);
    context.onError(error);
    return createErrorResponse(500, "Internal error");
  }
}

async function route(request: Request, context: HttpContext): Promise<Response> {
  const url = new URL(request.url);
  if (request.method === "OPTIONS") return createPreflightResponse();
  if (url.pathname === "/.lp") return handleLongPoll(url);
  if (!url.pathname.endsWith(".json"))
    return createErrorResponse(404, "Not found: data is at /<path>.json.");

  const namespace = getNamespace(url);
  if (namespace === null)
    return createErrorResponse(400, 'Add the database to the URL: "?ns=<namespace>".');
  const database = context.databases.get(namespace);

  switch (url.pathname) {
    case "/.inspect/databases.json":
      return Response.json(context.databases.list().map(({ namespace: name }) => ({ name })));
    case "/.settings/rules.json":
      if (!getRequestIdentity(request, url).isAdmin) throw createPermissionDeniedError();
      if (request.method === "GET") return new Response(database.rules.source);
      if (request.method !== "PUT")
        return createErrorResponse(405, `${request.method} is not supported.`);
      context.databases.setRulesOf(database, await request.text());
      return Response.json({ status: "ok" });
    default:
      return handleDataRequest(request, { ...context, database });
  }
}

function createPreflightResponse(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "Access-Control-Allow-Methods": "GET, HEAD, PUT, PATCH, POST, DELETE, OPTIONS",
      "Access-Control-Allow-Headers":
        "Authorization, Content-Type, If-Match, If-None-Match, X-Firebase-ETag, X-HTTP-Method-Override",
      "Access-Control-Max-Age": "3600",
    },
  });
}

function createErrorResponse(status: number, error: string): Response {
  return Response.json({ error }, { status });
}

/**
 * Whether a program, or a page of this machine, sends the request. Every client can act as the owner, so pages of other
 * sites may not use the server, as with the Auth and Firestore servers.
 *
 * A page that loads a script names no origin, but its address or that it is of another site. A page whose own address
 * leads to this machine (DNS rebinding) is known by its name in the Host header.
 */
export function isAllowedClient({
  host,
  origin,
  referer,
  ...headers
}: IncomingHttpHeaders): boolean {
  if (!isLoopback(`http://${host}`)) return false;
  const page = origin ?? referer;
  return page === undefined ? headers["sec-fetch-site"] !== "cross-site" : isLoopback(page);
}

function isLoopback(url: string): boolean {
  const host = URL.canParse(url) ? new URL(url).hostname : "";
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(host);
}

/** Handles a Node.js request, by way of the Fetch API's `Request` and `Response`. */
export async function handleNodeRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  context: HttpContext,
): Promise<void> {
  const { method, headers } = incoming;
  const isAllowed = isAllowedClient(headers);
  const response = isAllowed
    ? await respondTo(incoming, context)
    : createErrorResponse(403, "Pages of other sites may not use this server.");

  if (isAllowed) {
    outgoing.setHeader("Access-Control-Allow-Origin", headers.origin ?? "*");
    outgoing.setHeader("Access-Control-Expose-Headers", "ETag");
  }
  outgoing.setHeader("Vary", "Origin");
  outgoing.setHeader("Cache-Control", "no-cache");
  outgoing.setHeader("X-Content-Type-Options", "nosniff");
  for (const [name, value] of response.headers) outgoing.setHeader(name, value);
  outgoing.statusCode = response.status;
  // The rest of a body that is too long is discarded, because a client that still sends may miss the response.
  if (response.status === 413) incoming.resume();
  if (response.body === null || method === "HEAD") {
    outgoing.end();
    await response.body?.cancel();
    return;
  }
  // Node.js has one class for these streams, whose types are declared twice.
  await pipeline(Readable.fromWeb(response.body as ReadableStream), outgoing).catch(
    (error: unknown) => {
      // The client has gone away.
      if (!outgoing.closed) throw error;
    },
  );
}

async function respondTo(incoming: IncomingMessage, context: HttpContext): Promise<Response> {
  if (Number(incoming.headers["content-length"] ?? 0) > MAX_MESSAGE_BYTES)
    return createErrorResponse(413, TOO_LONG);
  let request: Request;
  try {
    request = toRequest(incoming);
  } catch {
    return createErrorResponse(400, "The request is malformed.");
  }
  return await respond(request, context);
}

function toRequest(incoming: IncomingMessage): Request {
  const { url = "/", headers } = incoming;
  // The response to HEAD is that to GET, without its body.
  const method = incoming.method === "HEAD" ? "GET" : incoming.method;
  const hasBody = method !== "GET";
  const init = {
    method,
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      typeof value === "string" ? [[name, value]] : [],
    ),
    ...(hasBody && {
      body: createReadableStreamFromReadable(Readable.from(readBody(incoming))),
      duplex: "half" as const,
    }),
  };
  return new Request(new URL(url, "http://localhost"), init);
}

/** @throws DatabaseError `too_big` */
async function* readBody(incoming: IncomingMessage): AsyncGenerator<Buffer> {
  let bytes = 0;
  // The connection stays open for the response. Node.js yields buffers when no encoding is set.
  const chunks: AsyncIterable<Buffer> = incoming.iterator({ destroyOnReturn: false });
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > MAX_MESSAGE_BYTES) throw new DatabaseError("too_big", TOO_LONG);
    yield chunk;
  }
}
