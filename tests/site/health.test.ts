import { readFile } from "node:fs/promises";

import { expect, onTestFinished, test, vi } from "vitest";

import { RULES_VERSION } from "#app/firebase/rules-version.ts";
import { loader } from "#app/routes/healthz.ts";
import { createHealthCheck } from "#app/site/health.server.ts";
import { sendJson, startServer } from "#tests/support/server.ts";
import { readJson, startApp } from "#tests/support/routes.ts";
import { getVersionedFiles } from "../../deploy/rules-version.ts";
import { onRequest } from "../../functions/_middleware.ts";

test("responds with 200 when the environment and Firebase work, and is not cached", async () => {
  await using app = await startApp();

  const response = await app.send(loader, "/healthz");

  expect(response.status).toBe(200);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  expect(await readJson(response)).toMatchObject({
    isHealthy: true,
    rulesVersion: RULES_VERSION,
    checks: ["environment", "sessionKey", "auth", "firestore", "database"].map((name) => ({
      name,
      isOk: true,
    })),
  });
});

test("names invalid variables without their values", async () => {
  await using app = await startApp();
  const invalid = app.withVariables({ SESSION_SECRET: "much too short", FIREBASE_PROJECT_ID: "" });

  const response = await invalid.send(loader, "/healthz");

  expect(response.status).toBe(503);
  const health = await readJson(response);
  expect(health).toMatchObject({
    isHealthy: false,
    checks: [
      {
        name: "environment",
        isOk: false,
        problem: "invalid",
        variables: ["SESSION_SECRET", "FIREBASE_PROJECT_ID"],
      },
    ],
  });
  expect(JSON.stringify(health)).not.toContain("much too short");
});

test("requests within ten seconds share one check", async () => {
  await using app = await startApp();
  let calls = 0;
  await using server = await startServer((response) => {
    calls += 1;
    sendJson(response, 404, {});
  });
  const clock = { now: Date.UTC(2026, 0, 1) };
  const env = { ...app.env, FIREBASE_DATABASE_EMULATOR_HOST: server.host };
  const check = createHealthCheck(env, () => clock.now);

  const [first, second] = await Promise.all([check(), check()]);
  clock.now += 9999;
  const third = await check();
  expect(calls).toBe(1);
  expect([second, third]).toEqual([first, first]);

  clock.now += 1;
  await check();
  expect(calls).toBe(2);
});

const HEALTHY = { isHealthy: true, rulesVersion: RULES_VERSION, checks: [] };

test("a check that rejects is not shared", async () => {
  const run = vi.fn(() => Promise.resolve(HEALTHY));
  run.mockRejectedValueOnce(new Error("Out of memory"));
  const check = createHealthCheck({}, () => 0, run);

  await expect(check()).rejects.toThrow("Out of memory");

  expect(await check()).toEqual(HEALTHY);
});

test("requests wait 3.5 s at most for a check whose request has ended, and then share a new one", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const run = vi.fn(() => Promise.resolve(HEALTHY));
  run.mockReturnValueOnce(new Promise(() => undefined));
  const check = createHealthCheck({}, () => 0, run);
  void check();

  const results = Promise.all([check(), check()]);
  await vi.advanceTimersByTimeAsync(3500);

  expect(await results).toEqual([HEALTHY, HEALTHY]);
  expect(run).toHaveBeenCalledTimes(2);
});

test.each([
  ["FIREBASE_AUTH_EMULATOR_HOST", "auth"],
  ["FIRESTORE_EMULATOR_HOST", "firestore"],
  ["FIREBASE_DATABASE_EMULATOR_HOST", "database"],
])("without a response from %s, only %s fails", async (variable, name) => {
  await using app = await startApp();
  const broken = app.withVariables({ [variable]: "127.0.0.1:1" });

  const response = await broken.send(loader, "/healthz");

  expect(response.status).toBe(503);
  expect(await readProblems(response)).toEqual({ [name]: "no-answer" });
});

const DENIED = {
  error: { code: 403, status: "PERMISSION_DENIED", message: "Missing permissions." },
};
const DISABLED = {
  error: { ...DENIED.error, message: "Cloud Firestore API has not been used in project 1." },
};
const NO_DATABASE = {
  error: { code: 404, status: "NOT_FOUND", message: "The database (default) does not exist." },
};
const NO_KEY = { error: { code: 400, message: "API key not valid. Please pass a valid API key." } };
const BLOCKED = { error: { code: 403, message: "Requests from referer <empty> are blocked." } };
const NO_AUTH = { error: { code: 400, message: "CONFIGURATION_NOT_FOUND" } };

test.each([
  ["firestore", "old-rules", 403, DENIED],
  ["firestore", "missing", 403, DISABLED],
  ["firestore", "missing", 404, NO_DATABASE],
  ["database", "old-rules", 401, { error: "Permission denied" }],
  ["database", "missing", 404, { error: "404 Not Found" }],
  ["auth", "rejected", 400, NO_KEY],
  ["auth", "rejected", 403, BLOCKED],
  ["auth", "missing", 400, NO_AUTH],
])("%s fails with %s when it responds with %i and %j", async (name, problem, status, body) => {
  await using app = await startApp();
  await using server = await startServer((response) => sendJson(response, status, body));
  const variable = {
    auth: "FIREBASE_AUTH_EMULATOR_HOST",
    database: "FIREBASE_DATABASE_EMULATOR_HOST",
    firestore: "FIRESTORE_EMULATOR_HOST",
  }[name];
  const broken = app.withVariables({ [variable ?? ""]: server.host });

  expect(await readProblems(await broken.send(loader, "/healthz"))).toEqual({ [name]: problem });
});

test("only the rules of this release allow reading their version", async () => {
  await using app = await startApp();
  const { FIRESTORE_EMULATOR_HOST: firestore, FIREBASE_DATABASE_EMULATOR_HOST: database } =
    app.firebase.hosts;
  const { FIREBASE_PROJECT_ID: project } = app.env;
  const getStatuses = async (version: string) => {
    const document = `projects/${project}/databases/(default)/documents/rulesVersion/${version}`;
    const addresses = [
      `http://${firestore}/v1/${document}`,
      `http://${database}/rulesVersion/${version}.json?ns=${project}-default-rtdb`,
    ];
    return Promise.all(addresses.map(async (address) => (await fetch(address)).status));
  };

  expect(await getStatuses(RULES_VERSION)).toEqual([404, 200]);
  expect(await getStatuses("00000000")).toEqual([403, 401]);
});

test("the version matches the rules; if not, run `npm run rules:version`", async () => {
  const files = await getVersionedFiles();

  expect(files.filter(({ isOld }) => isOld).map(({ path }) => path)).toEqual([]);
  expect(await readFile("firestore.rules", "utf8")).toContain(RULES_VERSION);
});

test("responds during maintenance too", async () => {
  const next = vi.fn(() => Promise.resolve(new Response("healthy")));
  const request = new Request("https://inkglade.example/healthz");

  const response = await onRequest({ request, env: { MAINTENANCE: "1" }, next });

  expect([response.status, await response.text()]).toEqual([200, "healthy"]);
});

/** Returns the problems of the failed checks by their names. */
async function readProblems(response: Parameters<typeof readJson>[0]): Promise<object> {
  const { checks } = Object(await readJson(response));
  return Object.fromEntries(
    checks
      .filter(({ isOk }: { isOk: boolean }) => !isOk)
      .map(({ name, problem }: { name: string; problem: string }) => [name, problem]),
  );
}
