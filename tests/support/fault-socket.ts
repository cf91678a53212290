import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import { WebSocket, WebSocketServer } from "ws";

/**
 * What happens to one message of a WebSocket. A connection cannot lose a message and continue, so each fault ends it:
 *
 * - `cut`: the other side does not get the message. A message of the server can only fail this way;
 * - `unanswered`: the server gets the message, and the connection ends before the response. A client that repeats the
 *   message makes it arrive twice;
 * - `late`: the client's connection ends at once. The server gets the message, and then the end of the connection, only
 *   after it has responded to the next connection.
 */
export type FrameFault = "none" | "cut" | "unanswered" | "late";

export interface Frame {
  from: "client" | "server";
  text: string;
}

export type ChooseFrameFault = (frame: Frame) => FrameFault;

/** Connects WebSockets of one client to the server at `host`. */
export function createSocketProxy(host: string, choose: ChooseFrameFault = () => "none") {
  const sockets = new WebSocketServer({ noServer: true });
  /** Delivers the late messages. */
  const late: (() => void)[] = [];

  function connect(client: WebSocket, url: string): void {
    const server = new WebSocket(`ws://${host}${url}`);
    const waiting: string[] = [];
    let responses = 0;
    let hasEnded = false;

    /** Ends both sides at once, without a closing handshake. */
    function end() {
      hasEnded = true;
      client.terminate();
      server.terminate();
    }

    function send(text: string) {
      if (server.readyState === WebSocket.OPEN) server.send(text);
      else waiting.push(text);
    }

    function receive({ from, text }: Frame): void {
      if (hasEnded) return;
      const fault = choose({ from, text });
      if (fault === "none") {
        if (from === "client") send(text);
        else client.send(text);
      } else if (fault === "cut" || from === "server") {
        end();
      } else if (fault === "unanswered") {
        hasEnded = true;
        // The server's next message is its response, or follows it.
        server.once("message", end);
        send(text);
      } else {
        hasEnded = true;
        client.terminate();
        late.push(() => {
          send(text);
          server.close();
        });
      }
    }

    client.on("message", (data: Buffer) => receive({ from: "client", text: data.toString() }));
    server.on("message", (data: Buffer) => {
      receive({ from: "server", text: data.toString() });
      if (hasEnded) return;
      responses += 1;
      // The first message of the server is a greeting.
      if (responses === 2) for (const deliver of late.splice(0)) deliver();
    });
    server.on("open", () => waiting.splice(0).forEach((text) => server.send(text)));
    for (const socket of [client, server]) {
      socket.on("error", end);
      socket.on("close", () => {
        if (!hasEnded) end();
      });
    }
  }

  return {
    upgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer): void {
      sockets.handleUpgrade(incoming, socket, head, (client) => {
        connect(client, incoming.url ?? "/");
      });
    },
    /** Returns how many late messages the server has not got yet. */
    countLate: () => late.length,
  };
}
