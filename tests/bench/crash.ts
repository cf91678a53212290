import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

import { createRandom } from "#tests/support/database.ts";
import { createCheckout, type Checkout } from "#tests/support/launcher.ts";

// Kills the local Firebase, all processes at once, at random moments while 20 writes a second are acknowledged: to the
// database, Firestore and Auth in turn. Then starts it again and looks for every write. Exits with 1 when the database has
// lost one, or when a lost document or account was acknowledged more than a second before the kill.
// `npm run bench:crash -- 200 7` kills it 200 times, at the moments of seed 7.

const WRITES_PER_SECOND = 20;
const MAX_LOST_AGE_MS = 1000;
const MAX_ROUND_MS = 3000;
const PROJECT = "demo-inkglade";
const HEADERS = { authorization: "Bearer owner", "content-type": "application/json" };
const SERVERS = ["database", "firestore", "database", "auth"] as const;

interface Write {
  server: (typeof SERVERS)[number];
  key: string;
  acknowledgedAt: number;
}

const [rounds = 20, seed = 1] = process.argv.slice(2).map(Number);
const random = createRandom(seed);
const moments = Array.from({ length: MAX_ROUND_MS }, (_, ms) => ms);
const acknowledged: Record<string, number> = {};
const lostAges: Record<string, number[]> = { database: [], firestore: [], auth: [] };

await using checkout = await createCheckout();
let before: { writes: Write[]; killedAt: number } = { writes: [], killedAt: 0 };
for (let round = 0; round <= rounds; round += 1) {
  const launcher = checkout.launch();
  await launcher.ready();
  await findLost(before.writes, before.killedAt);
  if (round < rounds) before = await writeUntilKilled(launcher, random.pick(moments));
  else await launcher.end("SIGTERM");
  if (round % 10 === 9) print(round + 1);
}
print(rounds);
const isLost = Object.values(lostAges).some((ages) => ages.some((age) => age > MAX_LOST_AGE_MS));
process.exitCode = isLost || lostAges.database?.length !== 0 ? 1 : 0;

async function writeUntilKilled(launcher: ReturnType<Checkout["launch"]>, afterMs: number) {
  const writes: Write[] = [];
  const pending: Promise<void>[] = [];
  const startedAt = Date.now();
  for (let count = 0; Date.now() - startedAt < afterMs; count += 1) {
    const server = SERVERS[count % SERVERS.length] ?? "database";
    const key = randomUUID();
    const writing = write(server, key).then(
      () => void writes.push({ server, key, acknowledgedAt: Date.now() }),
      () => undefined, // not acknowledged
    );
    pending.push(writing);
    await delay(Math.min(1000 / WRITES_PER_SECOND, startedAt + afterMs - Date.now()));
  }
  const killedAt = await launcher.killEverything();
  await Promise.all(pending);
  return { writes: writes.filter(({ acknowledgedAt }) => acknowledgedAt <= killedAt), killedAt };
}

async function write(server: Write["server"], key: string): Promise<void> {
  if (server === "database") await send("PUT", addressOf(server, key), { key });
  if (server === "firestore") {
    await send("PATCH", addressOf(server, key), {
      fields: { text: { stringValue: key.repeat(5) } },
    });
  }
  if (server === "auth") {
    await send("POST", `${addressOf(server)}:signUp?key=local`, toAccount(key));
  }
}

async function findLost(writes: Write[], killedAt: number): Promise<void> {
  for (const { server, key, acknowledgedAt } of writes) {
    acknowledged[server] = (acknowledged[server] ?? 0) + 1;
    if (!(await exists(server, key))) lostAges[server]?.push(killedAt - acknowledgedAt);
  }
}

async function exists(server: Write["server"], key: string): Promise<boolean> {
  if (server === "auth") {
    // With the password, which only the proxy has seen.
    const address = `${addressOf(server)}:signInWithPassword?key=local`;
    return await send("POST", address, toAccount(key)).then(
      () => true,
      () => false,
    );
  }
  return await send("GET", addressOf(server, key)).then(
    (json) => json !== null,
    () => false,
  );
}

function addressOf(server: Write["server"], key = ""): string {
  const root = `http://127.0.0.1:${checkout.ports[server]}`;
  if (server === "database") return `${root}/crash/${key}.json?ns=${PROJECT}-default-rtdb`;
  if (server === "auth") return `${root}/identitytoolkit.googleapis.com/v1/accounts`;
  return `${root}/v1/projects/${PROJECT}/databases/(default)/documents/crash/${key}`;
}

function toAccount(key: string) {
  return { email: `${key}@example.com`, password: key, returnSecureToken: true };
}

async function send(method: string, address: string, body?: object): Promise<unknown> {
  const response = await fetch(address, {
    method,
    headers: HEADERS,
    body: body && JSON.stringify(body),
  });
  const json: unknown = await response.json();
  if (!response.ok) throw new Error(`${address}: ${response.status} ${JSON.stringify(json)}`);
  return json;
}

function print(round: number): void {
  const parts = Object.entries(lostAges).map(([server, ages]) => {
    const oldest = ages.length > 0 ? `, the oldest ${Math.max(...ages)} ms old` : "";
    return `${server}: ${ages.length} of ${acknowledged[server] ?? 0} lost${oldest}`;
  });
  console.log(`${round} kills: ${parts.join("; ")}`);
}
