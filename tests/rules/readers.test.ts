import { expect, test } from "vitest";

import { readDatabaseRules } from "#tests/support/database-rules.ts";
import { createToken, NAMESPACE, sendRest, startTestDatabase } from "#tests/support/database.ts";

const SLOT = 600_000;
/** In the middle of a slot. */
const NOW = 2_833_333 * SLOT + 300_000;
const TIME = NOW - 300_000;

const [ADA_KEY, BOB_KEY, EVE_KEY, NEW_KEY, ROOM_KEY] = ["a", "b", "e", "n", "r"].map((letter) =>
  letter.repeat(20),
);
const RECORD = { story: "salt", time: TIME };
const NEWEST = 'orderBy="time"&limitToLast=500';

/** Ada has "salt" open and has had the room open; Eve is unseen; Uma does not want to be counted. */
const STORED = {
  readers: { [ADA_KEY ?? ""]: RECORD },
  readerKeys: {
    ada: { story: ADA_KEY, room: ROOM_KEY },
    bob: { story: BOB_KEY },
    eve: { story: EVE_KEY },
    uma: { story: "u".repeat(20) },
  },
  keyOwners: { [ADA_KEY ?? ""]: "ada", [ROOM_KEY ?? ""]: "ada", [BOB_KEY ?? ""]: "bob" },
  unseen: { eve: true, uma: false },
  uncounted: { uma: true },
};

type TestUser = "ada" | "bob" | "eve" | "uma" | "a visitor";

test.each<[TestUser, string, string, boolean]>([
  ["a visitor", "/readers", NEWEST, true],
  ["a visitor", "/readers", 'orderBy="time"&limitToLast=501', false],
  ["a visitor", "/readers", 'orderBy="$key"&limitToLast=500', false],
  ["a visitor", "/readers", "", false],
  ["bob", "/readers", NEWEST, true],
  ["bob", `/readers/${ADA_KEY}`, "", true],
  ["a visitor", `/readers/${ADA_KEY}`, "", false],
  ["ada", "/readerKeys/ada", "", true],
  ["bob", "/readerKeys/ada", "", false],
  ["bob", "/readerKeys/ada/story", "", false],
  ["bob", "/readerKeys", "", false],
  ["a visitor", "/readerKeys/ada", "", false],
  ["ada", `/keyOwners/${ADA_KEY}`, "", false],
  ["uma", "/uncounted/uma", "", true],
  ["bob", "/uncounted/uma", "", false],
])("%s reads %s with %j: %s", async (user, path, query, isAllowed) => {
  expect((await send(user, "GET", path, { query })).status).toBe(isAllowed ? 200 : 401);
});

test("the readers contain no uid", async () => {
  const response = await send("a visitor", "GET", "/readers", { query: NEWEST });

  expect(await response.json()).toEqual({ [ADA_KEY ?? ""]: RECORD });
});

