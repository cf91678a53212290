import { readFile } from "node:fs/promises";

import { expect, test } from "vitest";

import { toAuthError } from "#app/firebase/auth-error.server.ts";

interface Row {
  server: string;
  code: string;
  debugMessage: string;
}

// What the SDK, with its own sentences switched on, made of each of the service's answers.
const file = new URL("golden/sdk-error-map.json", import.meta.url);
const rows: Row[] = JSON.parse(await readFile(file, "utf8"));
const refusals = rows.filter(({ server }) => !/^\d{3} |^connection reset$/.test(server));

test.each(refusals)("$server is said in the SDK's words", ({ server, code, debugMessage }) => {
  const error = toAuthError(server);

  expect(`auth/${error.code}`).toBe(code);
  expect(error.message).toBe(debugMessage);
});

test("no answer is the SDK's network error", () => {
  expect(toAuthError(undefined).message).toBe(
    "Firebase: A network AuthError (such as timeout, interrupted connection or unreachable host) has occurred. (auth/network-request-failed).",
  );
});

test("a refusal without words has none", () => {
  expect(toAuthError("").message).toBe("");
});
