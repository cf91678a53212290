import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";

import { getLocalVariables } from "#emulator/local-project.ts";
import { startPages } from "#emulator/pages.ts";
import { findFreePort } from "#emulator/ports.ts";
import { startFaultProxy, type Fault, type FaultRequest } from "#tests/support/fault-proxy.ts";
import type { Frame, FrameFault } from "#tests/support/fault-socket.ts";
import { startCachingProxy } from "./caching-proxy.ts";
import { test as base } from "./fixtures.ts";

/** A connection that can fail. */
export interface Hop {
  name: string;
  matches: (request: FaultRequest) => boolean;
  /** What happens to the first requests, in turn. */
  faults: Fault[];
  /** What happens to later requests. @default they pass, so that retries have an end */
  rest?: Fault;
  /** What happens to the first writes on its WebSockets, in turn. */
  frameFaults?: FrameFault[];
}

class Network {
  hop: Hop | null = null;
  /** How the service worker's script differs from the build's: by an additional line, or it is gone. */
  workerScript: "built" | "changed" | "gone" = "built";
  cutAll = () => {};
  #count = 0;
  #writes = 0;

  choose = (request: FaultRequest): Fault => {
    if (!this.hop?.matches(request)) return "none";
    this.#count += 1;
    return this.hop.faults[this.#count - 1] ?? this.hop.rest ?? "none";
  };

  chooseFrame = ({ from, text }: Frame): FrameFault => {
    if (!this.hop?.frameFaults || from === "server" || !/"a":"[pmo]"/.test(text)) return "none";
    this.#writes += 1;
    return this.hop.frameFaults[this.#writes - 1] ?? "none";
  };

  /** Lets one hop fail, and ends the connections that are open. */
  break(hop: Hop): void {
    this.hop = hop;
    this.#count = 0;
    this.#writes = 0;
    this.cutAll();
  }

  /** Responds to a request for the service worker's script, unless it is the build's. */
  intercept = ({ url }: IncomingMessage, outgoing: ServerResponse): boolean => {
    if (url !== "/service-worker.js" || this.workerScript === "built") return false;
    if (this.workerScript === "gone") outgoing.writeHead(404).end();
    else {
      const script = readFileSync("build/client/service-worker.js", "utf8");
      outgoing.writeHead(200, { "Content-Type": "text/javascript" });
      outgoing.end(`${script}\n// The next build`);
    }
    return true;
  };

  /** Lets all connections work again, and serves the build's service worker. */
  repair(): void {
    this.hop = null;
    this.workerScript = "built";
  }
}

export const network = new Network();

/** Runs the app with its page cache, between proxies that can make each of its connections fail. */
export const test = base.extend({
  app: [
    async ({ errorLog, firebase }, use) => {
      const { FIRESTORE_EMULATOR_HOST, FIREBASE_DATABASE_EMULATOR_HOST } = firebase.hosts;
      await using firestore = await startFaultProxy(FIRESTORE_EMULATOR_HOST, network.choose);
      await using database = await startFaultProxy(
        FIREBASE_DATABASE_EMULATOR_HOST,
        network.choose,
        network.chooseFrame,
      );
      await using pages = await startPages({
        port: await findFreePort(),
        variables: {
          SESSION_SECRET: "a secret that is at least 32 characters",
          ...getLocalVariables({
            ...firebase.hosts,
            FIRESTORE_EMULATOR_HOST: firestore.host,
            FIREBASE_DATABASE_EMULATOR_HOST: database.host,
          }),
        },
        onError: (line) => errorLog.lines.push(`server: ${line}`),
      });
      await using cache = await startCachingProxy(pages.url, network);
      await using edge = await startFaultProxy(new URL(cache.url).host, network.choose);
      network.cutAll = () => {
        for (const proxy of [firestore, database, edge]) proxy.cutAll();
      };
      await use({ url: `http://${edge.host}`, firebase, settled: () => cache.settled() });
    },
    { scope: "worker", timeout: 90_000 },
  ],
});
