import { expect, test } from "vitest";
import * as z from "zod";

import { EnvironmentError, readEnv } from "#app/env.server.ts";
import { loader } from "#app/root.tsx";
import { action as login } from "#app/routes/login.tsx";
import { createTestKey } from "#tests/support/private-key.ts";

const local = {
  SESSION_SECRET: "a secret that is at least 32 characters",
  FIREBASE_API_KEY: "local",
  FIREBASE_PROJECT_ID: "demo-inkglade",
  FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:9099",
  FIRESTORE_EMULATOR_HOST: "127.0.0.1:8080",
  FIREBASE_DATABASE_EMULATOR_HOST: "127.0.0.1:9000",
};

test("rejects an empty environment with a list of the missing variables", () => {
  const names = [
    "SESSION_SECRET",
    "FIREBASE_API_KEY",
    "FIREBASE_PROJECT_ID",
    "FIREBASE_DATABASE_URL",
    "FIREBASE_CLIENT_EMAIL",
    "FIREBASE_PRIVATE_KEY",
  ];

  expect(() => readEnv({})).toThrow(EnvironmentError);
  for (const name of names) expect(() => readEnv({})).toThrow(name);
});

test("needs no secret but the session secret with emulators", () => {
  expect(readEnv(local)).toMatchObject(local);
});

test.each([
  ["SESSION_SECRET", "too short"],
  ["SESSION_SECRET_PREVIOUS", "too short"],
  ["FIREBASE_AUTH_EMULATOR_HOST", "http://127.0.0.1:9099"],
  ["FIREBASE_DATABASE_URL", "my-database"],
  ["FIREBASE_CLIENT_EMAIL", "nobody"],
  ["FIREBASE_PRIVATE_KEY", "secret"],
  ["FIREBASE_PROJECT_ID", "My Project"],
])("names a malformed %s without showing its value", (name, value) => {
  const read = () => readEnv({ ...local, [name]: value });

  expect(read).toThrow(name);
  expect(read).not.toThrow(value);
});

const pem = createTestKey();
const [first = "", ...rest] = pem.trim().split("\n");
const oneLine = pem.replaceAll("\n", String.raw`\n`);

test.each([
  ["as it is", pem],
  ["on one line", oneLine],
  ["in quotes", `"${oneLine}"`],
  ["in single quotes, with a comma", `'${oneLine}',`],
  ["with doubled backslashes", pem.replaceAll("\n", String.raw`\\n`)],
  ["quoted twice", JSON.stringify(JSON.stringify(pem))],
  ["with Windows line endings", pem.replaceAll("\n", "\r\n")],
  ["with escaped Windows line endings", pem.replaceAll("\n", String.raw`\r\n`)],
  ["indented", [first, ...rest].map((line) => `    ${line}  `).join("\n")],
  ["with spaces instead of line breaks", pem.replaceAll("\n", " ")],
  ["without the final line break", pem.trim()],
  ["with its JSON property name", `"private_key": "${oneLine}",`],
  ["in the whole JSON file", JSON.stringify({ type: "service_account", private_key: pem })],
])("reads a private key %s", (_how, key) => {
  expect(readEnv({ ...local, FIREBASE_PRIVATE_KEY: key }).FIREBASE_PRIVATE_KEY).toBe(pem);
});

const body = pem.split("\n").slice(1, -2);
const toPem = (lines: string[], name = "PRIVATE KEY") =>
  [`-----BEGIN ${name}-----`, ...lines, `-----END ${name}-----`, ""].join("\n");

test.each([
  ["cut off at its end", pem.slice(0, 800), "It is cut off"],
  ["cut off in the middle", toPem(body.slice(0, 12)), "It is cut off or damaged"],
  [
    "one letter short",
    toPem([...body.slice(0, -1), body.at(-1)?.slice(1) ?? ""]),
    "cut off or damaged",
  ],
  ["with an extra letter", toPem([`M${body[0]}`, ...body.slice(1)]), "cut off or damaged"],
  [
    "with other characters",
    toPem([...body.slice(0, 5), "…", ...body.slice(5)]),
    "cut off or damaged",
  ],
  ["that is empty", toPem([]), "cut off or damaged"],
  ["without its header and footer", body.join(""), "Expected the private_key of a service account"],
  [
    "in the older RSA format",
    toPem(body, "RSA PRIVATE KEY"),
    "Expected the private_key of a service account",
  ],
  ["for elliptic curves", createTestKey("ec"), "Expected an RSA key"],
])(
  "explains in one line what is wrong with a private key %s, without showing it",
  (_how, key, why) => {
    const read = () => readEnv({ ...local, FIREBASE_API_KEY: "", FIREBASE_PRIVATE_KEY: key });

    const error = z.instanceof(EnvironmentError).parse(catchError(read));
    expect(error.message).toContain("FIREBASE_API_KEY");
    const [line = "", at] = error.message.split("\n").slice(-2);
    expect([line, at]).toEqual([expect.stringContaining(why), "  → at FIREBASE_PRIVATE_KEY"]);
    for (const part of key.split("\n").slice(1, 6)) {
      if (/^[\w+/=]{8,}$/.test(part)) expect(error.message).not.toContain(part);
    }
    expect(error.cause).toBeUndefined();
  },
);

test("serves no page and runs no action with a damaged private key", async () => {
  const key = toPem(body.slice(0, 12));
  const context = { cloudflare: { env: { ...local, FIREBASE_PRIVATE_KEY: key } } };

  for (const handler of [login, loader]) {
    const form = new URLSearchParams({ email: "ana@example.com", password: "correct horse" });
    const request = new Request("http://localhost/login", { method: "POST", body: form });
    await expect(handler({ request, params: {}, context })).rejects.toThrow(EnvironmentError);
  }
});

function catchError(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

test("serves no page without its environment variables", async () => {
  const context = { cloudflare: { env: {} } };
  const request = new Request("http://localhost/home");

  await expect(loader({ request, params: {}, context })).rejects.toThrow(EnvironmentError);
});
