import { expect, test } from "vitest";

import { MAX_CONNECTIONS, MAX_PHOTO_LENGTH } from "#app/chat/presence.ts";
import { readDatabaseRules } from "#tests/support/database-rules.ts";
import { createToken, NAMESPACE, sendRest, startTestDatabase } from "#tests/support/database.ts";

const NOW = 1_700_000_000_000;
const TIMESTAMP = { ".sv": "timestamp" };
const ONLINE = { state: "online", last_changed: TIMESTAMP };
const PHOTO = "https://photos.example/ada.png";
const PICTURE = `/pictures/ada/${"0123456789abcdef".repeat(2)}.webp`;
const LONG_NAME = "Ada Lovelace ".repeat(10);
const MUTED = { until: NOW + 5, reason: "Spam" };
const CONNECTION = { name: "Ada", time: TIMESTAMP };
const STORED = {
  status: { ada: { state: "online", last_changed: 1 }, eve: { state: "online", last_changed: 1 } },
  connections: { ada: { c0: { name: "Ada", time: 1 } }, eve: { c0: { name: "Eve", time: 1 } } },
  unseen: { ada: false, eve: true },
  typing: { general: { ada: true, eve: true } },
  muted: {
    max: { until: NOW + 1, reason: "Spam" },
    kim: { until: NOW, reason: "Spam" },
    olga: { until: NOW + 1, reason: "Spam" },
  },
};

/** The claims of each user's ID token. */
const CLAIMS = {
  ada: { name: "Ada", picture: PHOTO },
  bob: {},
  eve: { name: "Eve" },
  "a long name": { name: LONG_NAME },
  "an http photo": { name: "Ada", picture: "http://photos.example/ada.png" },
  "an uploaded photo": { name: "Ada", picture: `http://localhost${PICTURE}` },
  "a long photo": { name: "Ada", picture: withPhoto(MAX_PHOTO_LENGTH).photo },
  "a longer photo": { name: "Ada", picture: withPhoto(MAX_PHOTO_LENGTH + 1).photo },
  max: {},
  kim: {},
  olga: { operator: true },
  zoe: { operator: "true" },
  "a page of an operator": {
    operator: true,
    firebase: { sign_in_provider: "custom", identities: {} },
  },
  "a visitor": {},
};

type TestUser = keyof typeof CLAIMS;

test.each<[TestUser, string, boolean]>([
  ["ada", "/status/ada", true],
  ["bob", "/status/ada", true],
  ["a visitor", "/status/ada", false],
  ["bob", "/status/ada/state", true],
  ["bob", "/status", false],
  ["ada", "/connections", true],
  ["bob", "/connections/ada/c0/name", true],
  ["a visitor", "/connections", false],
  ["a visitor", "/connections/ada", false],
  ["ada", "/unseen/ada", true],
  ["bob", "/unseen/ada", false],
  ["bob", "/unseen", false],
  ["a visitor", "/unseen/ada", false],
  ["bob", "/typing/general", true],
  ["bob", "/typing/general/ada", true],
  ["a visitor", "/typing/general", false],
  ["bob", "/typing/elsewhere", false],
  ["bob", "/typing", false],
  ["max", "/muted/max", true],
  ["bob", "/muted/max", false],
  ["a visitor", "/muted/max", false],
  ["bob", "/muted", false],
  ["olga", "/muted", false],
  ["bob", "/", false],
  ["bob", "/elsewhere", false],
])("%s reads %s: %s", async (user, path, isAllowed) => {
  expect(await send(user, "GET", path)).toBe(isAllowed ? 200 : 401);
});

