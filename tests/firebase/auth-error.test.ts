import { readFile } from "node:fs/promises";

import { expect, test } from "vitest";

import { toAuthError } from "#app/firebase/auth-error.server.ts";

interface Row {
  server: string;
  code: string;
  debugMessage: string;
}

// The error that the SDK, with `debugErrorMap`, creates for each error message of the service.
const file = new URL("golden/sdk-error-map.json", import.meta.url);
const rows: Row[] = JSON.parse(await readFile(file, "utf8"));
const rejections = rows.filter(({ server }) => !/^\d{3} |^connection reset$/.test(server));

test.each(rejections)(
  "has the SDK's code and message for $server",
  ({ server, code, debugMessage }) => {
    const error = toAuthError(server);

    expect(`auth/${error.code}`).toBe(code);
    expect(error.message).toBe(debugMessage);
  },
);

test("has the SDK's network error when there was no response", () => {
  expect(toAuthError(undefined).message).toBe(
    "Firebase: A network AuthError (such as timeout, interrupted connection or unreachable host) has occurred. (auth/network-request-failed).",
  );
});

test("gives an empty error message for an empty code", () => {
  expect(toAuthError("").message).toBe("");
});
