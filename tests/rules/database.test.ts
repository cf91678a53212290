import { readFile } from "node:fs/promises";

import { expect, test } from "vitest";

import { createToken, NAMESPACE, sendRest, startTestDatabase } from "#tests/support/database.ts";

const NOW = 1_700_000_000_000;
const TIMESTAMP = { ".sv": "timestamp" };
const ONLINE = { state: "online", last_changed: TIMESTAMP };
const STORED = {
  status: { ada: { state: "online", last_changed: 1 } },
  typing: { general: { ada: true } },
};

type TestUser = "ada" | "bob" | "a visitor";

test.each<[TestUser, string, boolean]>([
  ["ada", "/status/ada", true],
  ["bob", "/status/ada", true],
  ["a visitor", "/status/ada", false],
  ["bob", "/status/ada/state", true],
  ["bob", "/status", false],
  ["bob", "/typing/general", true],
  ["bob", "/typing/general/ada", true],
  ["a visitor", "/typing/general", false],
  ["bob", "/typing/elsewhere", false],
  ["bob", "/typing", false],
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
  ["ada", "PUT", "/typing/general/ada", true, true],
  ["bob", "PUT", "/typing/general/ada", true, false],
  ["a visitor", "PUT", "/typing/general/ada", true, false],
  ["a visitor", "PUT", "/typing/general/null", true, false],
  ["ada", "PUT", "/typing/general/ada", false, false],
  ["ada", "PUT", "/typing/general/ada", "true", false],
  ["ada", "PUT", "/typing/general/ada", { now: true }, false],
  ["ada", "DELETE", "/typing/general/ada", null, true],
  ["bob", "DELETE", "/typing/general/ada", null, false],
  ["ada", "PUT", "/typing/elsewhere/ada", true, false],
  ["ada", "PUT", "/typing/general", { ada: true }, false],
  ["ada", "PUT", "/elsewhere", 1, false],
  ["ada", "DELETE", "/", null, false],
])("%s sends %s to %s with %j: %s", async (user, method, path, data, isAllowed) => {
  expect(await send(user, method, path, data)).toBe(isAllowed ? 200 : 401);
});

async function send(user: TestUser, method: string, path: string, data?: unknown): Promise<number> {
  const rules = await readFile(new URL("../../database.rules.json", import.meta.url), "utf8");
  await using server = await startTestDatabase({ rules, now: () => NOW });
  server.import({ [NAMESPACE]: STORED });
  const auth = user === "a visitor" ? "" : `?auth=${createToken(user)}`;
  const body = method === "PUT" || method === "PATCH" ? { body: JSON.stringify(data) } : {};
  const response = await sendRest(server, `${path}.json${auth}`, { method, ...body }, "nobody");
  return response.status;
}
