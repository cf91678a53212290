import type { Database } from "./database.ts";
import { mayRead } from "./access.ts";
import { invalidRequest, permissionDenied } from "./errors.ts";
import { toExportForm, toPlainForm, toShallowForm } from "./export-form.ts";
import { ANONYMOUS, identify, type Identity } from "./identity.ts";
import { requirePublicPath } from "./info.ts";
import { parseMerge, parsePut, type Change } from "./parse-data.ts";
import { formatPath, parsePath } from "./path.ts";
import { createPushKey, PUSH_KEY_RANDOM_BYTES } from "./push-key.ts";
import { getAt, type DataNode } from "./tree.ts";
import { write } from "./write.ts";

export interface RestContext {
  readonly database: Database;
  /** Ms since epoch. */
  readonly now: number;
  readonly random: (bytes: number) => Uint8Array;
}

const QUERY_PARAMETERS = [
  "orderBy",
  "limitToFirst",
  "limitToLast",
  "startAt",
  "startAfter",
  "endAt",
  "endBefore",
  "equalTo",
];

/**
 * Serves `/<path>.json`: reads, writes, updates, pushes and deletes.
 *
 * Unlike Firebase, queries, ETags and event streams are not offered; a query is refused rather than ignored.
 *
 * @see https://firebase.google.com/docs/reference/rest/database
 * @throws DatabaseError
 */
export async function serveData(request: Request, context: RestContext): Promise<Response> {
  const url = new URL(request.url);
  const identity = identifyRequest(request, url);
  const path = decodePath(url.pathname.replace(/\.json$/, ""));
  requirePublicPath(path);

  const method =
    request.method === "POST"
      ? (request.headers.get("X-HTTP-Method-Override") ?? "POST").toUpperCase()
      : request.method;
  switch (method) {
    case "GET":
      return answer(url, readData(url, context, identity, path));
    case "PUT":
    case "DELETE": {
      const change = parsePut(path, method === "PUT" ? await readJson(request) : null);
      write(context.database, identity, [change], context.now);
      return answer(url, present(url, getAt(context.database.root, change.path)));
    }
    case "PATCH": {
      const changes = parseMerge(path, await readJson(request));
      write(context.database, identity, changes, context.now);
      return answer(url, presentChanges(url, context, path, changes));
    }
    case "POST": {
      const name = createPushKey(context.now, context.random(PUSH_KEY_RANDOM_BYTES));
      const change = parsePut(`${path}/${name}`, await readJson(request));
      write(context.database, identity, [change], context.now);
      return answer(url, { name });
    }
    default:
      return Response.json({ error: `${method} is not supported.` }, { status: 405 });
  }
}

/**
 * Finds out who sends a request: by `Authorization: Bearer`, or the parameters `auth` and `access_token`.
 *
 * Unlike the official emulator, a bearer other than `owner` is an ID token and not an administrator.
 *
 * @throws DatabaseError `invalid_token`
 */
export function identifyRequest(request: Request, url: URL): Identity {
  const bearer = /^Bearer (.+)$/i.exec(request.headers.get("Authorization") ?? "")?.[1];
  const credential = bearer ?? url.searchParams.get("auth") ?? url.searchParams.get("access_token");
  return credential ? identify(credential) : ANONYMOUS;
}

function readData(url: URL, context: RestContext, identity: Identity, pathText: string): unknown {
  const { database, now } = context;
  const refused = QUERY_PARAMETERS.find((parameter) => url.searchParams.has(parameter));
  if (refused) throw invalidRequest(`${refused} is not supported here: query over the socket.`);

  const path = parsePath(pathText);
  if (!mayRead(database, identity, path, {}, now)) throw permissionDenied();
  const node = getAt(database.root, path);
  return url.searchParams.get("shallow") === "true" ? toShallowForm(node) : present(url, node);
}

function presentChanges(
  url: URL,
  { database }: RestContext,
  pathText: string,
  changes: readonly Change[],
): unknown {
  const depth = parsePath(pathText).length;
  return Object.fromEntries(
    changes.map(({ path }) => [
      formatPath(path.slice(depth)),
      present(url, getAt(database.root, path)),
    ]),
  );
}

function present(url: URL, node: DataNode | null): unknown {
  return url.searchParams.get("format") === "export" ? toExportForm(node) : toPlainForm(node);
}

function answer(url: URL, data: unknown): Response {
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
    // Segment by segment, or an encoded slash would make two keys of one.
    return pathname
      .split("/")
      .map((segment) => {
        const key = decodeURIComponent(segment);
        if (key.includes("/")) throw invalidRequest("A key must not contain a slash.");
        return key;
      })
      .join("/");
  } catch (error) {
    if (error instanceof URIError) throw invalidRequest("The path is not properly encoded.");
    throw error;
  }
}

async function readJson(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    throw invalidRequest("Invalid data; couldn't parse JSON object, array, or value.");
  }
}
