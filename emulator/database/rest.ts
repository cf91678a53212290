import { canRead, isIndexMissing } from "./access.ts";
import { parseBody } from "./action.ts";
import { createInvalidRequestError, createPermissionDeniedError } from "./errors.ts";
import { openEventStream, type StreamContext } from "./event-stream.ts";
import { getHash } from "./hash.ts";
import { toExportJson, toJson, toShallowJson } from "./to-json.ts";
import {
  ANONYMOUS,
  authOverrideSchema,
  overrideAuth,
  parseCredential,
  type Identity,
} from "./identity.ts";
import { requirePublicPath } from "./info.ts";
import { parseMerge, parsePut, type Change } from "./parse-data.ts";
import { formatPath, parsePath } from "./path.ts";
import { applyQuery } from "./query.ts";
import { createPushKey, PUSH_KEY_RANDOM_BYTES } from "./push-key.ts";
import { readParameters, readQuery, type RestParameters } from "./rest-parameters.ts";
import { getAt, type DataNode } from "./tree.ts";
import { write } from "./write.ts";

export type RestContext = StreamContext;

/**
 * Serves `/<path>.json`: reads, event streams, writes, updates, pushes and deletes.
 *
 * @see https://firebase.google.com/docs/reference/rest/database
 * @throws DatabaseError
 */
export async function handleDataRequest(request: Request, context: RestContext): Promise<Response> {
  const url = new URL(request.url);
  const parameters = readParameters(url);
  const identity = getRequestIdentity(request, url);
  const path = decodePath(url.pathname.replace(/\.json$/, ""));
  requirePublicPath(path);

  const method = getMethod(request, parameters);
  requireSupportedConditions(request, method);
  switch (method) {
    case "GET":
      return read(request, context, identity, path, parameters);
    case "PUT":
    case "DELETE": {
      const change = parsePut(path, method === "PUT" ? await readJson(request) : null);
      return put(request, context, identity, change, parameters);
    }
    case "PATCH": {
      const changes = parseMerge(path, await readJson(request));
      write(context.database, identity, changes, context.now());
      return respond(parameters, serializeChanges(parameters, context, path, changes));
    }
    case "POST": {
      const data = await readJson(request);
      const now = context.now();
      const name = createPushKey(now, context.random(PUSH_KEY_RANDOM_BYTES));
      write(context.database, identity, [parsePut(`${path}/${name}`, data)], now);
      return respond(parameters, { name });
    }
    default:
      return Response.json({ error: `${method} is not supported.` }, { status: 405 });
  }
}

/**
 * Returns the identity of a request, from `Authorization: Bearer` or the parameters `auth` and `access_token`. The
 * parameter `auth_variable_override` lets an administrator act as a user.
 *
 * Unlike the official emulator, a bearer token other than `owner` is an ID token, not an administrator's.
 *
 * @throws DatabaseError `invalid_token`
 */
export function getRequestIdentity(request: Request, { searchParams }: URL): Identity {
  const bearer = /^Bearer (.+)$/i.exec(request.headers.get("Authorization") ?? "")?.[1];
  const credential = bearer ?? searchParams.get("auth") ?? searchParams.get("access_token");
  const identity = credential ? parseCredential(credential) : ANONYMOUS;
  const override = searchParams.get("auth_variable_override");
  if (!identity.isAdmin || override === null) return identity;
  return overrideAuth(parseBody(authOverrideSchema, parseJson(override)));
}

/** Only a POST request can name another method: pages of other sites can cause GET requests. */
function getMethod(request: Request, parameters: RestParameters): string {
  if (request.method !== "POST") return request.method;
  const override =
    request.headers.get("X-HTTP-Method-Override") ?? parameters["x-http-method-override"];
  return (override ?? "POST").toUpperCase();
}

/** Rejects a condition that would be ignored: the client relies on it to lose no update. */
function requireSupportedConditions({ headers }: Request, method: string): void {
  if (headers.has("If-Match") && method !== "PUT" && method !== "DELETE")
    throw createInvalidRequestError("if-match is for PUT and DELETE only.");
  if (headers.has("If-None-Match") && method !== "GET")
    throw createInvalidRequestError("if-none-match is for GET only.");
}

