import { findFreePort } from "#emulator/ports.ts";
import { send } from "./client.ts";
import { median } from "./percentile.ts";
import { startProduction } from "./production.ts";
import { connectProfiler } from "./profile.ts";

// Compares how many pages a second the production build serves with a Worker that only says hello, and with React alone,
// all in one isolate and in turn. Also prints the JavaScript time of one page. Exits with 1 when a ratio is too small.
// The pages' requests to the local Firebase, which shares the processor, are included. From the second page on, the HTML of
// the messages and of the list of stories is found in the memory of the isolate, as for most users (decision 19).

const ROUNDS = 7;
const ROUND_MS = 1000;
const CONCURRENCY = 8;
const PROFILED_PAGES = 100;
const PROFILES = 5;

const MIN_OF_REACT = 0.8;
const MIN_OF_HELLO = 0.5;
const MAX_SCRIPT_MS = 6;

const inspectorPort = await findFreePort();
await using app = await startProduction({
  workerScript: "tests/bench/ssr-worker.ts",
  inspectorPort,
});

const hello = { what: "hello", path: "/bench/hello", cookie: "" };
const reactSignedIn = { what: "React alone, signed in", path: "/bench/react", cookie: app.cookie };
const reactSignedOut = { what: "React alone, signed out", path: "/bench/react", cookie: "" };
// No page with an unknown parameter is cached.
const visitor = { what: "/home, signed out, not cached", path: "/home?not-cached", cookie: "" };
const user = { what: "/home, signed in", path: "/home", cookie: app.cookie };
const cached = { what: "/home, signed out, cached", path: "/home", cookie: "" };
type Row = typeof hello;

const isCached = await findInCache(cached);
const rows = [hello, reactSignedOut, reactSignedIn, visitor, user, ...(isCached ? [cached] : [])];
const rates = await measureRates();
for (const row of rows) {
  const { what } = row;
  console.log(`${what.padEnd(40)} ${getRate(row).toFixed(0).padStart(6)} requests/s`);
}
if (!isCached) {
  console.log("/home, signed out                        is not cached");
  process.exitCode = 1;
}
const ratios = [
  { what: "signed out, of React alone", row: visitor, base: reactSignedOut, min: MIN_OF_REACT },
  { what: "signed in, of React alone", row: user, base: reactSignedIn, min: MIN_OF_REACT },
  ...(isCached ? [{ what: "cached, of hello", row: cached, base: hello, min: MIN_OF_HELLO }] : []),
];
for (const { what, row, base, min } of ratios) {
  const ratio = getRate(row) / getRate(base);
  if (ratio < min) process.exitCode = 1;
  const verdict = ratio < min ? "UNDER" : "ok";
  console.log(`${what.padEnd(40)} ${ratio.toFixed(2).padStart(6)} of ${min} ${verdict}`);
}
using profiler = await connectProfiler(inspectorPort);
for (const row of [visitor, user]) {
  const ms = await measurePage(row);
  const verdict = ms > MAX_SCRIPT_MS ? "OVER" : "ok";
  const limit = `of ${MAX_SCRIPT_MS} ${verdict}, not judged: it depends on the machine`;
  console.log(`JavaScript of ${row.what.padEnd(26)} ${ms.toFixed(1).padStart(6)} ms ${limit}`);
}

async function findInCache(row: Row): Promise<boolean> {
  await open(row);
  const { headers } = await open(row);
  return /\bcache\b/.test(String(headers["server-timing"] ?? ""));
}

async function measureRates(): Promise<Map<Row, number>> {
  const measured = new Map<Row, number[]>(rows.map((row) => [row, []]));
  // The first round compiles code and fills caches.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const row of rows) {
      const rate = await measureRate(row);
      if (round > 0) measured.get(row)?.push(rate);
    }
  }
  return new Map([...measured].map(([row, found]) => [row, median(found)]));
}

async function measureRate(row: Row): Promise<number> {
  const startedAt = performance.now();
  let count = 0;
  async function repeat(): Promise<void> {
    while (performance.now() - startedAt < ROUND_MS) {
      await open(row);
      count += 1;
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, repeat));
  return (count * 1000) / (performance.now() - startedAt);
}

function getRate(row: Row): number {
  return rates.get(row) ?? 0;
}

async function measurePage(row: Row): Promise<number> {
  const times: number[] = [];
  for (let profile = 0; profile < PROFILES; profile += 1) {
    const ms = await profiler.measure(async () => {
      for (let page = 0; page < PROFILED_PAGES; page += 1) await open(row);
    });
    times.push(ms / PROFILED_PAGES);
  }
  return Math.min(...times);
}

async function open({ path, cookie }: Row) {
  const response = await send(app.url + path, cookie);
  if (response.status !== 200) throw new Error(`${path} responded with ${response.status}`);
  return response;
}
