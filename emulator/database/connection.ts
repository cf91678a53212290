import type { WebSocket } from "ws";

import {
  HEARTBEAT_INTERVAL_MS,
  MAX_MESSAGE_BYTES,
  MAX_WRITE_BYTES,
  PROTOCOL_VERSION,
} from "./constants.ts";
import type { Database } from "./database.ts";
import { dispatch } from "./dispatch.ts";
import { FrameError, FrameReader, type ReceivedMessage } from "./frames.ts";
import { removeListens } from "./listens.ts";
import { runOnDisconnect } from "./on-disconnect.ts";
import { createSession, type Session } from "./session.ts";
import { isLongerThan } from "./byte-length.ts";

export interface ConnectionOptions {
  readonly database: Database;
  /** The id of this connection. */
  readonly sessionId: string;
  /** The id of the client's previous connection. `null` on the first. */
  readonly lastSessionId: string | null;
  /** The Host header of the client. */
  readonly host: string;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** Serves the protocol on a newly opened socket. */
export function connect(socket: WebSocket, options: ConnectionOptions): void {
  const { database, sessionId, lastSessionId, host, now, onError } = options;
  const session = createSession(
    sessionId,
    (message) => {
      // A client that does not read is disconnected. It receives all data again when it connects.
      if (socket.bufferedAmount > MAX_MESSAGE_BYTES) socket.terminate();
      else socket.send(JSON.stringify(message));
    },
    () => socket.terminate(),
  );
  const frames = new FrameReader(MAX_MESSAGE_BYTES);

  const predecessor = lastSessionId === null ? undefined : database.sessions.get(lastSessionId);
  if (predecessor) {
    // A half-open socket is detected late. Its onDisconnect must not overwrite what the new connection writes.
    endSession(database, predecessor, now());
    predecessor.terminate();
  }

  database.sessions.set(session.id, session);
  session.send({
    t: "c",
    d: { t: "h", d: { ts: now(), v: PROTOCOL_VERSION, h: host, s: session.id } },
  });

  const stopHeartbeat = startHeartbeat(socket, frames);
  socket.on("message", (data, isBinary) => {
    try {
      // With the default binary type of ws, a text frame is always one buffer.
      if (isBinary || !Buffer.isBuffer(data)) throw new FrameError(1002, "Frames must be text");
      const received = frames.read(data.toString());
      // Ignores messages of a session that a new connection or the server's shutdown has ended.
      if (received && database.sessions.get(session.id) === session) handleMessage(received);
    } catch (error) {
      if (!(error instanceof FrameError)) onError(error);
      const code = error instanceof FrameError ? error.closeCode : 1011;
      socket.close(code, error instanceof FrameError ? error.message : "Internal error");
    }
  });
  // ws reports broken frames here and closes the socket itself.
  socket.on("error", () => undefined);
  socket.on("close", () => {
    stopHeartbeat();
    try {
      endSession(database, session, now());
    } catch (error) {
      onError(error);
    }
  });

  function handleMessage({ message, text }: ReceivedMessage): void {
    if (message.t === "c") {
      if (message.d.t === "p") session.send({ t: "c", d: { t: "o", d: null } });
      return;
    }
    const { r, a, b } = message.d;
    const response = isLongerThan(text, MAX_WRITE_BYTES)
      ? { s: "too_big", d: `A request must not be longer than ${MAX_WRITE_BYTES} bytes.` }
      : dispatch({ database, session, now: now() }, a, b, onError);
    session.send({ t: "d", d: { r, b: response } });
  }
}

/** Removes the session from the database and runs its onDisconnect operations. */
export function endSession(
  database: Database,
  session: Session,
  now: number /* milliseconds since the Unix epoch */,
): void {
  database.sessions.delete(session.id);
  removeListens(database, session);
  runOnDisconnect(database, session, now);
}

/** Ends connections that no longer respond, and those that do not complete a message. */
function startHeartbeat(socket: WebSocket, frames: FrameReader): () => void {
  let isAlive = true;
  let hasReceived = true;
  const timer = setInterval(() => {
    if (frames.isIncomplete && !hasReceived) {
      socket.close(1002, "The message is incomplete");
      return;
    }
    if (!isAlive) {
      socket.terminate();
      return;
    }
    isAlive = false;
    hasReceived = false;
    socket.ping();
  }, HEARTBEAT_INTERVAL_MS);
  timer.unref();
  socket.on("pong", () => (isAlive = true));
  socket.on("message", () => (isAlive = hasReceived = true));
  return () => clearInterval(timer);
}
