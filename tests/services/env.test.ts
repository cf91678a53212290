import { expect, test } from "vitest";

import { loader } from "#app/root.tsx";
import { EnvironmentError, readEnv } from "#app/services/env.server.ts";

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

test("a private key on one line is as good as one on many", () => {
  const key = String.raw`-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\n`;

  expect(readEnv({ ...local, FIREBASE_PRIVATE_KEY: key }).FIREBASE_PRIVATE_KEY).toContain(
    "\nMIIE\n",
  );
});

test("a deployment without its environment serves no page", async () => {
  const context = { cloudflare: { env: {} } };
  const request = new Request("http://localhost/home");

  await expect(loader({ request, params: {}, context })).rejects.toThrow(EnvironmentError);
});
