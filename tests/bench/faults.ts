import { setTimeout as delay } from "node:timers/promises";

import { readEnv } from "#app/env.server.ts";
import { createSessionCookie } from "#app/session/session.server.ts";
import { getLocalVariables } from "#emulator/local-project.ts";
import { startPages } from "#emulator/pages.ts";
import { findFreePort } from "#emulator/ports.ts";
import type { Fault } from "#tests/support/fault-proxy.ts";
import { fillRoom } from "#tests/support/fill-room.ts";
import { startFirebase, type TestAccount } from "#tests/support/firebase.ts";
import { toCookieHeader } from "#tests/support/routes.ts";
import {
  SERVICES,
  startServiceProxy,
  STORY,
  STORY_TEXT,
  type Service,
} from "#tests/support/service-proxy.ts";
import { publishStory } from "#tests/support/stories.ts";

// Measures how long pages take while one of Firebase's services fails. Opens pages of the production build on workerd,
// one after the other and in bursts of fifty. Exits with 1 when a page takes longer than 2.5 s; when a burst of users,
// whose pages are all rendered, takes 1.6 s longer than the same burst without a fault; or when a burst of visitors,
// with the page cache, takes longer than 2.5 s, for one page or for fifty.
// `npm run bench:faults -- firestore` tries one service, and `-- visitors` only the bursts of visitors.

const MAX_MS = 2500;
const MAX_WAIT_MS = 1600;
const BURST = 50;
const POLL_MS = 200;
const FAULTS: Fault[] = ["none", "slow", "hung", "stalled", "cut", "error", "garbage", "html"];

/** For each service, the page that waits longest for it. */
const BURST_PATHS = {
  auth: "/profile",
  tokens: "/home",
  firestore: "/home",
  database: "/profile?tab=data",
};

const VISITOR_PATHS = [
  "/home",
  "/read/what-the-heron-keeps",
  `/read/${STORY.id}`,
  "/home?q=salt",
  "/home?writer=ana",
];
const USER_PATHS = ["/home", `/read/${STORY.id}`, "/profile", "/profile?tab=data", "/create"];
/** What the scripts of pages request, for visitors and for users. */
const SCRIPT_PATHS = ["/rooms/general/summary", "/stories/readers"];

const chosen = process.argv.slice(2);
const services = (Object.keys(SERVICES) as Service[]) // the object's own keys
  .filter((name) => chosen.length === 0 || chosen.includes(name));
const variables = { SESSION_SECRET: "a secret that is at least 32 characters" };

let isOver = false;
if (services.length > 0) console.log("service    fault     slowest page    first 50     next 50");
for (const service of services) await measure(service);
if (chosen.length === 0 || chosen.includes("visitors")) await measureVisitors();
process.exitCode = isOver ? 1 : 0;

async function measure(service: Service): Promise<void> {
  await using app = await startApp(service, { PAGE_CACHE: "off" });
  const { firebase, proxy, open } = app;
  const seconds = service === "tokens" ? -1 : 3600;
  // The app caches new tokens and the state of sessions, so each visitor needs a new account.
  const addVisitor = async () =>
    createCookie(firebase.hosts, await firebase.addAccount({ displayName: "Ana" }), seconds);
  const visit = (cookie: string) => open(BURST_PATHS[service], cookie);
  const burst = async () => {
    const cookies = await Promise.all(Array.from({ length: BURST }, addVisitor));
    return Math.max(...(await Promise.all(cookies.map(visit))).map(({ ms }) => ms));
  };

  await burst();
  let usual = 0;
  for (const fault of FAULTS) {
    proxy.state.fault = fault;
    const bursts = [await burst(), await burst()];
    const cookie = await addVisitor();
    const times: number[] = [];
    for (const path of [...VISITOR_PATHS, ...SCRIPT_PATHS]) times.push((await open(path)).ms);
    for (const path of [...USER_PATHS, ...SCRIPT_PATHS]) times.push((await open(path, cookie)).ms);
    const slowest = Math.max(...times);
    const longest = Math.max(...bursts);
    if (fault === "none") usual = longest;
    const isTooSlow = slowest > MAX_MS || longest - usual > MAX_WAIT_MS;
    isOver ||= isTooSlow;
    const columns = [slowest, ...bursts].map((ms) => `${Math.round(ms)} ms`.padStart(9));
    console.log(
      `${service.padEnd(10)} ${fault.padEnd(9)} ${columns.join("   ")}  ${isTooSlow ? "OVER" : "ok"}`,
    );
    await app.recover(async () => visit(await addVisitor()));
  }
}

