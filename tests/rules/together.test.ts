import { expect, test } from "vitest";

import { MAX_FELLOW_READERS, MAX_PART } from "#app/stories/readers/together.ts";
import { readDatabaseRules } from "#tests/support/database-rules.ts";
import { createToken, NAMESPACE, sendRest, startTestDatabase } from "#tests/support/database.ts";

const NOW = 1_700_000_000_000;
const RECORD = { story: "salt", part: 3, name: "Ada", time: { ".sv": "timestamp" } };
const BOB = { ...RECORD, name: "Anonymous" };
const PATH = "/readingTogether";

/** Ada and Tom read "salt", Eve is unseen, Max is muted, and the page of Olga belongs to a session that has ended. */
const STORED = {
  readingTogether: {
    ada: { story: "salt", part: 1, name: "Ada", time: NOW - 5 },
    tom: { story: "salt", part: 2, name: "Tom", time: NOW - 5 },
    zoe: { story: "tide", part: 2, name: "Zoe", time: NOW - 5 },
    olga: { story: "salt", part: 2, name: "Anonymous", time: NOW - 5 },
  },
  unseen: { eve: true, ada: false },
  muted: { max: { until: NOW + 1, reason: "Spam" } },
  sessions: { olga: { ss: "another" } },
};

const LONG_NAME = "Ada Lovelace ".repeat(10);
const CLAIMS = {
  ada: { name: "Ada" },
  tom: { name: "Tom" },
  zoe: { name: "Zoe" },
  bob: {},
  eve: { name: "Ada" },
  max: { name: "Ada" },
  "a long name": { name: LONG_NAME },
  olga: {
    session: "s".repeat(20),
    slot: "ss",
    firebase: { sign_in_provider: "custom", identities: {} },
  },
  "a visitor": {},
};

type TestUser = keyof typeof CLAIMS;

const LIMIT = `limitToFirst=${MAX_FELLOW_READERS}`;
const SALT = `orderBy="story"&equalTo="salt"&${LIMIT}`;
const TIDE = `orderBy="story"&equalTo="tide"&${LIMIT}`;

test.each<[TestUser, string, string, boolean]>([
  ["ada", PATH, SALT, true],
  ["ada", PATH, TIDE, false],
  ["zoe", PATH, TIDE, true],
  ["zoe", PATH, SALT, false],
  ["bob", PATH, SALT, false],
  ["bob", PATH, `orderBy="story"&equalTo=null&${LIMIT}`, false],
  ["bob", PATH, `orderBy="story"&${LIMIT}`, false],
  ["a visitor", PATH, SALT, false],
  ["olga", PATH, SALT, false],
  ["ada", PATH, 'orderBy="story"&equalTo="salt"', false],
  ["ada", PATH, `orderBy="story"&equalTo="salt"&limitToFirst=${MAX_FELLOW_READERS + 1}`, false],
  ["ada", PATH, `orderBy="story"&equalTo="salt"&limitToLast=${MAX_FELLOW_READERS}`, false],
  ["ada", PATH, `orderBy="story"&startAt="salt"&${LIMIT}`, false],
  ["ada", PATH, `orderBy="name"&equalTo="salt"&${LIMIT}`, false],
  ["ada", PATH, "", false],
  ["ada", `${PATH}/ada`, "", true],
  ["ada", `${PATH}/tom`, "", false],
  ["ada", `${PATH}/tom/part`, "", false],
  ["olga", `${PATH}/olga`, "", false],
])("%s reads %s with %j: %s", async (user, path, query, isAllowed) => {
  expect((await send(user, "GET", path, { query })).status).toBe(isAllowed ? 200 : 401);
});

test("who is seen in a story sees the others in it, and nobody in another story", async () => {
  const response = await send("ada", "GET", PATH, { query: SALT });

  expect(Object.keys(Object(await response.json())).toSorted()).toEqual(["ada", "olga", "tom"]);
});