function read(
  request: Request,
  context: RestContext,
  identity: Identity,
  pathText: string,
  parameters: RestParameters,
): Response {
  const { database } = context;
  const query = readQuery(parameters);
  const path = parsePath(pathText);
  const startedAt = context.now();
  if (!canRead(database, identity, path, query, startedAt)) throw createPermissionDeniedError();
  if (isIndexMissing(database, path, query)) {
    throw createInvalidRequestError(
      `Index not defined, add ".indexOn": "${query.i}", for path "/${formatPath(path)}", to the rules`,
    );
  }
  if (/^text\/event-stream\b/.test(request.headers.get("Accept") ?? ""))
    return openEventStream(context, identity, pathText, query, parameters.format === "export");

  const isWhole = query.i === undefined && !parameters.shallow;
  if (wantsETag(request) && !isWhole)
    throw createInvalidRequestError("Queries and shallow reads have no ETag.");
  const node = applyQuery(getAt(database.root, path), query);
  if (isWhole && request.headers.get("If-None-Match") === getETag(node))
    return new Response(null, { status: 304, headers: { ETag: getETag(node) } });

  const data = parameters.shallow ? toShallowJson(node) : serialize(parameters, node);
  const response = respond(parameters, data, wantsETag(request) ? node : undefined);
  if (context.now() - startedAt > (parameters.timeout ?? Infinity))
    throw createInvalidRequestError("The read took longer than its timeout.");
  return response;
}

/** Writes if the data is still what the client has seen. Otherwise responds with the data as it is now. */
function put(
  request: Request,
  { database, now }: RestContext,
  identity: Identity,
  change: Change,
  parameters: RestParameters,
): Response {
  const startedAt = now();
  const expected = request.headers.get("If-Match");
  if (expected !== null) {
    if (!canRead(database, identity, change.path, {}, startedAt))
      throw createPermissionDeniedError();
    const current = getAt(database.root, change.path);
    if (expected !== getETag(current)) {
      const headers = { ETag: getETag(current) };
      return Response.json(serialize(parameters, current), { status: 412, headers });
    }
  }
  write(database, identity, [change], startedAt);
  const node = getAt(database.root, change.path);
  return respond(parameters, serialize(parameters, node), wantsETag(request) ? node : undefined);
}

function wantsETag({ headers }: Request): boolean {
  const isConditional = headers.has("If-Match") || headers.has("If-None-Match");
  return isConditional || headers.get("X-Firebase-ETag") === "true";
}

/** Not in quotes, as with Firebase. */
function getETag(node: DataNode | null): string {
  return node === null ? "null_etag" : getHash(node);
}

function serializeChanges(
  parameters: RestParameters,
  { database }: RestContext,
  pathText: string,
  changes: readonly Change[],
): unknown {
  const depth = parsePath(pathText).length;
  return Object.fromEntries(
    changes.map(({ path }) => [
      formatPath(path.slice(depth)),
      serialize(parameters, getAt(database.root, path)),
    ]),
  );
}

function serialize({ format }: RestParameters, node: DataNode | null): unknown {
  return format === "export" ? toExportJson(node) : toJson(node);
}

function respond(
  { print, callback, download }: RestParameters,
  data: unknown,
  tagged?: DataNode | null,
): Response {
  const headers = new Headers(tagged === undefined ? {} : { ETag: getETag(tagged) });
  if (print === "silent") return new Response(null, { status: 204, headers });
  const json = JSON.stringify(data, null, print === "pretty" ? 2 : 0);
  const type = callback === undefined ? "application/json" : "application/javascript";
  headers.set("Content-Type", `${type}; charset=utf-8`);
  if (download !== undefined) headers.set("Content-Disposition", toAttachment(download));
  // The comment prevents that the start of the response is read as another type of file.
  return new Response(callback === undefined ? json : `/**/${callback}(${json});`, { headers });
}

/** @see https://www.rfc-editor.org/rfc/rfc6266#section-4.3 */
function toAttachment(name: string): string {
  const ascii = name.replace(/[^ -~]|["\\%]/g, "_");
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
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
  const bytes = await request.arrayBuffer();
  return parseJson(decodeText(bytes));
}

function decodeText(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw createInvalidRequestError("The body is not valid UTF-8.");
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw createInvalidRequestError("Invalid data; couldn't parse JSON object, array, or value.");
  }
}
