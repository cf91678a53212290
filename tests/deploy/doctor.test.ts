import { expect, test, vi } from "vitest";

import { createTestKey } from "#tests/support/private-key.ts";
import { sendJson, startServer } from "#tests/support/server.ts";
import { startApp } from "#tests/support/routes.ts";
import { checkProject, checkSite } from "../../deploy/diagnose.ts";

/** Runs a check, and returns its result and what it prints. */
async function run(check: () => Promise<boolean>) {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  const isOk = await check();
  return { isOk, output: log.mock.calls.flat().join("\n") };
}

test("approves a project that is set up", async () => {
  await using app = await startApp();

  const shell = { ...app.env, FIREBASE_PRIVATE_KEY: createTestKey() };
  const { isOk, output } = await run(() => checkProject(shell, "pages"));

  expect(output.split("\n")).toEqual([
    "✓ environment",
    "✓ sessionKey",
    "✓ auth",
    "✓ firestore",
    "✓ database",
    "✓ sign-in",
  ]);
  expect(isOk).toBe(true);
});

test.each(["pages", "worker"] as const)(
  "names the variables that are missing for %s, and the secrets that it can't check",
  async (deployment) => {
    const { isOk, output } = await run(() => checkProject({}, deployment));

    expect(isOk).toBe(false);
    expect(output).toContain("✗ environment: invalid FIREBASE_API_KEY FIREBASE_PROJECT_ID");
    expect(output).toContain("Public variables belong in wrangler.toml.");
    expect(output).toContain("- SESSION_SECRET is a secret");
  },
);

test("says where to turn on what sign-in needs", async () => {
  await using app = await startApp();
  await using server = await startServer((response) =>
    sendJson(response, 400, { error: { message: "INVALID_LOGIN_CREDENTIALS" } }),
  );

  const shell = { ...app.env, FIREBASE_AUTH_EMULATOR_HOST: server.host };
  const { isOk, output } = await run(() => checkProject(shell, "pages"));

  expect(isOk).toBe(false);
  expect(output).toContain(
    "✗ sign-in: sign-in unnamed-errors\n  Email enumeration protection is on",
  );
});

test("explains what a deployed site says about itself", async () => {
  const checks = [
    { name: "environment", isOk: true, ms: 0 },
    { name: "firestore", isOk: false, ms: 3, problem: "old-rules" },
  ];
  await using server = await startServer((response, request) => {
    const isAsked = request.url === "/healthz";
    sendJson(response, isAsked ? 503 : 404, { isHealthy: false, rulesVersion: "x", checks });
  });

  const { isOk, output } = await run(() => checkSite(`http://${server.host}`));

  expect(isOk).toBe(false);
  expect(output).toBe(
    "✓ environment\n✗ firestore: old-rules\n" +
      "  The deployed rules are not those of this release: `npm run deploy:rules -- --project <id>`.",
  );
});

test("a site that redirects /healthz is not this app", async () => {
  await using server = await startServer((response) =>
    response.writeHead(302, { Location: "/home" }).end(),
  );

  const { isOk, output } = await run(() => checkSite(`http://${server.host}`));

  expect(isOk).toBe(false);
  expect(output).toContain("no response from /healthz");
});