test.each<[TestUser, "PUT" | "PATCH" | "DELETE", string, unknown, boolean]>([
  ["ada", "PUT", "/status/ada", ONLINE, true],
  ["ada", "PUT", "/status/ada", { ...ONLINE, state: "offline" }, true],
  ["ada", "PUT", "/status/ada", { ...ONLINE, last_changed: NOW }, true],
  ["bob", "PUT", "/status/bob", ONLINE, true],
  ["bob", "PUT", "/status/ada", ONLINE, false],
  ["a visitor", "PUT", "/status/ada", ONLINE, false],
  ["a visitor", "PUT", "/status/null", ONLINE, false],
  ["ada", "PUT", "/status/ada", { ...ONLINE, state: "away" }, false],
  ["ada", "PUT", "/status/ada", { ...ONLINE, state: { is: "online" } }, false],
  ["ada", "PUT", "/status/ada", { ...ONLINE, last_changed: NOW + 1 }, false],
  ["ada", "PUT", "/status/ada", { ...ONLINE, last_changed: NOW - 1 }, false],
  ["ada", "PUT", "/status/ada", { ...ONLINE, mood: "good" }, false],
  ["ada", "PUT", "/status/ada", { state: "online" }, false],
  ["ada", "PUT", "/status/ada", { last_changed: TIMESTAMP }, false],
  ["ada", "PUT", "/status/ada", "online", false],
  ["ada", "PUT", "/status/ada/mood", "good", false],
  ["ada", "PATCH", "/status/ada", ONLINE, true],
  ["bob", "PATCH", "/status/bob", { state: "online" }, false],
  ["ada", "PATCH", "/status", { ada: ONLINE, bob: ONLINE }, false],
  ["ada", "DELETE", "/status/ada", null, true],
  ["bob", "DELETE", "/status/ada", null, false],
  ["ada", "DELETE", "/status/ada/state", null, false],
  ["ada", "DELETE", "/status", null, false],
  ["ada", "PUT", "/connections/ada/c1", CONNECTION, true],
  ["ada", "PUT", "/connections/ada/c2", { ...CONNECTION, photo: PHOTO }, true],
  ["ada", "PUT", "/connections/ada/c0", CONNECTION, true],
  ["bob", "PUT", "/connections/bob/c1", { ...CONNECTION, name: "Anonymous" }, true],
  ["a long name", "PUT", "/connections/a long name/c1", longName(80), true],
  ["a long name", "PUT", "/connections/a long name/c1", longName(79), true],
  ["a long name", "PUT", "/connections/a long name/c1", longName(78), false],
  ["a long name", "PUT", "/connections/a long name/c1", longName(81), false],
  ["bob", "PUT", "/connections/ada/c1", { ...CONNECTION, name: "Anonymous" }, false],
  ["bob", "PUT", "/connections/ada/c1", CONNECTION, false],
  ["bob", "PUT", "/connections/bob/c1", CONNECTION, false],
  ["ada", "PUT", "/connections/ada/c1", { ...CONNECTION, name: "Eve" }, false],
  ["ada", "PUT", "/connections/ada/c1", { ...CONNECTION, name: "Anonymous" }, false],
  ["ada", "PUT", "/connections/ada/c1", { ...CONNECTION, name: "" }, false],
  ["ada", "PUT", "/connections/ada/c1", { ...CONNECTION, name: { first: "Ada" } }, false],
  ["ada", "PUT", "/connections/ada/c1", { ...CONNECTION, photo: `${PHOTO}?size=2` }, false],
  ["bob", "PUT", "/connections/bob/c1", { ...CONNECTION, name: "Anonymous", photo: PHOTO }, false],
  [
    "an uploaded photo",
    "PUT",
    "/connections/an uploaded photo/c1",
    { ...CONNECTION, photo: PICTURE },
    true,
  ],
  [
    "an uploaded photo",
    "PUT",
    "/connections/an uploaded photo/c1",
    { ...CONNECTION, photo: PICTURE.replace("ada", "bob") },
    false,
  ],
  [
    "an http photo",
    "PUT",
    "/connections/an http photo/c1",
    { ...CONNECTION, photo: "http://photos.example/ada.png" },
    false,
  ],
  ["a long photo", "PUT", "/connections/a long photo/c1", withPhoto(MAX_PHOTO_LENGTH), true],
  [
    "a longer photo",
    "PUT",
    "/connections/a longer photo/c1",
    withPhoto(MAX_PHOTO_LENGTH + 1),
    false,
  ],
  ["ada", "PUT", `/connections/ada/c${MAX_CONNECTIONS - 1}`, CONNECTION, true],
  ["ada", "PUT", `/connections/ada/c${MAX_CONNECTIONS}`, CONNECTION, false],
  ["ada", "PUT", "/connections/ada/c1", { ...CONNECTION, time: NOW - 1 }, false],
  ["ada", "PUT", "/connections/ada/c1", { name: "Ada" }, false],
  ["ada", "PUT", "/connections/ada/c1", { time: TIMESTAMP }, false],
  ["ada", "PUT", "/connections/ada/c1", { ...CONNECTION, mood: "good" }, false],
  ["ada", "PUT", "/connections/ada/c1", "Ada", false],
  ["ada", "PUT", "/connections/ada", "Ada", false],
  ["ada", "PUT", "/connections/ada/1", CONNECTION, false],
  ["ada", "PUT", "/connections/ada/c01", CONNECTION, false],
  ["ada", "PUT", "/connections", { ada: { c1: CONNECTION } }, false],
  ["a visitor", "PUT", "/connections/ada/c1", CONNECTION, false],
  ["ada", "DELETE", "/connections/ada/c0", null, true],
  ["ada", "DELETE", "/connections/ada", null, true],
  ["ada", "DELETE", "/connections/ada/c0/name", null, false],
  ["bob", "DELETE", "/connections/ada/c0", null, false],
  ["ada", "PUT", "/unseen/ada", true, true],
  ["ada", "PUT", "/unseen/ada", false, true],
  ["ada", "PUT", "/unseen/ada", "true", false],
  ["ada", "PUT", "/unseen/ada", { on: true }, false],
  ["ada", "DELETE", "/unseen/ada", null, true],
  ["bob", "PUT", "/unseen/ada", false, false],
  ["a visitor", "PUT", "/unseen/ada", false, false],
  ["eve", "PUT", "/status/eve", ONLINE, false],
  ["eve", "PUT", "/status/eve", { ...ONLINE, state: "offline" }, false],
  ["eve", "PUT", "/connections/eve/c0", { ...CONNECTION, name: "Eve" }, false],
  ["eve", "PUT", "/typing/general/eve", true, false],
  ["eve", "DELETE", "/status/eve", null, true],
  ["eve", "DELETE", "/connections/eve/c0", null, true],
  ["eve", "DELETE", "/typing/general/eve", null, true],
  [
    "ada",
    "PATCH",
    "/",
    {
      "unseen/ada": true,
      "status/ada": null,
      "connections/ada": null,
      "typing/general/ada": null,
    },
    true,
  ],
  ["ada", "PUT", "/typing/general/ada", true, true],
  ["bob", "PUT", "/typing/general/ada", true, false],
  ["a visitor", "PUT", "/typing/general/ada", true, false],
  ["a visitor", "PUT", "/typing/general/null", true, false],
  ["ada", "PUT", "/typing/general/ada", false, false],
  ["ada", "PUT", "/typing/general/ada", "true", false],
  ["ada", "PUT", "/typing/general/ada", { now: true }, false],
  ["ada", "DELETE", "/typing/general/ada", null, true],
  ["bob", "DELETE", "/typing/general/ada", null, false],
  ["max", "PUT", "/typing/general/max", true, false],
  ["max", "DELETE", "/typing/general/max", null, true],
  ["max", "PUT", "/status/max", ONLINE, true],
  ["kim", "PUT", "/typing/general/kim", true, true],
  ["olga", "PUT", "/muted/ada", MUTED, true],
  ["olga", "PATCH", "/", { "muted/ada/until": NOW + 5, "muted/ada/reason": "Spam" }, true],
  ["olga", "PUT", "/muted/max", MUTED, true],
  ["olga", "DELETE", "/muted/max", null, true],
  ["olga", "PUT", "/muted/ada", { until: NOW + 5 }, false],
  ["olga", "PUT", "/muted/ada", { ...MUTED, until: "tomorrow" }, false],
  ["olga", "PUT", "/muted/ada", { ...MUTED, reason: "x".repeat(500) }, true],
  ["olga", "PUT", "/muted/ada", { ...MUTED, reason: "x".repeat(501) }, false],
  ["olga", "PUT", "/muted/ada", { ...MUTED, by: "olga" }, false],
  ["olga", "PUT", "/muted/ada", true, false],
  ["olga", "DELETE", "/muted/olga", null, false],
  ["olga", "PUT", "/muted", { ada: MUTED }, false],
  ["a page of an operator", "PUT", "/muted/ada", MUTED, false],
  ["zoe", "PUT", "/muted/ada", MUTED, false],
  ["max", "DELETE", "/muted/max", null, false],
  ["bob", "PUT", "/muted/ada", MUTED, false],
  ["a visitor", "PUT", "/muted/ada", MUTED, false],
  ["ada", "PUT", "/typing/elsewhere/ada", true, false],
  ["ada", "PUT", "/typing/general", { ada: true }, false],
  ["ada", "PUT", "/elsewhere", 1, false],
  ["ada", "DELETE", "/", null, false],
])("%s sends %s to %s with %j: %s", async (user, method, path, data, isAllowed) => {
  expect(await send(user, method, path, data)).toBe(isAllowed ? 200 : 401);
});