/** Opens pages that no visitor has opened before, in fifty browsers at once. They call only Firestore. */
async function measureVisitors(): Promise<void> {
  console.log("visitors        one page    50 pages");
  await using app = await startApp("firestore", {});
  let pages = 0;
  const toNewPath = () => `/home?tag=tag-${(pages += 1)}`;
  const burst = async (toPath: () => string) => {
    const opened = await Promise.all(Array.from({ length: BURST }, () => app.open(toPath())));
    return Math.max(...opened.map(({ ms }) => ms));
  };
  await burst(toNewPath);
  for (const fault of FAULTS) {
    const bursts: number[] = [];
    for (const isOne of [true, false]) {
      const path = toNewPath();
      app.proxy.state.fault = fault;
      bursts.push(await burst(isOne ? () => path : toNewPath));
      await app.recover(() => app.open(toNewPath()));
    }
    const isTooSlow = bursts.some((ms) => ms > MAX_MS);
    isOver ||= isTooSlow;
    const columns = bursts.map((ms) => `${Math.round(ms)} ms`.padStart(9));
    console.log(`${fault.padEnd(15)} ${columns.join("   ")}  ${isTooSlow ? "OVER" : "ok"}`);
  }
}

/** Starts the production build with a story and a full room, and a proxy in front of a service. */
async function startApp(service: Service, changes: Record<string, string>) {
  const firebase = await startFirebase();
  const proxy = await startServiceProxy(firebase.hosts, service);
  const pages = await startPages({
    port: await findFreePort(),
    variables: {
      ...variables,
      ...getLocalVariables(firebase.hosts),
      ...proxy.variables,
      ...changes,
    },
    // The failures are expected.
    onError: () => {},
  });
  const person = await firebase.addAccount({ displayName: "Ana" });
  await publishStory(firebase.hosts, { ...STORY, text: STORY_TEXT });
  await fillRoom(firebase, person, 50);
  return {
    ...{ firebase, proxy },
    open: async (path: string, cookie = "") => {
      const startedAt = performance.now();
      const response = await fetch(pages.url + path, { headers: { Cookie: cookie } });
      const html = await response.text();
      if (!response.ok) throw new Error(`${path} responded with ${response.status}`);
      return { html, ms: performance.now() - startedAt };
    },
    /**
     * Ends the fault, and opens pages until the app calls the service again. Otherwise the next fault would begin with
     * an open circuit breaker.
     */
    async recover(visit: () => Promise<unknown>): Promise<void> {
      proxy.state.fault = "none";
      const { length } = proxy.log;
      while (!proxy.log.slice(length).some(SERVICES[service].matches)) {
        await delay(POLL_MS);
        await visit();
      }
    },
    async [Symbol.asyncDispose]() {
      await pages[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
      await firebase[Symbol.asyncDispose]();
    },
  };
}

/** Returns the `Cookie` header of a session whose ID token expires in `expiresIn` seconds. */
async function createCookie(
  hosts: Parameters<typeof getLocalVariables>[0],
  { idToken, refreshToken }: TestAccount,
  expiresIn: number,
): Promise<string> {
  const session = createSessionCookie(
    readEnv({ ...variables, ...getLocalVariables(hosts) }),
    { refresh: () => Promise.reject(new Error("Unexpected refresh")) },
    Date.now,
  );
  const tokens = { idToken, refreshToken, expiresIn };
  const headers = await session.createSession(new Request("http://127.0.0.1/"), tokens);
  return toCookieHeader(new Headers(headers));
}
