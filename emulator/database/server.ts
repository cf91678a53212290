import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { Duplex } from "node:stream";

import { WebSocketServer } from "ws";

import { connect, endSession } from "./connection.ts";
import { CLOSE_GRACE_MS, MAX_MESSAGE_BYTES, SESSION_ID_BYTES } from "./constants.ts";
import { Databases } from "./databases.ts";
import { handleNodeRequest, isAllowedClient } from "./http.ts";
import { Journal } from "./journal.ts";
import { lockFile, type Lock } from "./lock.ts";
import { getNamespace } from "./namespace.ts";

export interface DatabaseServerOptions {
  /** A loopback address, because every client can act as an administrator. @default "127.0.0.1" */
  host?: string;
  /** 0 picks a free one. @default 0 */
  port?: number;
  /** The text of a `database.rules.json`. */
  rules: string;
  /**
   * The file that keeps the data. Changes are acknowledged when they are in it.
   *
   * @default none: the data ends with the server
   */
  file?: string;
  /** The lock of the file, if the caller holds it. */
  lock?: Lock;
  /** Called with a sentence when the file cannot be written, or did not end with a whole change. @default console.warn */
  onWarning?: (message: string) => void;
  /** Milliseconds since the Unix epoch. @default Date.now */
  now?: () => number;
  /** @default node:crypto's randomBytes */
  random?: (bytes: number) => Uint8Array;
  /** Called with unexpected errors. The server keeps running. @default console.error */
  onError?: (error: unknown) => void;
}

/** A running server. Each namespace is a separate database, created on first use. */
export interface DatabaseServer extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  /** Increases with every change to any data. */
  readonly revision: number;
  /** Returns the data by namespace, with priorities. Also works after `close`. */
  export(): Record<string, unknown>;
  /**
   * Replaces the named databases and notifies their listeners. Other databases are unchanged.
   *
   * @throws TypeError for an invalid namespace, DatabaseError for invalid data; nothing is changed then.
   */
  import(data: Readonly<Record<string, unknown>>): void;
  /**
   * Replaces the rules of all databases and ends the listens that they do not allow.
   *
   * @throws RulesError with line and column; the rules are unchanged then.
   */
  setRules(rules: string): void;
  /** Runs the onDisconnect operations of every session, so that a later `export` contains them, and closes the sockets. */
  close(): Promise<void>;
}

/**
 * Starts a local Realtime Database for the unmodified Firebase SDK.
 *
 * @throws TypeError when the host is not a loopback address
 * @throws RulesError for invalid rules
 * @throws JournalError when the file has been damaged
 * @throws Error with code `EADDRINUSE` when the port is in use, or with a sentence when another process uses the file
 */
export async function startDatabase(options: DatabaseServerOptions): Promise<DatabaseServer> {
  const { file } = options;
  if (file === undefined || options.lock !== undefined) return await start(options);
  const lock = await lockFile(file);
  if (lock === undefined) throw new Error(`Another process uses ${file}.`);
  try {
    return await start({ ...options, lock }, () => lock.release());
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function start(
  options: DatabaseServerOptions,
  onClosed?: () => void,
): Promise<DatabaseServer> {
  const {
    host = "127.0.0.1",
    port = 0,
    now = Date.now,
    random = randomBytes,
    onError = console.error,
    onWarning = console.warn,
    file,
    lock,
  } = options;
  if (!/^(127(\.\d{1,3}){3}|::1|localhost)$/.test(host)) {
    throw new TypeError(`"${host}" is not a loopback address.`);
  }

  const databases = new Databases(options.rules, now);
  const openStreams = new Set<() => void>();
  const context = { databases, now, random, openStreams, onError };
  const http = createServer((incoming, outgoing) => {
    handleNodeRequest(incoming, outgoing, context).catch((error: unknown) => {
      onError(error);
      outgoing.destroy();
    });
  });
  // No timeout: it could close an idle connection that a client is about to use again.
  http.keepAliveTimeout = 0;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });

  http.on("upgrade", (request, socket, head) => {
    socket.on("error", () => socket.destroy());
    if (!isAllowedClient(request.headers)) return rejectUpgrade(socket, "403 Forbidden");
    const address = request.url ?? "/";
    const base = "http://localhost";
    const url = URL.canParse(address, base) ? new URL(address, base) : null;
    const namespace = url && getNamespace(url);
    if (url?.pathname !== "/.ws" || !namespace) {
      return rejectUpgrade(socket, url?.pathname === "/.ws" ? "400 Bad Request" : "404 Not Found");
    }
    sockets.handleUpgrade(request, socket, head, (webSocket) => {
      connect(webSocket, {
        database: databases.get(namespace),
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

  const exportData = () => databases.export();
  let journal: Journal | undefined;
  try {
    if (file !== undefined && lock !== undefined) {
      journal = new Journal({ path: file, lock, exportData, onWarning });
      // Nobody is connected yet.
      databases.restore(journal);
    }
  } catch (error) {
    journal?.close();
    const closed = once(http, "close");
    http.close();
    await closed;
    throw error;
  }

  async function stop(): Promise<void> {
    const closed = once(http, "close");
    http.close();
    for (const database of databases.list()) {
      for (const session of database.sessions.values()) endSession(database, session, now());
    }
    // Not the protocol's shutdown message, after which the SDK does not reconnect.
    for (const socket of sockets.clients) socket.close(1001);
    for (const closeStream of openStreams) closeStream();
    const grace = setTimeout(() => {
      for (const socket of sockets.clients) socket.terminate();
      http.closeAllConnections();
    }, CLOSE_GRACE_MS);
    await closed;
    clearTimeout(grace);
    journal?.close();
    onClosed?.();
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

function rejectUpgrade(socket: Duplex, reason: string): void {
  const response = `HTTP/1.1 ${reason}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`;
  // The server could not close while the client keeps its half of the connection.
  socket.end(response, () => socket.destroy());
}