test.each<[path: string, value: unknown]>([
  ["/status/ada", { ...ONLINE, ".priority": "x" }],
  ["/status/ada", { ...ONLINE, state: { ".value": "online", ".priority": "x" } }],
  ["/status/ada", { ...ONLINE, last_changed: { ".value": NOW, ".priority": "x" } }],
  ["/connections/ada", { c1: CONNECTION, ".priority": "x" }],
  ["/connections/ada/c1", { ...CONNECTION, ".priority": "x" }],
  ["/connections/ada/c1", { ...CONNECTION, name: { ".value": "Ada", ".priority": "x" } }],
  ["/connections/ada/c1", { ...CONNECTION, photo: { ".value": PHOTO, ".priority": "x" } }],
  ["/connections/ada/c1", { ...CONNECTION, time: { ".value": NOW, ".priority": "x" } }],
  ["/typing/general/ada", { ".value": true, ".priority": "x" }],
  ["/typing/general/ada", { ".value": true, ".priority": 5 }],
  ["/typing/general/ada/.priority", "x"],
  ["/typing/general/ada/.priority", TIMESTAMP],
  ["/unseen/ada", { ".value": true, ".priority": "x" }],
])("rejects a priority, which could be megabytes: %s, %j", async (path, value) => {
  expect(await send("ada", "PUT", path, value)).toBe(401);
});

async function send(user: TestUser, method: string, path: string, data?: unknown): Promise<number> {
  const rules = await readDatabaseRules();
  await using server = await startTestDatabase({ rules, now: () => NOW });
  server.import({ [NAMESPACE]: STORED });
  const auth = user === "a visitor" ? "" : `?auth=${createToken(user, CLAIMS[user])}`;
  const body = method === "PUT" || method === "PATCH" ? { body: JSON.stringify(data) } : {};
  const response = await sendRest(server, `${path}.json${auth}`, { method, ...body }, "nobody");
  return response.status;
}

/** Returns a connection whose photo has an address of this length. */
function withPhoto(length: number) {
  return { ...CONNECTION, photo: PHOTO.padEnd(length, "x") };
}

function longName(length: number) {
  return { ...CONNECTION, name: LONG_NAME.slice(0, length) };
}
