import type { WebSocket } from "ws";

import {
  HEARTBEAT_MILLISECONDS,
  MAX_MESSAGE_BYTES,
  MAX_WRITE_BYTES,
  PROTOCOL_VERSION,
} from "./constants.ts";
import type { Database } from "./database.ts";
import { dispatch } from "./dispatch.ts";
import { FrameError, FrameReader, type Received } from "./frames.ts";
import { runOnDisconnect } from "./on-disconnect.ts";
import { createSession, type Session } from "./session.ts";
import { isLongerThan } from "./text.ts";

export interface ConnectionOptions {
  readonly database: Database;
  /** A new id for this connection. */
  readonly sessionId: string;
  /** The id of the connection that this one follows, if the client had one. */
  readonly lastSessionId: string | null;
  /** The host and port that the client used. */
  readonly host: string;
  readonly now: () => number;
  readonly onError: (error: unknown) => void;
}

/** Speaks the protocol on a socket that has just been opened. */
export function connect(socket: WebSocket, options: ConnectionOptions): void {
  const { database, sessionId, lastSessionId, host, now, onError } = options;
  const session = createSession(
    sessionId,
    (message) => socket.send(JSON.stringify(message)),
    () => socket.terminate(),
  );
  const frames = new FrameReader(MAX_MESSAGE_BYTES);

  const predecessor = lastSessionId === null ? undefined : database.sessions.get(lastSessionId);
  if (predecessor) {
    // A half-open socket may be noticed late; its "offline" must not come after the new "online".
    endSession(database, predecessor, now());
    predecessor.drop();
  }

  database.sessions.set(session.id, session);
  session.send({
    t: "c",
    d: { t: "h", d: { ts: now(), v: PROTOCOL_VERSION, h: host, s: session.id } },
  });

  const stopHeartbeat = startHeartbeat(socket);
  socket.on("message", (data, isBinary) => {
    try {
      // With ws's default binary type a text frame is always one buffer.
      if (isBinary || !Buffer.isBuffer(data)) throw new FrameError(1002, "Frames must be text");
      const received = frames.read(data.toString());
      // A session that has been ended, by its successor or the end of the server, has no say any more.
      if (received && database.sessions.get(session.id) === session) answer(received);
    } catch (error) {
      if (!(error instanceof FrameError)) onError(error);
      const code = error instanceof FrameError ? error.closeCode : 1011;
      socket.close(code, error instanceof FrameError ? error.message : "Internal error");
    }
  });
  // ws reports broken frames here and then closes; there is nothing to add.
  socket.on("error", () => undefined);
  socket.on("close", () => {
    stopHeartbeat();
    try {
      endSession(database, session, now());
    } catch (error) {
      onError(error);
    }
  });

  function answer({ message, text }: Received): void {
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

/** Takes the session out of the database and does what it left for this moment. */
export function endSession(
  database: Database,
  session: Session,
  now: number /* ms since epoch */,
): void {
  database.sessions.delete(session.id);
  session.listens.clear();
  runOnDisconnect(database, session, now);
}

function startHeartbeat(socket: WebSocket): () => void {
  let isAlive = true;
  const timer = setInterval(() => {
    if (!isAlive) {
      socket.terminate();
      return;
    }
    isAlive = false;
    socket.ping();
  }, HEARTBEAT_MILLISECONDS);
  timer.unref();
  for (const sign of ["pong", "message"]) socket.on(sign, () => (isAlive = true));
  return () => clearInterval(timer);
}
