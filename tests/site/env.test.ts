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

test("an empty environment is refused with the whole list of what is missing", () => {
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

test("with emulators nothing secret is needed but the session's secret", () => {
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
])("a malformed %s is named, and its value is not shown", (name, value) => {
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
  ["with backslashes doubled", pem.replaceAll("\n", String.raw`\\n`)],
  ["quoted twice", JSON.stringify(JSON.stringify(pem))],
  ["with the line ends of Windows", pem.replaceAll("\n", "\r\n")],
  ["with those escaped", pem.replaceAll("\n", String.raw`\r\n`)],
  ["indented", [first, ...rest].map((line) => `    ${line}  `).join("\n")],
  ["with blanks for line ends", pem.replaceAll("\n", " ")],
  ["without the last line end", pem.trim()],
  ["with its name", `"private_key": "${oneLine}",`],
  ["in its whole file", JSON.stringify({ type: "service_account", private_key: pem })],
])("a private key %s is the same key", (_how, key) => {
  expect(readEnv({ ...local, FIREBASE_PRIVATE_KEY: key }).FIREBASE_PRIVATE_KEY).toBe(pem);
});

const body = pem.split("\n").slice(1, -2);
const frame = (lines: string[], name = "PRIVATE KEY") =>
  [`-----BEGIN ${name}-----`, ...lines, `-----END ${name}-----`, ""].join("\n");

test.each([
  ["cut off at its end", pem.slice(0, 800), "It is cut off"],
  ["cut off within", frame(body.slice(0, 12)), "It is cut off or damaged"],
  [
    "one letter short",
    frame([...body.slice(0, -1), body.at(-1)?.slice(1) ?? ""]),
    "cut off or damaged",
  ],
  ["with a letter too many", frame([`M${body[0]}`, ...body.slice(1)]), "cut off or damaged"],
  ["with other letters", frame([...body.slice(0, 5), "…", ...body.slice(5)]), "cut off or damaged"],
  ["that is empty", frame([]), "cut off or damaged"],
  ["without its frame", body.join(""), "Expected the private_key of a service account"],
  [
    "of the older kind",
    frame(body, "RSA PRIVATE KEY"),
    "Expected the private_key of a service account",
  ],
  ["of elliptic curves", createTestKey("ec"), "Expected an RSA key"],
])(
  "a private key %s is named with what is wrong, in one line without any of it",
  (_how, key, why) => {
    const read = () => readEnv({ ...local, FIREBASE_API_KEY: "", FIREBASE_PRIVATE_KEY: key });

    const fault = z.instanceof(EnvironmentError).parse(catchError(read));
    expect(fault.message).toContain("FIREBASE_API_KEY");
    const [line = "", at] = fault.message.split("\n").slice(-2);
    expect([line, at]).toEqual([expect.stringContaining(why), "  → at FIREBASE_PRIVATE_KEY"]);
    for (const part of key.split("\n").slice(1, 6)) {
      if (/^[\w+/=]{8,}$/.test(part)) expect(fault.message).not.toContain(part);
    }
    expect(fault.cause).toBeUndefined();
  },
);

test("a deployment whose private key is damaged serves no page and does nothing, from its first request on", async () => {
  const key = frame(body.slice(0, 12));
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

test("a deployment without its environment serves no page", async () => {
  const context = { cloudflare: { env: {} } };
  const request = new Request("http://localhost/home");

  await expect(loader({ request, params: {}, context })).rejects.toThrow(EnvironmentError);
});
