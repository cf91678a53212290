import { execFileSync } from "node:child_process";
import { access } from "node:fs/promises";

import { deleteApp, initializeApp } from "firebase/app";
import {
  connectFirestoreEmulator,
  doc,
  getFirestore,
  onSnapshot,
  setLogLevel,
} from "firebase/firestore";
import { WebSocket } from "ws";

import { startChild, type Child } from "#emulator/child.ts";
import { readFirebaseJson } from "#emulator/firebase-json.ts";
import { startFirebase } from "#emulator/firebase.ts";
import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import { findFreePort } from "#emulator/ports.ts";
import { listDescendants } from "#tests/support/processes.ts";
import { median, percentile } from "./percentile.ts";

// Measures the local Firebase: how soon it is ready, its memory, and how long a write takes to a listener; and Firestore
// beside Google's emulator, of Debian's google-cloud-cli-firestore-emulator or at the path in GOOGLE_FIRESTORE. Then measures
// the Realtime Database with many siblings and listeners. The numbers depend on the machine, so none is judged.

const GOOGLE_FIRESTORE =
  process.env.GOOGLE_FIRESTORE ??
  "/usr/lib/google-cloud-sdk/platform/cloud-firestore-emulator/cloud_firestore_emulator";

const STARTS = 5;
const WRITES = 100;
const SOCKETS = 200;

interface Measured {
  readyMs: number;
  memoryMb: number;
  writeMs: number;
  slowWriteMs: number;
}

setLogLevel("silent");
console.log("Every server");
await measureStarts([process.execPath, "--import", "tsx", "emulator/emulators.ts", "--memory"], {
  isReady: (line) => line.startsWith("GOOGLE_EMULATOR_HOST="),
});

console.log("\nThe Realtime Database alone");
const database = ["emulator/database/bin.js", "--rules", "database.rules.json", "--port", "0"];
await measureStarts([process.execPath, ...database], {
  isReady: (line) => line.includes("Press Ctrl-C"),
});
await measureCutSockets();

const ours = await measureFireemu();
const google = await measureGoogle();
console.log(`\n${"Firestore".padEnd(46)}    fireemu     Google's   Google's / fireemu`);
compare("ready", "ms", (measured) => measured.readyMs);
compare("memory", "MB", (measured) => measured.memoryMb);
compare("a write to a listener, median", "ms", (measured) => measured.writeMs);
compare("a write to a listener, p95", "ms", (measured) => measured.slowWriteMs);
if (google === undefined) console.log(`Google's emulator is not at ${GOOGLE_FIRESTORE}.`);

console.log("\nThe Realtime Database under load");
await import("./database.ts");

/** Starts a command several times. Prints how soon it is ready, and the memory of all its processes then. */
async function measureStarts(
  [program = "", ...args]: string[],
  { isReady }: { isReady: (line: string) => boolean },
): Promise<void> {
  const times: number[] = [];
  const sizes: number[] = [];
  for (let index = 0; index < STARTS; index += 1) {
    const before = new Set(listDescendants(process.pid).map(([, pid]) => pid));
    const { child, ms } = await start(program, args, isReady);
    times.push(ms);
    sizes.push(readMemory(before));
    await child.stop();
  }
  print(`ready, median of ${STARTS}`, median(times), "ms");
  print("memory", median(sizes), "MB");
}

/** Measures how long the server takes to act on sockets that break: until a listener has every onDisconnect write. */
async function measureCutSockets(): Promise<void> {
  const port = await findFreePort();
  const args = ["emulator/database/bin.js", "--port", String(port), "--rules"];
  const { child } = await start(process.execPath, [...args, "database.rules.json"], (line) =>
    line.includes("Press Ctrl-C"),
  );
  try {
    const left = new Set<string>();
    let markDone = () => {};
    const done = new Promise<void>((resolve) => (markDone = resolve));
    const watcher = await connect(port, (text) => {
      for (const [key] of text.matchAll(/cut\d+/g)) left.add(key);
      if (left.size === SOCKETS) markDone();
    });
    await watcher.request("q", { p: "/bench", h: "" });
    const clients = await Promise.all(Array.from({ length: SOCKETS }, () => connect(port)));
    await Promise.all(
      clients.map((client, index) => client.request("o", { p: `/bench/cut${index}`, d: true })),
    );
    const cutAt = performance.now();
    for (const client of clients) client.terminate();
    await done;
    print(`to notice ${SOCKETS} cut sockets`, performance.now() - cutAt, "ms");
    watcher.terminate();
  } finally {
    await child.stop();
  }
}