test.each<[TestUser, "PUT" | "PATCH" | "DELETE", string, unknown, boolean]>([
  ["ada", "PUT", `${PATH}/ada`, RECORD, true],
  ["ada", "PUT", `${PATH}/ada`, { ...RECORD, story: "tide" }, true],
  ["ada", "PUT", `${PATH}/ada/part`, 4, true],
  ["bob", "PUT", `${PATH}/bob`, BOB, true],
  ["max", "PUT", `${PATH}/max`, RECORD, true],
  ["bob", "PUT", `${PATH}/ada`, BOB, false],
  ["bob", "PUT", `${PATH}/ada`, RECORD, false],
  ["bob", "PUT", `${PATH}/bob`, RECORD, false],
  ["a visitor", "PUT", `${PATH}/ada`, RECORD, false],
  ["olga", "PUT", `${PATH}/olga`, BOB, false],
  ["eve", "PUT", `${PATH}/eve`, RECORD, false],
  ["ada", "PUT", `${PATH}/ada/salt`, RECORD, false],
  ["ada", "PUT", PATH, { ada: RECORD }, false],
  ["ada", "PATCH", PATH, { ada: RECORD, "ada-2": RECORD }, false],
  ["ada", "PUT", `${PATH}/ada`, { ...RECORD, story: "s".repeat(100) }, true],
  ["ada", "PUT", `${PATH}/ada`, { ...RECORD, story: "s".repeat(101) }, false],
  ["ada", "PUT", `${PATH}/ada`, { ...RECORD, story: "az-0123456789" }, true],
  ["ada", "PUT", `${PATH}/ada`, { ...RECORD, story: "salt/tide" }, false],
  ["ada", "PUT", `${PATH}/ada`, { ...RECORD, story: 1 }, false],
  ["ada", "PUT", `${PATH}/ada`, { ...RECORD, story: { salt: true } }, false],
  ["ada", "PUT", `${PATH}/ada`, { ...RECORD, part: 0 }, true],
  ["ada", "PUT", `${PATH}/ada`, { ...RECORD, part: MAX_PART }, true],
  ["ada", "PUT", `${PATH}/ada`, { ...RECORD, part: MAX_PART + 1 }, false],
  ["ada", "PUT", `${PATH}/ada`, { ...RECORD, part: -1 }, false],
  ["ada", "PUT", `${PATH}/ada`, { ...RECORD, part: 1.5 }, false],
  ["ada", "PUT", `${PATH}/ada`, { ...RECORD, part: "3" }, false],
  ["ada", "PUT", `${PATH}/ada`, { ...RECORD, name: "Eve" }, false],
  ["ada", "PUT", `${PATH}/ada`, { ...RECORD, name: "" }, false],
  ["a long name", "PUT", `${PATH}/a long name`, withName(80), true],
  ["a long name", "PUT", `${PATH}/a long name`, withName(81), false],
  // Only a name that is too long may be cut off, and only within a character.
  ["a long name", "PUT", `${PATH}/a long name`, withName(79), true],
  ["a long name", "PUT", `${PATH}/a long name`, withName(78), false],
  ["ada", "PUT", `${PATH}/ada`, { ...RECORD, time: NOW - 1 }, false],
  ["ada", "PUT", `${PATH}/ada`, { ...RECORD, time: NOW + 1 }, false],
  ["ada", "PUT", `${PATH}/ada`, { ...RECORD, percent: 41 }, false],
  ["ada", "PUT", `${PATH}/ada`, { ...RECORD, ".priority": "x" }, false],
  ["ada", "PUT", `${PATH}/ada`, { ...RECORD, part: withPriority(3) }, false],
  ["ada", "PUT", `${PATH}/ada`, { ...RECORD, story: withPriority("salt") }, false],
  ["ada", "PUT", `${PATH}/ada`, { ...RECORD, name: withPriority("Ada") }, false],
  ...["story", "part", "name", "time"].map((field): [TestUser, "PUT", string, unknown, boolean] => [
    "ada",
    "PUT",
    `${PATH}/ada`,
    { ...RECORD, [field]: null },
    false,
  ]),
  ["ada", "DELETE", `${PATH}/ada`, null, true],
  ["olga", "DELETE", `${PATH}/olga`, null, true],
  ["ada", "DELETE", `${PATH}/ada/name`, null, false],
  ["bob", "DELETE", `${PATH}/ada`, null, false],
  ["a visitor", "DELETE", `${PATH}/ada`, null, false],
  ["ada", "DELETE", PATH, null, false],
])("%s sends %s to %s with %j: %s", async (user, method, path, data, isAllowed) => {
  expect((await send(user, method, path, { data })).status).toBe(isAllowed ? 200 : 401);
});

function withName(length: number) {
  return { ...RECORD, name: LONG_NAME.slice(0, length) };
}

/** Returns a value with a priority, which could be megabytes. */
function withPriority(value: unknown) {
  return { ".value": value, ".priority": "x" };
}

async function send(
  user: TestUser,
  method: string,
  path: string,
  { data, query = "" }: { data?: unknown; query?: string },
): Promise<Response> {
  const rules = await readDatabaseRules();
  await using server = await startTestDatabase({ rules, now: () => NOW });
  server.import({ [NAMESPACE]: STORED });
  const auth = user === "a visitor" ? "" : `&auth=${createToken(user, CLAIMS[user])}`;
  const body = method === "PUT" || method === "PATCH" ? { body: JSON.stringify(data) } : {};
  return await sendRest(server, `${path}.json?${query}${auth}`, { method, ...body }, "nobody");
}
