import type { Database } from "./database.ts";
import { canRead } from "./access.ts";
import { createInvalidRequestError, createPermissionDeniedError } from "./errors.ts";
import { toExportJson, toJson, toShallowJson } from "./to-json.ts";
import { ANONYMOUS, parseCredential, type Identity } from "./identity.ts";
import { requirePublicPath } from "./info.ts";
import { parseMerge, parsePut, type Change } from "./parse-data.ts";
import { formatPath, parsePath } from "./path.ts";
import { applyQuery } from "./query.ts";
import { createPushKey, PUSH_KEY_RANDOM_BYTES } from "./push-key.ts";
import { readQuery } from "./rest-query.ts";
import { getAt, type DataNode } from "./tree.ts";
import { write } from "./write.ts";

export interface RestContext {
  readonly database: Database;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  readonly random: (bytes: number) => Uint8Array;
}

/**
 * Serves `/<path>.json`: reads, writes, updates, pushes and deletes.
 *
 * Unlike Firebase, it has no ETags or event streams, and orders by children without an index.
 *
 * @see https://firebase.google.com/docs/reference/rest/database
 * @throws DatabaseError
 */
export async function handleDataRequest(request: Request, context: RestContext): Promise<Response> {
  const url = new URL(request.url);
  const identity = getRequestIdentity(request, url);
  const path = decodePath(url.pathname.replace(/\.json$/, ""));
  requirePublicPath(path);

  const method =
    request.method === "POST"
      ? (request.headers.get("X-HTTP-Method-Override") ?? "POST").toUpperCase()
      : request.method;
  switch (method) {
    case "GET":
      return respond(url, readData(url, context, identity, path));
    case "PUT":
    case "DELETE": {
      const change = parsePut(path, method === "PUT" ? await readJson(request) : null);
      write(context.database, identity, [change], context.now);
      return respond(url, serialize(url, getAt(context.database.root, change.path)));
    }
    case "PATCH": {
      const changes = parseMerge(path, await readJson(request));
      write(context.database, identity, changes, context.now);
      return respond(url, serializeChanges(url, context, path, changes));
    }
    case "POST": {
      const name = createPushKey(context.now, context.random(PUSH_KEY_RANDOM_BYTES));
      const change = parsePut(`${path}/${name}`, await readJson(request));
      write(context.database, identity, [change], context.now);
      return respond(url, { name });
    }
    default:
      return Response.json({ error: `${method} is not supported.` }, { status: 405 });
  }
}

/**
 * Returns the identity of a request, from `Authorization: Bearer` or the parameters `auth` and `access_token`.
 *
 * Unlike the official emulator, a bearer token other than `owner` is an ID token, not an administrator's.
 *
 * @throws DatabaseError `invalid_token`
 */
export function getRequestIdentity(request: Request, url: URL): Identity {
  const bearer = /^Bearer (.+)$/i.exec(request.headers.get("Authorization") ?? "")?.[1];
  const credential = bearer ?? url.searchParams.get("auth") ?? url.searchParams.get("access_token");
  return credential ? parseCredential(credential) : ANONYMOUS;
}

function readData(url: URL, context: RestContext, identity: Identity, pathText: string): unknown {
  const { database, now } = context;
  const query = readQuery(url);
  const path = parsePath(pathText);
  if (!canRead(database, identity, path, query, now)) throw createPermissionDeniedError();
  const node = applyQuery(getAt(database.root, path), query);
  return url.searchParams.get("shallow") === "true" ? toShallowJson(node) : serialize(url, node);
}

function serializeChanges(
  url: URL,
  { database }: RestContext,
  pathText: string,
  changes: readonly Change[],
): unknown {
  const depth = parsePath(pathText).length;
  return Object.fromEntries(
    changes.map(({ path }) => [
      formatPath(path.slice(depth)),
      serialize(url, getAt(database.root, path)),
    ]),
  );
}

function serialize(url: URL, node: DataNode | null): unknown {
  return url.searchParams.get("format") === "export" ? toExportJson(node) : toJson(node);
}

function respond(url: URL, data: unknown): Response {
  switch (url.searchParams.get("print")) {
    case "silent":
      return new Response(null, { status: 204 });
    case "pretty":
      return new Response(JSON.stringify(data, null, 2), {
        headers: { "Content-Type": "application/json" },
      });
    default:
      return Response.json(data);
  }
}

function decodePath(pathname: string): string {
  try {
    // Decodes each segment separately: in a path that is decoded as a whole, an encoded slash would split a key in two.
    return pathname
      .split("/")
      .map((segment) => {
        const key = decodeURIComponent(segment);
        if (key.includes("/")) throw createInvalidRequestError("A key must not contain a slash.");
        return key;
      })
      .join("/");
  } catch (error) {
    if (error instanceof URIError)
      throw createInvalidRequestError("The path is not properly encoded.");
    throw error;
  }
}

async function readJson(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw createInvalidRequestError("Invalid data; couldn't parse JSON object, array, or value.");
  }
}