/** Connects to the Realtime Database as an administrator. */
async function connect(port: number, onPush: (text: string) => void = () => {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/.ws?v=5&ns=bench`);
  const waiting = new Map<number, () => void>();
  let last = 0;
  socket.on("message", (data: Buffer) => {
    const text = data.toString();
    const [, number] = /"r":(\d+)/.exec(text) ?? [];
    if (number === undefined) return onPush(text);
    if (!text.includes('"s":"ok"')) throw new Error(`The server refuses: ${text}`);
    waiting.get(Number(number))?.();
  });
  await new Promise((resolve) => socket.once("open", resolve));
  function request(action: string, body: object): Promise<void> {
    last += 1;
    const number = last;
    socket.send(JSON.stringify({ t: "d", d: { r: number, a: action, b: body } }));
    return new Promise((resolve) => void waiting.set(number, resolve));
  }
  await request("gauth", { cred: "owner" });
  return { request, terminate: () => socket.terminate() };
}

async function measureFireemu(): Promise<Measured> {
  const before = new Set(listDescendants(process.pid).map(([, pid]) => pid));
  const startedAt = performance.now();
  await using firebase = await startFirebase({
    ...(await readFirebaseJson("firebase.json")),
    ports: { auth: 0, firestore: 0, database: 0 },
    projectId: LOCAL_PROJECT_ID,
    // Starts Firestore only.
    existingHosts: {
      FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1",
      FIREBASE_DATABASE_EMULATOR_HOST: "127.0.0.1:1",
    },
  });
  const readyMs = performance.now() - startedAt;
  const memoryMb = readMemory(before);
  return { readyMs, memoryMb, ...(await measureWrites(firebase.hosts.FIRESTORE_EMULATOR_HOST)) };
}

async function measureGoogle(): Promise<Measured | undefined> {
  const isInstalled = await access(GOOGLE_FIRESTORE).then(
    () => true,
    () => false,
  );
  if (!isInstalled) return undefined;
  const before = new Set(listDescendants(process.pid).map(([, pid]) => pid));
  const port = await findFreePort();
  const args = ["start", "--host=127.0.0.1", `--port=${port}`, "--rules=firestore.rules"];
  const { child, ms } = await start(GOOGLE_FIRESTORE, args, (line) =>
    line.includes("is now running"),
  );
  try {
    const memoryMb = readMemory(before);
    return { readyMs: ms, memoryMb, ...(await measureWrites(`127.0.0.1:${port}`)) };
  } finally {
    await child.stop();
  }
}

/** Measures the time from a write by REST until the SDK's listener has it. */
async function measureWrites(host: string): Promise<Pick<Measured, "writeMs" | "slowWriteMs">> {
  const { hostname, port } = new URL(`http://${host}`);
  const app = initializeApp({ projectId: LOCAL_PROJECT_ID }, host);
  const firestore = getFirestore(app);
  connectFirestoreEmulator(firestore, hostname, Number(port), { mockUserToken: "owner" });
  let expected = "";
  let markArrived = () => {};
  let unsubscribe = () => {};
  // A write while the listener starts can be missing from Google's emulator's snapshots.
  await new Promise<void>((resolve) => {
    unsubscribe = onSnapshot(doc(firestore, "bench/one"), (snapshot) => {
      resolve();
      if (snapshot.get("text") === expected) markArrived();
    });
  });
  const url = `http://${host}/v1/projects/${LOCAL_PROJECT_ID}/databases/(default)/documents/bench/one`;
  const times: number[] = [];
  // The first writes include connecting.
  for (let index = -10; index < WRITES; index += 1) {
    expected = `text ${index}`;
    const arrived = new Promise<void>((resolve) => (markArrived = resolve));
    const startedAt = performance.now();
    const response = await fetch(url, {
      method: "PATCH",
      headers: { Authorization: "Bearer owner", "Content-Type": "application/json" },
      body: JSON.stringify({ fields: { text: { stringValue: expected } } }),
    });
    if (!response.ok) throw new Error(await response.text());
    await response.body?.cancel();
    await arrived;
    if (index >= 0) times.push(performance.now() - startedAt);
  }
  unsubscribe();
  await deleteApp(app);
  return { writeMs: median(times), slowWriteMs: percentile(times, 0.95) };
}

/** Starts a command and resolves when it prints the line. */
async function start(
  program: string,
  args: string[],
  isReady: (line: string) => boolean,
): Promise<{ child: Child; ms: number }> {
  const output: string[] = [];
  const startedAt = performance.now();
  let markReady = (_ms: number) => {};
  const ready = new Promise<number>((resolve) => (markReady = resolve));
  const onOutput = (line: string) => {
    output.push(line);
    if (isReady(line)) markReady(performance.now() - startedAt);
  };
  const child = startChild(program, args, { onOutput, onError: onOutput });
  const ended = child.exited.then(() => {
    throw new Error(`${program} ended:\n${output.join("\n")}`);
  });
  return { child, ms: await Promise.race([ready, ended]) };
}

/** Returns the resident memory of all processes that this one has started since, but not of shells, in megabytes. */
function readMemory(before: ReadonlySet<number>): number {
  const pids = listDescendants(process.pid).flatMap(([program, pid]) =>
    before.has(pid) || ["sh", "bash", "ps"].includes(program) ? [] : [pid],
  );
  const text = execFileSync("ps", ["-o", "rss=", "-p", pids.join(",")], { encoding: "utf8" });
  return (
    text
      .trim()
      .split(/\s+/)
      .map(Number)
      .reduce((sum, size) => sum + size, 0) / 1024
  );
}

function compare(what: string, unit: string, read: (measured: Measured) => number): void {
  const shown =
    google &&
    `${read(google).toFixed(1).padStart(9)} ${unit} ${(read(google) / read(ours)).toFixed(1).padStart(8)}`;
  console.log(
    `${what.padEnd(44)} ${read(ours).toFixed(1).padStart(9)} ${unit} ${shown ?? ""}`.trimEnd(),
  );
}

function print(what: string, measured: number, unit: string): void {
  console.log(`${what.padEnd(60)} ${measured.toFixed(0).padStart(10)} ${unit}`);
}
