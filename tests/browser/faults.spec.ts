import { localVariables } from "#emulator/local-project.ts";
import { startPages } from "#emulator/pages.ts";
import { findFreePort } from "#emulator/ports.ts";
import { startFaultProxy, type Fault, type FaultRequest } from "#tests/support/fault-proxy.ts";
import type { Frame, FrameFault } from "#tests/support/fault-socket.ts";
import { startFirebase } from "#tests/support/firebase.ts";
import { clearRateRecords } from "#tests/support/rate-records.ts";
import { startCachingProxy } from "./caching-proxy.ts";
import { expect, test as base } from "./fixtures.ts";
import { expectLive, openRoomAs, sendMessage } from "./room.ts";
import { openAs } from "./sign-in.ts";

/** A connection that fails. */
interface Hop {
  name: string;
  matches: (request: FaultRequest) => boolean;
  /** What happens to its first requests, in turn. Later ones pass, so that retries have an end. */
  faults: Fault[];
  /** What happens to the first writes on its WebSockets, in turn. */
  frameFaults?: FrameFault[];
}

const HOPS: Hop[] = [
  {
    name: "the browser and the Worker",
    matches: ({ method, url }) => method === "POST" && url === "/rooms/general/messages",
    faults: ["cut", "lost", "twice", "error", "late", "lost"],
  },
  {
    name: "the Worker and Firestore",
    matches: ({ url }) => /:(batchGet|commit|runQuery)$/.test(url),
    faults: ["none", "cut", "none", "lost", "twice", "error", "late", "lost", "cut"],
  },
  {
    name: "the browser and Firestore",
    matches: ({ url }) => url.includes("/Listen/channel"),
    faults: ["cut", "lost", "none", "midway", "late", "twice", "midway", "error", "lost", "cut"],
  },
  {
    name: "the browser and the Realtime Database",
    matches: ({ url }) => url.startsWith("/.ws"),
    faults: ["cut", "none", "cut"],
    frameFaults: ["unanswered", "none", "late", "cut", "unanswered"],
  },
];

/**
 * At most five attempts of a hop fail in a row. The outbox then waits 1, 2, 4, 8 and 10 s, and a busy machine needs time for
 * each attempt.
 */
const DELIVERY_TIMEOUT_MS = 60_000;

class Network {
  hop: Hop | null = null;
  cutAll = () => {};
  #count = 0;
  #writes = 0;

  choose = (request: FaultRequest): Fault => {
    if (!this.hop?.matches(request)) return "none";
    this.#count += 1;
    return this.hop.faults[this.#count - 1] ?? "none";
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
}

const network = new Network();

const test = base.extend({
  app: [
    async ({ errorLog }, use) => {
      await using firebase = await startFirebase();
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
          ...localVariables({
            ...firebase.hosts,
            FIRESTORE_EMULATOR_HOST: firestore.host,
            FIREBASE_DATABASE_EMULATOR_HOST: database.host,
          }),
        },
        onError: (line) => errorLog.lines.push(`server: ${line}`),
      });
      await using cache = await startCachingProxy(pages.url);
      await using edge = await startFaultProxy(new URL(cache.url).host, network.choose);
      network.cutAll = () => {
        for (const proxy of [firestore, database, edge]) proxy.cutAll();
      };
      await use({ url: `http://${edge.host}`, firebase, settled: () => cache.settled() });
    },
    { scope: "worker", timeout: 90_000 },
  ],
});

test.use({ javaScriptEnabled: true });

test("shows messages once, in order, under their authors, while connections fail again and again", async ({
  page,
  addPerson,
  browser,
  app,
  allowError,
}) => {
  test.setTimeout(300_000);
  // The proxy's own error responses have no CORS headers.
  allowError(/blocked by CORS policy/);
  allowError(/status of 50\d|net::ERR_|WebChannelConnection|WebSocket|Could not reach|FIREBASE/);
  allowError(/^server: /);
  const [ana, tomas] = [
    await addPerson({ displayName: "Ana" }),
    await addPerson({ displayName: "Tomas" }),
  ];
  await using talk = await openRoomAs(browser, app, tomas);
  await openAs(page, ana, "/create");
  await expectLive(page);

  const expected: RegExp[] = [];
  for (const [index, hop] of HOPS.entries()) {
    await test.step(`between ${hop.name}`, async () => {
      for (const { localId } of [ana, tomas]) await clearRateRecords(app.firebase.hosts, localId);
      network.break(hop);
      for (const text of [`One ${index}`, `Two ${index}`]) {
        await sendMessage(page, text);
        expected.push(new RegExp(`^Ana .*${text}$`, "s"));
      }
      await expect(talk.page.locator("article")).toHaveText(expected, {
        timeout: DELIVERY_TIMEOUT_MS,
      });
      network.cutAll();
      await sendMessage(talk.page, `Three ${index}`);
      expected.push(new RegExp(`^Tomas .*Three ${index}$`, "s"));

      for (const reader of [page, talk.page]) {
        const messages = reader.locator("article");
        await expect(messages).toHaveText(expected, { timeout: DELIVERY_TIMEOUT_MS });
        await expect(messages.locator("time")).toHaveCount(expected.length, {
          timeout: DELIVERY_TIMEOUT_MS,
        });
      }
      network.hop = null;
    });
  }

  for (const reader of [page, talk.page]) {
    await expect(reader.getByRole("button", { name: "2 here" })).toBeVisible({
      timeout: DELIVERY_TIMEOUT_MS,
    });
  }
});