test.each<[TestUser, "PUT" | "PATCH" | "DELETE", string, unknown, boolean]>([
  ["bob", "PUT", `/readers/${BOB_KEY}`, RECORD, true],
  ["ada", "PUT", `/readers/${ADA_KEY}`, RECORD, true],
  ["bob", "PUT", `/readers/${BOB_KEY}`, { ...RECORD, time: TIME - SLOT }, true],
  ["bob", "PUT", `/readers/${BOB_KEY}`, { ...RECORD, time: TIME - 2 * SLOT }, false],
  ["bob", "PUT", `/readers/${BOB_KEY}`, { ...RECORD, time: TIME + SLOT }, false],
  ["bob", "PUT", `/readers/${BOB_KEY}`, { ...RECORD, time: NOW }, false],
  ["bob", "PUT", `/readers/${BOB_KEY}`, { ...RECORD, time: String(TIME) }, false],
  ["bob", "PUT", `/readers/${BOB_KEY}`, { ...RECORD, uid: "bob" }, false],
  ["bob", "PUT", `/readers/${BOB_KEY}`, { story: "salt" }, false],
  ["bob", "PUT", `/readers/${BOB_KEY}`, { time: TIME }, false],
  ["bob", "PUT", `/readers/${BOB_KEY}`, { ...RECORD, story: "tide" }, true],
  ["bob", "PUT", `/readers/${BOB_KEY}`, { ...RECORD, story: "room" }, false],
  ["bob", "PUT", `/readers/${BOB_KEY}`, { ...RECORD, story: "x".repeat(101) }, false],
  ["bob", "PUT", `/readers/${BOB_KEY}`, { ...RECORD, story: 1 }, false],
  ["ada", "PUT", `/readers/${ROOM_KEY}`, { ...RECORD, story: "room" }, true],
  ["ada", "PUT", `/readers/${ROOM_KEY}`, { ...RECORD, story: "tide" }, false],
  ["bob", "PUT", `/readers/${BOB_KEY}`, { ...RECORD, story: "/salt//" }, false],
  ["bob", "PUT", `/readers/${BOB_KEY}`, { ...RECORD, ".priority": "x" }, false],
  ["bob", "PUT", `/readers/${BOB_KEY}`, { ...RECORD, story: withPriority("salt") }, false],
  ["bob", "PUT", `/readers/${BOB_KEY}`, { ...RECORD, time: withPriority(TIME) }, false],
  ["ada", "PUT", `/readers/${ADA_KEY}/.priority`, "x", false],
  ["bob", "PUT", `/readers/${ADA_KEY}`, RECORD, false],
  ["bob", "PUT", `/readers/${NEW_KEY}`, RECORD, false],
  ["a visitor", "PUT", `/readers/${BOB_KEY}`, RECORD, false],
  ["ada", "PUT", `/readers/${ADA_KEY}`, { ...RECORD, story: "tide" }, true],
  ["ada", "PUT", `/readers/${ADA_KEY}`, { ...RECORD, story: "room" }, false],
  ["eve", "PUT", `/readers/${EVE_KEY}`, RECORD, false],
  ["uma", "PUT", `/readers/${"u".repeat(20)}`, RECORD, false],
  ["bob", "PUT", "/readers", { [BOB_KEY ?? ""]: RECORD }, false],
  ["ada", "DELETE", `/readers/${ADA_KEY}`, null, true],
  ["ada", "DELETE", `/readers/${NEW_KEY}`, null, true],
  ["bob", "DELETE", `/readers/${ADA_KEY}`, null, false],
  ["a visitor", "DELETE", `/readers/${ADA_KEY}`, null, false],
  ["bob", "DELETE", "/readers", null, false],
  ["bob", "PUT", "/readerKeys/bob/room", NEW_KEY, false],
  ["bob", "PUT", `/keyOwners/${NEW_KEY}`, "bob", false],
  ["bob", "PUT", `/keyOwners/${BOB_KEY}`, "bob", false],
  ["bob", "DELETE", `/keyOwners/${BOB_KEY}`, null, false],
  ["eve", "DELETE", `/keyOwners/${BOB_KEY}`, null, false],
  ["ada", "DELETE", "/readerKeys/ada/story", null, false],
  ["ada", "DELETE", "/readerKeys/ada/room", null, false],
  ["ada", "DELETE", "/readerKeys/ada", null, false],
  ["bob", "PATCH", "/", chooseKey("bob", "room", NEW_KEY), true],
  ["bob", "PATCH", "/", chooseKey("bob", "story", NEW_KEY, BOB_KEY), true],
  ["bob", "PATCH", "/", chooseKey("bob", "story", NEW_KEY), false],
  ["bob", "PATCH", "/", chooseKey("bob", "room", ADA_KEY), false],
  ["bob", "PATCH", "/", chooseKey("bob", "room", ROOM_KEY), false],
  ["bob", "PATCH", "/", { "readerKeys/bob/room": ROOM_KEY }, false],
  ["ada", "PATCH", "/", chooseKey("ada", "story", NEW_KEY, ADA_KEY), false],
  ["ada", "PATCH", "/", chooseKey("ada", "room", NEW_KEY, ROOM_KEY), true],
  ["ada", "PATCH", "/", chooseKey("ada", "room", `${"n".repeat(17)}Zz9`, ROOM_KEY), true],
  ["ada", "PATCH", "/", chooseKey("ada", "room", "short", ROOM_KEY), false],
  ["ada", "PATCH", "/", chooseKey("ada", "room", `${"n".repeat(19)}-`, ROOM_KEY), false],
  ["ada", "PATCH", "/", chooseKey("ada", "tide", NEW_KEY), false],
  ["bob", "PATCH", "/", { ...chooseKey("bob", "room", "1"), "readerKeys/bob/room": 1 }, false],
  ["bob", "PATCH", "/", withNewKey({ "readerKeys/bob/room": withPriority(NEW_KEY) }), false],
  ["bob", "PATCH", "/", withNewKey({ [`keyOwners/${NEW_KEY}`]: withPriority("bob") }), false],
  ["bob", "PATCH", "/", withNewKey({ [`keyOwners/${NEW_KEY}`]: "ada" }), false],
  ["bob", "PATCH", "/", withNewKey({ "keyOwners/other": "bob" }), false],
  ["ada", "PATCH", "/", withoutKey("ada", "room", ROOM_KEY), true],
  [
    "ada",
    "PATCH",
    "/",
    { ...withoutKey("ada", "story", ADA_KEY), [`readers/${ADA_KEY}`]: null },
    true,
  ],
  ["ada", "PATCH", "/", withoutKey("ada", "story", ADA_KEY), false],
  ["bob", "PATCH", "/", chooseKey("ada", "room", NEW_KEY, ROOM_KEY), false],
  ["a visitor", "PATCH", "/", chooseKey("ada", "room", NEW_KEY, ROOM_KEY), false],
  // A key that was chosen before keys had owners.
  ["eve", "PATCH", "/", chooseKey("eve", "story", NEW_KEY, EVE_KEY), true],
  ["uma", "PUT", "/uncounted/uma", false, true],
  ["uma", "PUT", "/uncounted/uma", "no", false],
  ["uma", "PUT", "/uncounted/uma", withPriority(true), false],
  ["bob", "PUT", "/uncounted/uma", false, false],
  ["uma", "DELETE", "/uncounted/uma", null, true],
])("%s sends %s to %s with %j: %s", async (user, method, path, data, isAllowed) => {
  expect((await send(user, method, path, { data })).status).toBe(isAllowed ? 200 : 401);
});

