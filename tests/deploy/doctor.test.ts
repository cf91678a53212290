import { text } from "node:stream/consumers";

import { decodeJwt } from "jose";
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
  await using google = await startTokenEndpoint(200, { access_token: "x", token_type: "Bearer" });

  const shell = { ...app.env, ...createServiceAccount() };
  const { isOk, output } = await run(() => checkProject(shell, "pages", google.url));

  expect(output.split("\n")).toEqual([
    "✓ environment",
    "✓ sessionKey",
    "✓ auth",
    "✓ firestore",
    "✓ database",
    "✓ sign-in",
    "✓ indexes",
    "✓ service-account",
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
  expect(output).toContain("✗ sign-in: unnamed-errors\n  Email enumeration protection is on");
});

test.each([
  ["unknown", 400, "Invalid grant: account not found", "FIREBASE_CLIENT_EMAIL"],
  ["wrong-key", 400, "Invalid JWT Signature.", "Keys → Add key"],
  ["wrong-clock", 400, "Invalid JWT: Token must be a short-lived token (60 minutes)", "clock"],
  ["rejected", 400, "Something else", "is it enabled"],
  ["no-answer", 503, "Try again", "doesn't respond"],
])(
  "says that a service account is %s when Google responds with %i %s",
  async (problem, status, description, advice) => {
    await using app = await startApp();
    const body = { error: "invalid_grant", error_description: description };
    await using google = await startTokenEndpoint(status, body);

    const shell = { ...app.env, ...createServiceAccount() };
    const { isOk, output } = await run(() => checkProject(shell, "pages", google.url));

    expect(isOk).toBe(false);
    expect(output).toContain(`✗ service-account: ${problem}\n`);
    expect(output.slice(output.indexOf("service-account"))).toContain(advice);
  },
);

test("does not approve a key that is not in the shell", async () => {
  await using app = await startApp();

  const { output } = await run(() => checkProject(app.env, "pages", "http://127.0.0.1:1/token"));

  expect(output).toContain("- FIREBASE_PRIVATE_KEY is a secret");
  expect(output).toContain(
    "Without this check, a deleted key shows only as a room with nobody in it.",
  );
  expect(output).not.toContain("service-account");
});

test("warns about a service account of another project", async () => {
  await using app = await startApp();
  await using google = await startTokenEndpoint(200, { access_token: "x", token_type: "Bearer" });

  const shell = { ...app.env, ...createServiceAccount(), FIREBASE_PROJECT_ID: "inkglade-other" };
  const { output } = await run(() => checkProject(shell, "pages", google.url));

  expect(output).toContain("! service-account: FIREBASE_CLIENT_EMAIL");
  expect(output).toContain("@inkglade-other.iam.gserviceaccount.com");
  expect(output).toContain("✓ service-account");
});

test("says which indexes are missing or not built yet", async () => {
  await using app = await startApp();
  await using firestore = await startServer(async (response, request) => {
    if (!request.url?.endsWith(":runQuery")) {
      sendJson(response, 200, [{ missing: "none", readTime: new Date().toISOString() }]);
      return;
    }
    const query = await text(request);
    const isBuilt = !query.includes('"words"');
    const message = "The query requires an index that is not ready yet.";
    const error = { code: 400, status: "FAILED_PRECONDITION", message };
    sendJson(response, isBuilt ? 200 : 400, isBuilt ? [{ readTime: "x" }] : [{ error }]);
  });

  const shell = { ...app.env, FIRESTORE_EMULATOR_HOST: firestore.host };
  const { isOk, output } = await run(() => checkProject(shell, "pages"));

  expect(isOk).toBe(false);
  expect(output).toContain("✗ indexes: not-ready stories(terms, words) stories(terms, words desc)");
});

/** The two variables of a service account. */
function createServiceAccount() {
  return {
    FIREBASE_CLIENT_EMAIL: "tokens@demo-inkglade.iam.gserviceaccount.com",
    FIREBASE_PRIVATE_KEY: createTestKey(),
  };
}

/** Responds like Google's token endpoint, if the request is as Google expects. */
async function startTokenEndpoint(status: number, body: object) {
  const server = await startServer(async (response, request) => {
    const form = new URLSearchParams(await text(request));
    const { iss, aud, scope } = decodeJwt(form.get("assertion") ?? "");
    expect(form.get("grant_type")).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
    expect(iss).toBe("tokens@demo-inkglade.iam.gserviceaccount.com");
    expect(aud).toBe("https://oauth2.googleapis.com/token");
    expect(scope).toMatch(/^https:/);
    sendJson(response, status, body);
  });
  return { ...server, url: `http://${server.host}/token` };
}

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

test("an address that doesn't respond is not said to have responded", async () => {
  const { isOk, output } = await run(() => checkSite("http://127.0.0.1:1"));

  expect(isOk).toBe(false);
  expect(output).toContain("no response from /healthz");
  expect(output).not.toContain("The response is not this app's.");
});
