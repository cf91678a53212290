import { expect, test } from "vitest";

import { readDatabaseRules } from "#tests/support/database-rules.ts";
import { createToken, NAMESPACE, sendRest, startTestDatabase } from "#tests/support/database.ts";

const SLOT = 600_000;
const NOW = 2_833_333 * SLOT + 300_000;
const [KEY, NEW_KEY] = ["k".repeat(20), "n".repeat(20)];
const [LIVE, ENDED, OTHER] = [`${"l".repeat(18)}aa`, `${"e".repeat(18)}bb`, `${"o".repeat(18)}aa`];
const ONLINE = { state: "online", last_changed: { ".sv": "timestamp" } };
const CONNECTION = { name: "Anonymous", time: { ".sv": "timestamp" } };
const RECORD = { story: "room", time: NOW - 300_000 };

const STORED = {
  sessions: { ada: { aa: LIVE, bb: `ended ${ENDED}` } },
  status: { ada: { state: "online", last_changed: 1 } },
  connections: { ada: { c0: { name: "Anonymous", time: 1 }, c7: { name: "Anonymous", time: 1 } } },
  typing: { general: { ada: true } },
  readers: { [KEY]: RECORD },
  readerKeys: { ada: { room: KEY } },
  unseen: { ada: false, eve: false },
  uncounted: { ada: false },
};

const firebase = { sign_in_provider: "custom" };

/** The claims of the tokens of Ada, and of one other user. */
const CLAIMS = {
  server: {},
  page: { firebase, session: LIVE, slot: "aa" },
  "ended page": { firebase, session: ENDED, slot: "bb" },
  "page whose key another session has": { firebase, session: OTHER, slot: "aa" },
  "page of a forgotten session": { firebase, session: LIVE, slot: "cc" },
  "page without a session": { firebase },
  "other user's page": { firebase, session: LIVE, slot: "aa", sub: "eve" },
  "other user": { sub: "eve" },
};

type Client = keyof typeof CLAIMS;
type Request = [method: "GET" | "PUT" | "PATCH" | "DELETE", path: string, value?: unknown];

const PAGES_WITHOUT_SESSION: Client[] = [
  "ended page",
  "page whose key another session has",
  "page of a forgotten session",
  "page without a session",
];

test.each<Request>([
  ["GET", "/status/ada"],
  ["GET", "/connections"],
  ["GET", "/connections/ada"],
  ["GET", "/typing/general"],
  ["GET", `/readers/${KEY}`],
  ["GET", "/readerKeys/ada"],
  ["GET", "/unseen/ada"],
  ["GET", "/uncounted/ada"],
  ["PUT", "/status/ada", ONLINE],
  ["PUT", "/connections/ada/c1", CONNECTION],
  ["PUT", "/typing/general/ada", true],
  ["PUT", `/readers/${KEY}`, RECORD],
  ["PATCH", "/", { "readerKeys/ada/story": NEW_KEY, [`keyOwners/${NEW_KEY}`]: "ada" }],
  ["PUT", "/unseen/ada", true],
  ["DELETE", "/unseen/ada"],
  ["PUT", "/uncounted/ada", true],
  ["PATCH", "/", { "unseen/ada": true, "connections/ada": null }],
])("%s %s %j is allowed only to the server and to pages with a session", async (...request) => {
  expect(await send("server", ...request)).toBe(200);
  expect(await send("page", ...request)).toBe(200);
  for (const page of PAGES_WITHOUT_SESSION) expect(await send(page, ...request)).toBe(401);
});

test.each<Request>([
  ["DELETE", "/status/ada"],
  ["PUT", "/status/ada", { ...ONLINE, state: "offline" }],
  ["DELETE", "/connections/ada/c0"],
  ["DELETE", "/typing/general/ada"],
  ["DELETE", `/readers/${KEY}`],
])("%s %s %j, when a page is closed, is allowed after the session too", async (...request) => {
  for (const page of ["page", ...PAGES_WITHOUT_SESSION] as const) {
    expect(await send(page, ...request)).toBe(200);
  }
  expect(await send("other user's page", ...request)).toBe(401);
});

test("a page whose session has ended does not set the status of a deleted account", async () => {
  const offline = { ...ONLINE, state: "offline" };
  expect(await send("ended page", "PUT", "/status/ada", offline, { status: null })).toBe(401);
});

test.each<[Client, Request, boolean]>([
  ["server", ["PUT", "/sessions/ada/cc", LIVE], true],
  ["server", ["PUT", "/sessions/ada/aa", OTHER], true],
  ["server", ["PUT", "/sessions/ada/aa", `ended ${LIVE}`], true],
  ["server", ["PUT", "/sessions/ada/bb", `ended ${ENDED}`], true],
  ["server", ["PUT", "/sessions/ada/bb", ENDED], false],
  ["server", ["PATCH", "/", { "sessions/ada/bb": ENDED }], false],
  ["server", ["DELETE", "/sessions/ada"], true],
  ["server", ["GET", "/sessions/ada"], false],
  ["server", ["PUT", "/sessions/ada/c", LIVE], false],
  ["server", ["PUT", "/sessions/ada/ccc", LIVE], false],
  ["server", ["PUT", "/sessions/ada/c-", LIVE], false],
  ["server", ["PUT", "/sessions/ada/cc", 1], false],
  ["server", ["PUT", "/sessions/ada/cc", ""], false],
  ["server", ["PUT", "/sessions/ada/cc", `gone ${LIVE}`], false],
  ["server", ["PUT", "/sessions/ada/cc", "x".repeat(27)], false],
  ["server", ["PUT", "/sessions/ada/cc", { ".value": LIVE, ".priority": 1 }], false],
  ["server", ["PUT", "/sessions/ada", { cc: LIVE }], false],
  ["other user", ["PUT", "/sessions/ada/cc", LIVE], false],
  ["other user", ["DELETE", "/sessions/ada"], false],
  ["page", ["GET", "/sessions/ada"], false],
  ["page", ["GET", "/sessions/ada/aa"], false],
  ["page", ["PUT", "/sessions/ada/aa", LIVE], false],
  ["page", ["DELETE", "/sessions/ada"], false],
  ["ended page", ["PUT", "/sessions/ada/bb", ENDED], false],
  ["ended page", ["PUT", "/sessions/ada/bb", OTHER], false],
  ["ended page", ["DELETE", "/sessions/ada/bb"], false],
  ["ended page", ["DELETE", "/sessions/ada"], false],
])("the %s sends %j: %s", async (client, request, isAllowed) => {
  expect(await send(client, ...request)).toBe(isAllowed ? 200 : 401);
});

async function send(
  client: Client,
  method: string,
  path: string,
  value?: unknown,
  stored: object = {},
): Promise<number> {
  const rules = await readDatabaseRules();
  await using server = await startTestDatabase({ rules, now: () => NOW });
  server.import({ [NAMESPACE]: { ...STORED, ...stored } });
  const url = `${path}.json?auth=${createToken("ada", CLAIMS[client])}`;
  const body = value === undefined ? undefined : JSON.stringify(value);
  return (await sendRest(server, url, { method, body }, "nobody")).status;
}
