import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";

import { startCountedProduction } from "./counted-production.ts";
import { loadReportSchema, type LoadOptions } from "./load-users.ts";
import { percentile } from "./percentile.ts";
import { publishStories } from "./publish-stories.ts";

// Serves 500 readers and 50 writers for a minute, with the local Firebase on the same machine, first with a small
// library and room and then with a large one. Prints errors, latencies, memory and what Firestore would bill. Exits
// with 1 when a request fails, when reads are slow, or when they are slower with the large library. Like Firestore over
// a network, the local one takes at least a fixed time for each request. Otherwise the benchmark would compare its
// queries, which look at every document, because it has no indexes.
// `npm run bench:load -- small 20` measures only the small library, for 20 seconds.

const READERS = 500;
const WRITERS = 50;
const SCALES = {
  small: { stories: 100, messages: 50 },
  large: { stories: 10_000, messages: 20_000 },
};

/** More than most queries take that look at 20,000 messages. */
const FIRESTORE_MS = 80;

const MAX_P95_MS = 500;
const MAX_RATIO = 1.2;

const chosen = process.argv.slice(2).find((argument) => argument in SCALES);
const seconds = Number(process.argv.slice(2).find((argument) => /^\d+$/.test(argument)) ?? 60);
const p95: number[] = [];
for (const [name, scale] of Object.entries(SCALES)) {
  if (chosen === undefined || chosen === name) p95.push(await measure(scale));
}
const [small = 0, large = 0] = p95;
if (p95.length === 2) {
  console.log(`\np95 of reads, large to small: ${describeLimit(large / small, MAX_RATIO, 2)}`);
}

/** Returns the 95th percentile of reads. */
async function measure({ stories, messages }: (typeof SCALES)["small"]): Promise<number> {
  let logged = 0;
  await using app = await startCountedProduction({
    messages,
    firestoreMs: FIRESTORE_MS,
    onError: (line) => {
      // Each failed call logs a line that begins like this.
      if (/^\[.+\] \w+ could not /.test(line)) logged += 1;
    },
  });
  const { counter } = app;
  await publishStories(app.hosts, 0, stories);
  const writers: string[] = [];
  for (let count = 0; count < WRITERS; count += 1) writers.push(await app.signInNewUser());
  counter.collect();
  counter.collectTimes();

  const users = fork(new URL("load-users.ts", import.meta.url), [], {
    execArgv: ["--import", "tsx"],
  });
  const options: LoadOptions = { url: app.url, readers: READERS, writers, seconds };
  users.send(options);
  const before = process.cpuUsage();
  users.once("exit", (code) => code && process.exit(code));
  const [message]: unknown[] = await once(users, "message");
  const { user, system } = process.cpuUsage(before);
  const memory = listMemory();
  users.disconnect();
  const { reads, writes, errors, cpuTime, memory: ofUsers } = loadReportSchema.parse(message);
  const { documents, empty, written } = counter.collect();
  const firestore = counter.collectTimes();

  const failed = Object.values(errors).reduce((sum, count) => sum + count, 0);
  const inMinute = (count: number) => Math.round((count * 60) / seconds).toLocaleString("en");
  const share = (ms: number) => `${Math.round(ms / (seconds * 10))}% of a processor`;
  console.log(`\n${READERS} readers and ${WRITERS} writers for ${seconds} s,`);
  console.log(`${stories.toLocaleString("en")} stories, ${messages.toLocaleString("en")} messages`);
  print("errors", describeLimit(failed, 0));
  for (const [what, count] of Object.entries(errors)) print(`  ${what}`, String(count));
  print("calls of pages that timed out or failed", describeLimit(logged, 0));
  print("reads", `${reads.length}, ${describe(reads)}`);
  print("  p95 in ms", describeLimit(percentile(reads, 0.95), MAX_P95_MS));
  print("writes", `${writes.length}, ${describe(writes)}`);
  print("requests to Firestore", `${firestore.length}, ${describe(firestore)}`);
  print("documents read in a minute", inMinute(documents + empty));
  print("documents written in a minute", inMinute(written));
  for (const [what, mb] of memory) print(`memory of ${what}`, `${mb} MB`);
  print("memory of the users", `${Math.round(ofUsers / 1024 / 1024)} MB`);
  print("the users themselves took", share(cpuTime));
  print("the counter and the local database took", share((user + system) / 1000));
  return percentile(reads, 0.95);
}

function print(what: string, value: string): void {
  console.log(`${what.padEnd(44)} ${value}`);
}

function describe(times: readonly number[]): string {
  const show = (part: number) => percentile(times, part).toFixed(0);
  return `p50 ${show(0.5)}, p95 ${show(0.95)}, p99 ${show(0.99)} ms`;
}

function describeLimit(measured: number, limit: number, digits = 0): string {
  const isOver = !(measured <= limit);
  if (isOver) process.exitCode = 1;
  return `${measured.toFixed(digits)} of ${limit} ${isOver ? "OVER" : "ok"}`;
}

/** Returns the resident memory of the processes that belong to this one, in MB. */
function listMemory(): [what: string, mb: number][] {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,rss=,args="], { encoding: "utf8" });
  const processes = lines
    .trim()
    .split("\n")
    .map((line) => {
      const [pid, parent, rss, ...args] = line.trim().split(/\s+/);
      const command = args.join(" ");
      return { pid: Number(pid), parent: Number(parent), mb: Number(rss) / 1024, command };
    });
  const parents = new Map(processes.map(({ pid, parent }) => [pid, parent]));
  const isOurs = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === process.pid || isOurs(parents.get(pid)));
  return processes.flatMap(({ pid, mb, command }): [string, number][] => {
    const what =
      pid === process.pid
        ? "the counter and the local database"
        : /workerd|fireemu|wrangler\.js/.exec(command)?.[0];
    const isShell = /^sh\b|\/sh\b/.test(command);
    return isOurs(pid) && what !== undefined && !isShell ? [[what, Math.round(mb)]] : [];
  });
}