test.each<[what: string, key: string | null]>([
  ["changes", NEW_KEY ?? ""],
  ["deletes", null],
])(
  "one update cannot write a record and %s its key, so a user has one at a time",
  async (_what, key) => {
    const change =
      key === null ? withoutKey("bob", "story", BOB_KEY) : chooseKey("bob", "story", key, BOB_KEY);
    const data = { [`readers/${BOB_KEY}`]: RECORD, ...change };

    expect((await send("bob", "PATCH", "/", { data })).status).toBe(401);
  },
);

test("a user deletes what somebody else has stored with their key, before keys had owners", async () => {
  const path = `readers/${ADA_KEY}`;
  const stored = {
    readers: { [ADA_KEY ?? ""]: { ...RECORD, story: "room" } },
    readerKeys: { ada: { story: ADA_KEY }, eve: { room: ADA_KEY } },
  };
  const data = { ...withoutKey("ada", "story", ADA_KEY), [path]: null };

  expect((await send("ada", "PATCH", "/", { data, stored })).status).toBe(200);
});

/** Returns the values of a new key of a user, in place of the one that they had. */
function chooseKey(uid: string, kind: string, key = "", old?: string) {
  return {
    [`readerKeys/${uid}/${kind}`]: key,
    [`keyOwners/${key}`]: uid,
    ...(old !== undefined && { [`keyOwners/${old}`]: null }),
  };
}

/** Returns other values together with those of a new key of Bob. */
function withNewKey(values: object) {
  return { ...chooseKey("bob", "room", NEW_KEY), ...values };
}

function withoutKey(uid: string, kind: string, key = "") {
  return { [`readerKeys/${uid}/${kind}`]: null, [`keyOwners/${key}`]: null };
}

/** Returns a value with a priority, which could be megabytes. */
function withPriority(value: unknown) {
  return { ".value": value, ".priority": "x" };
}

async function send(
  user: TestUser,
  method: string,
  path: string,
  { data, query = "", stored = STORED }: { data?: unknown; query?: string; stored?: object },
): Promise<Response> {
  const rules = await readDatabaseRules();
  await using server = await startTestDatabase({ rules, now: () => NOW });
  server.import({ [NAMESPACE]: stored });
  const auth = user === "a visitor" ? "" : `&auth=${createToken(user, {})}`;
  const body = method === "PUT" || method === "PATCH" ? { body: JSON.stringify(data) } : {};
  return await sendRest(server, `${path}.json?${query}${auth}`, { method, ...body }, "nobody");
}
