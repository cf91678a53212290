import { createServer, request, type IncomingMessage } from "node:http";

import { listen, LOOPBACK } from "#emulator/ports.ts";

/** What Firestore has sent. */
export interface Reads {
  /** Documents that were sent, over REST and in the SDK's streams. */
  documents: number;
  /** Queries and streams without a document. Firestore bills one read for each. */
  empty: number;
  /** Requests over REST, and streams. */
  requests: number;
  /** Documents that were written over REST. */
  written: number;
}

interface CountedResponse {
  path: string;
  text: string;
}

/** What each document begins with, over REST and in a stream. Firestore also bills a read for one that is missing. */
const DOCUMENT = /"(?:document|found)":\s*\{|"missing":\s*"/g;

/** The address of a single document. */
const GET = /\/documents\/[^:]+$/;

/** What each result of a write begins with. Only deletions have no update time. */
const WRITTEN = /"updateTime"/g;

const READ = /:(?:runQuery|batchGet)$|\/Listen\/channel\?.*TYPE=xmlhttp/;

/**
 * Starts a proxy in front of the Firestore at `host`, which counts the documents that are read.
 *
 * @param minMs the shortest time that a response takes, for the network between the app and Firestore
 */
export async function startReadCounter(host: string, minMs: number) {
  const { hostname, port } = new URL(`http://${host}`);
  const responses: CountedResponse[] = [];
  let intervals: [start: number, end: number][] = [];
  let collected: Reads = { documents: 0, empty: 0, requests: 0, written: 0 };
  let written = 0;
  const server = createServer((incoming, outgoing) => {
    const { method, url: path = "", headers } = incoming;
    const start = performance.now();
    const options = { hostname, port, method, path, headers, agent: false };
    const passed = request(options, (response) => {
      setTimeout(() => forward(response), start + minMs - performance.now());
    });
    function forward(response: IncomingMessage): void {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      outgoing.flushHeaders();
      const counted = { path, text: "" };
      if (READ.test(path) || GET.test(path)) responses.push(counted);
      response.on("data", (chunk: Buffer) => {
        counted.text += chunk.toString();
      });
      response.on("end", () => {
        intervals.push([start, performance.now()]);
        if (path.endsWith(":commit")) written += counted.text.match(WRITTEN)?.length ?? 0;
      });
      response.pipe(outgoing);
    }
    passed.on("error", () => outgoing.destroy());
    outgoing.on("close", () => passed.destroy());
    incoming.pipe(passed);
  });
  const listening = await listen(server, 0);
  return {
    host: `${LOOPBACK}:${listening.port}`,
    /** Returns what was read since the last call. */
    collect(): Reads {
      const counts = responses.map(({ path, text }) =>
        GET.test(path) ? 1 : (text.match(DOCUMENT)?.length ?? 0),
      );
      const before = collected;
      collected = {
        documents: counts.reduce((sum, count) => sum + count, 0),
        empty: counts.filter((count) => count === 0).length,
        requests: counts.length,
        written,
      };
      return {
        documents: collected.documents - before.documents,
        // A stream that was empty may have documents later.
        empty: Math.max(0, collected.empty - before.empty),
        requests: collected.requests - before.requests,
        written: collected.written - before.written,
      };
    },
    /** Returns how many milliseconds Firestore has worked on requests since the last call. */
    collectTime(): number {
      let time = 0;
      let last = 0;
      for (const [start, end] of intervals.toSorted(([a], [b]) => a - b)) {
        time += Math.max(0, end - Math.max(start, last));
        last = Math.max(last, end);
      }
      intervals = [];
      return time;
    },
    /** Returns how long Firestore took for each request since the last call, in milliseconds. */
    collectTimes(): number[] {
      const times = intervals.map(([start, end]) => end - start);
      intervals = [];
      return times;
    },
    [Symbol.dispose]: () => void listening.close(),
  };
}
