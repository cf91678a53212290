import type { IncomingMessage, ServerResponse } from "node:http";

import { MAX_REST_BODY_BYTES } from "./constants.ts";
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
  readonly onError: (error: unknown) => void;
}

const HTTP_STATUS: Record<ErrorStatus, number> = {
  permission_denied: 401,
  invalid_token: 401,
  datastale: 412,
  too_big: 413,
  failure: 400,
  internal_error: 500,
};

const COMMON_HEADERS = {
  "Access-Control-Allow-Origin": "*",
  "Cache-Control": "no-cache",
};

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
      return handleDataRequest(request, { database, now: context.now(), random: context.random });
  }
}

function createPreflightResponse(): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "Access-Control-Allow-Methods": "GET, PUT, PATCH, POST, DELETE, OPTIONS",
      "Access-Control-Allow-Headers": "Authorization, Content-Type, X-HTTP-Method-Override",
      "Access-Control-Max-Age": "3600",
    },
  });
}

function createErrorResponse(status: number, error: string): Response {
  return Response.json({ error }, { status });
}

/** Handles a Node.js request, by way of the Fetch API's `Request` and `Response`. */
export async function handleNodeRequest(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  context: HttpContext,
): Promise<void> {
  const request = await toRequest(incoming);
  const response =
    request instanceof Request
      ? await respond(request, context)
      : createErrorResponse(request.status, request.error);

  for (const [name, value] of Object.entries(COMMON_HEADERS)) outgoing.setHeader(name, value);
  for (const [name, value] of response.headers) outgoing.setHeader(name, value);
  outgoing.statusCode = response.status;
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}

async function toRequest(
  incoming: IncomingMessage,
): Promise<Request | { status: number; error: string }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  // Node.js yields buffers when no encoding is set.
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_REST_BODY_BYTES) return { status: 413, error: "The body is too long." };
    chunks.push(chunk);
  }
  try {
    const { method = "GET", url = "/", headers } = incoming;
    return new Request(new URL(url, "http://localhost"), {
      method,
      headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
        typeof value === "string" ? [[name, value]] : [],
      ),
      ...(method !== "GET" && method !== "HEAD" && { body: Buffer.concat(chunks) }),
    });
  } catch {
    return { status: 400, error: "The request is malformed." };
  }
}
