import { endSession } from "./connection.ts";
import { HEARTBEAT_INTERVAL_MS, MAX_WAITING_BYTES, SESSION_ID_BYTES } from "./constants.ts";
import type { Database } from "./database.ts";
import type { Identity } from "./identity.ts";
import { listen } from "./listen.ts";
import { parsePut } from "./parse-data.ts";
import { formatPath, parsePath } from "./path.ts";
import { isFiltering, type Query } from "./query.ts";
import { resolveServerValues } from "./server-values.ts";
import { createSession, type Session } from "./session.ts";
import { toJson } from "./to-json.ts";

export interface StreamContext {
  readonly database: Database;
  /** Returns milliseconds since the Unix epoch. */
  readonly now: () => number;
  readonly random: (bytes: number) => Uint8Array;
  /** Functions that end the streams. */
  readonly openStreams: Set<() => void>;
}

/**
 * Responds with an event stream: `put` with all data, then `put` and `patch` with each change, `keep-alive`, and at its
 * end `cancel` or `auth_revoked`.
 *
 * What happens while the client does not read is not kept. The client receives all data again when it reads on.
 *
 * @see https://firebase.google.com/docs/reference/rest/database#section-streaming
 * @throws DatabaseError `permission_denied`
 */
export function openEventStream(
  context: StreamContext,
  identity: Identity,
  pathText: string,
  query: Query,
  isExport: boolean,
): Response {
  const { database, now, random, openStreams } = context;
  const id = Buffer.from(random(SESSION_ID_BYTES)).toString("base64url");
  const session = createSession(id, push, close);
  session.identity = identity;
  const base = formatPath(parsePath(pathText));
  const expiresAt = getExpiry(identity, now());
  const toData = isExport ? (data: unknown) => data : toDefaultFormat;
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array>;
  let isBehind = false;

  const body = new ReadableStream<Uint8Array>(
    {
      start(started) {
        controller = started;
        pushAll();
      },
      pull() {
        if (!isBehind) return;
        isBehind = false;
        try {
          pushAll();
        } catch {
          end("cancel", null); // The rules no longer allow the read.
        }
      },
      cancel: release,
    },
    { highWaterMark: MAX_WAITING_BYTES, size: ({ byteLength }) => byteLength },
  );
  database.sessions.set(id, session);
  openStreams.add(close);
  const timer = setInterval(() => send("keep-alive", null), HEARTBEAT_INTERVAL_MS);
  timer.unref();
  // Unlike other connections, this one cannot be used again.
  const headers = { "Content-Type": "text/event-stream; charset=utf-8", Connection: "close" };
  return new Response(body, { headers });

  function pushAll(): void {
    const t = isFiltering(query) ? 1 : undefined;
    listen({ database, session, now: now() }, { p: pathText, q: query, t });
  }

  function push(message: Parameters<Session["send"]>[0]): void {
    if (message.t !== "d" || !("a" in message.d)) return;
    const { a, b } = message.d;
    if (a === "c") return end("cancel", null);
    const path = `/${b.p.slice(base.length).replace(/^\//, "")}`;
    if (a === "d") send("put", { path, data: toData(b.d) });
    else send("patch", { path, data: mapValues(Object(b.d), toData) });
  }

  function send(event: string, data: unknown): void {
    if (expiresAt <= now()) return end("auth_revoked", "credential is no longer valid");
    if ((controller.desiredSize ?? 0) > 0) enqueue(event, data);
    else isBehind ||= event !== "keep-alive";
  }

  function end(event: string, data: unknown): void {
    enqueue(event, data);
    close();
  }

  function enqueue(event: string, data: unknown): void {
    controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
  }

  function close(): void {
    release();
    controller.close();
  }

  function release(): void {
    clearInterval(timer);
    openStreams.delete(close);
    endSession(database, session, now());
  }
}

/** Returns when the token expires. Never, if it already has: see `parseCredential`. */
function getExpiry({ auth }: Identity, now: number): number {
  const seconds = auth?.token["exp"];
  const expiresAt = typeof seconds === "number" ? seconds * 1000 : Infinity;
  return expiresAt > now ? expiresAt : Infinity;
}

/** Converts the data of a push to REST's default format. */
function toDefaultFormat(data: unknown): unknown {
  return toJson(resolveServerValues(parsePut("/", data).data, null, 0));
}

function mapValues(
  values: Record<string, unknown>,
  map: (value: unknown) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]));
}
