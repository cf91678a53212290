import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";

import { WebSocketServer } from "ws";

import { connect, endSession } from "./connection.ts";
import { CLOSE_GRACE_MILLISECONDS, MAX_MESSAGE_BYTES, SESSION_ID_BYTES } from "./constants.ts";
import { Databases } from "./databases.ts";
import { serveNode } from "./http.ts";
import { getNamespace } from "./namespace.ts";

export interface DatabaseServerOptions {
  /** A loopback address: anyone who can reach the server is an administrator. @default "127.0.0.1" */
  host?: string;
  /** 0 picks a free one. @default 0 */
  port?: number;
  /** The text of a `database.rules.json`. */
  rules: string;
  /** Ms since epoch. @default Date.now */
  now?: () => number;
  /** @default node:crypto's randomBytes */
  random?: (bytes: number) => Uint8Array;
  /** Is told what should never happen; the server goes on. @default console.error */
  onError?: (error: unknown) => void;
}

/** A running server. Each namespace is a database of its own, made when first spoken of. */
export interface DatabaseServer extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  /** Grows with every change to any data: the same number means there is nothing new to save. */
  readonly revision: number;
  /** Returns the data by namespace, with priorities. Also works after `close`. */
  export(): Record<string, unknown>;
  /**
   * Replaces the databases named; the others stay. Whoever listens is told.
   *
   * @throws DatabaseError, TypeError for data that could not have been exported; nothing has changed then.
   */
  import(data: Readonly<Record<string, unknown>>): void;
  /**
   * Replaces the rules of all databases and ends the listens they do not allow.
   *
   * @throws RulesError with line and column; the rules stay as they were then.
   */
  setRules(rules: string): void;
  /** Does everything left for disconnects, so that `export` afterwards says "offline", and closes the sockets. */
  close(): Promise<void>;
}

/**
 * Starts a Realtime Database for local use, for the unmodified Firebase SDK.
 *
 * @throws RulesError for bad rules
 * @throws Error with code `EADDRINUSE` when the port is taken
 */
export async function startDatabase(options: DatabaseServerOptions): Promise<DatabaseServer> {
  const {
    host = "127.0.0.1",
    port = 0,
    now = Date.now,
    random = randomBytes,
    onError = console.error,
  } = options;
  if (!/^(127(\.\d{1,3}){3}|::1|localhost)$/.test(host)) {
    throw new TypeError(`"${host}" is not a loopback address.`);
  }

  const databases = new Databases(options.rules, now);
  const http = createServer((incoming, outgoing) => {
    serveNode(incoming, outgoing, { databases, now, random, onError }).catch((error: unknown) => {
      onError(error);
      outgoing.destroy();
    });
  });
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });

  http.on("upgrade", (request, socket, head) => {
    socket.on("error", () => socket.destroy());
    const address = request.url ?? "/";
    const base = "http://localhost";
    const url = URL.canParse(address, base) ? new URL(address, base) : null;
    const namespace = url && getNamespace(url);
    if (url?.pathname !== "/.ws" || !namespace) {
      const reason = url?.pathname === "/.ws" ? "400 Bad Request" : "404 Not Found";
      socket.end(`HTTP/1.1 ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      return;
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      connect(webSocket, {
        database: databases.open(namespace),
        sessionId: Buffer.from(random(SESSION_ID_BYTES)).toString("base64url"),
        lastSessionId: url.searchParams.get("ls"),
        host: request.headers.host ?? "",
        now,
        onError,
      });
    });
  });

  http.listen(port, host);
  await once(http, "listening");
  const address = http.address();
  if (address === null || typeof address === "string") throw new Error("Expected a TCP address");

  async function stop(): Promise<void> {
    const closed = once(http, "close");
    http.close();
    for (const database of databases.list()) {
      for (const session of database.sessions.values()) endSession(database, session, now());
    }
    // Never the protocol's own shutdown message: after it the SDK would not come back.
    for (const socket of sockets.clients) socket.close(1001);
    const grace = setTimeout(() => {
      for (const socket of sockets.clients) socket.terminate();
      http.closeAllConnections();
    }, CLOSE_GRACE_MILLISECONDS);
    await closed;
    clearTimeout(grace);
  }

  let stopped: Promise<void> | undefined;
  function close(): Promise<void> {
    stopped ??= stop();
    return stopped;
  }

  return {
    host,
    port: address.port,
    get revision() {
      return databases.revision;
    },
    export: () => databases.export(),
    import: (data) => databases.import(data),
    setRules: (rules) => databases.setRules(rules),
    close,
    [Symbol.asyncDispose]: close,
  };
}
