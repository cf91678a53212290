import { mkdtemp, rm, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { decodeJwt } from "jose";
import { expect, onTestFinished, test } from "vitest";

import { recordRunning } from "#emulator/running.ts";
import { startFirebase, type TestFirebase } from "#tests/support/firebase.ts";
import { createTestKey } from "#tests/support/private-key.ts";
import { sendJson, startServer } from "#tests/support/server.ts";
import { OperatorsError, runOperators } from "../../deploy/operators.ts";

const run = ({ hosts }: TestFirebase, ...args: string[]) => runOperators(args, { ...hosts });

/** Writes a service account's key to a file, and returns the variable that names it. */
async function writeKey(content: object) {
  const folder = await mkdtemp(join(tmpdir(), "service-account-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, "key.json");
  await writeFile(path, JSON.stringify(content));
  return { GOOGLE_APPLICATION_CREDENTIALS: path };
}

function createKey() {
  return {
    project_id: "demo-inkglade",
    client_email: "operators@demo-inkglade.iam.gserviceaccount.com",
    private_key: createTestKey(),
  };
}

test("adds, lists and removes operators of the local Firebase", async () => {
  await using firebase = await startFirebase();
  await firebase.addAccount({ email: "ana@example.com" });
  await firebase.addAccount({ email: "tomas@example.com" });

  expect(await run(firebase, "list")).toBe("the local Firebase has no operators.");
  expect(await run(firebase, "add", "tomas@example.com")).toMatch(/^tomas@example.com is now an/);
  expect(await run(firebase, "add", "ana@example.com")).toContain("within the hour");
  expect(await run(firebase, "add", "ana@example.com")).toContain("is already an operator");
  expect((await run(firebase, "list")).split("\n")).toEqual([
    "Operators of the local Firebase:",
    "ana@example.com",
    "tomas@example.com",
  ]);
  expect(await run(firebase, "remove", "ana@example.com")).toContain("is no longer an operator");
  expect(await run(firebase, "remove", "ana@example.com")).toContain("isn't an operator");
  expect(await run(firebase, "list")).toBe("Operators of the local Firebase:\ntomas@example.com");
});

test("finds the Firebase that this checkout runs, whatever its port", async () => {
  await using firebase = await startFirebase();
  await firebase.addAccount({ email: "ana@example.com" });
  const removeRecord = await recordRunning(".", firebase.hosts);
  onTestFinished(removeRecord);

  expect(await runOperators(["add", "ana@example.com"], {})).toContain("is now an operator");
});

test("the next token has the claim, beside the account's other claims", async () => {
  await using firebase = await startFirebase();
  const account = await firebase.addAccount();
  const host = firebase.hosts.FIREBASE_AUTH_EMULATOR_HOST;
  const project = `http://${host}/identitytoolkit.googleapis.com/v1/projects/${firebase.projectId}`;
  await fetch(`${project}/accounts:update`, {
    method: "POST",
    headers: { Authorization: "Bearer owner", "Content-Type": "application/json" },
    body: JSON.stringify({ localId: account.localId, customAttributes: '{"tester":true}' }),
  });
  const refresh = async () => {
    const fields = { grant_type: "refresh_token", refresh_token: account.refreshToken };
    const response = await fetch(`http://${host}/securetoken.googleapis.com/v1/token?key=local`, {
      method: "POST",
      body: new URLSearchParams(fields),
    });
    const body: { id_token: string } = await response.json();
    return decodeJwt(body.id_token);
  };

  await run(firebase, "add", account.email);
  expect(await refresh()).toMatchObject({ operator: true, tester: true });
  await run(firebase, "remove", account.email);
  const claims = await refresh();
  expect(claims).toMatchObject({ tester: true });
  expect(claims).not.toHaveProperty("operator");
});

test("acts on the project of a service account's key", async () => {
  await using firebase = await startFirebase();
  const { localId } = await firebase.addAccount({ email: "ana@example.com" });
  await using google = await startServer(async (response, request) => {
    const form = new URLSearchParams(await text(request));
    const { iss, aud, scope } = decodeJwt(form.get("assertion") ?? "");
    expect(iss).toBe("operators@demo-inkglade.iam.gserviceaccount.com");
    expect(aud).toBe("https://oauth2.googleapis.com/token");
    expect(scope).toBe("https://www.googleapis.com/auth/identitytoolkit");
    sendJson(response, 200, { access_token: "owner" });
  });
  const urls = {
    tokenUrl: `http://${google.host}/token`,
    identityUrl: `http://${firebase.hosts.FIREBASE_AUTH_EMULATOR_HOST}/identitytoolkit.googleapis.com`,
  };
  const shell = await writeKey(createKey());

  // Somebody may have registered with Ana's address.
  await expect(runOperators(["add", "ana@example.com"], shell, urls)).rejects.toThrow(
    "ana@example.com is not confirmed",
  );
  await fetch(`${urls.identityUrl}/v1/projects/demo-inkglade/accounts:update`, {
    method: "POST",
    headers: { Authorization: "Bearer owner", "Content-Type": "application/json" },
    body: JSON.stringify({ localId, emailVerified: true }),
  });
  expect(await runOperators(["add", "ana@example.com"], shell, urls)).toContain(
    "ana@example.com is now an operator of demo-inkglade.",
  );
  expect(await run(firebase, "list")).toContain("ana@example.com");
});

test.each([
  [[]],
  [["add"]],
  [["remove"]],
  [["list", "ana@example.com"]],
  [["add", "ana@example.com", "tomas@example.com"]],
  [["promote", "ana@example.com"]],
])("says how it is used after %j", async (args) => {
  await expect(runOperators(args, {})).rejects.toThrow("Usage: npm run operator -- add");
});

test("says that there is no such account, or that nothing responds", async () => {
  await using firebase = await startFirebase();

  await expect(run(firebase, "add", "nobody@example.com")).rejects.toThrow(
    "the local Firebase has no account with the address nobody@example.com.",
  );
  const shell = { FIREBASE_AUTH_EMULATOR_HOST: "127.0.0.1:1" };
  await expect(runOperators(["list"], shell)).rejects.toThrow(
    "No local Firebase responds at 127.0.0.1:1. `npm start` starts it;",
  );
});

test("says what is wrong with a key", async () => {
  await using google = await startServer((response) =>
    sendJson(response, 400, { error: "invalid_grant" }),
  );
  await using identity = await startServer((response) =>
    sendJson(response, 403, { error: { message: "INSUFFICIENT_PERMISSION" } }),
  );
  await using tokens = await startServer((response) =>
    sendJson(response, 200, { access_token: "x" }),
  );
  const shell = await writeKey(createKey());
  const identityUrl = `http://${identity.host}`;

  await expect(
    runOperators(["list"], { GOOGLE_APPLICATION_CREDENTIALS: "/missing.json" }),
  ).rejects.toThrow("/missing.json can't be read.");
  for (const content of [{}, { ...createKey(), private_key: "-----BEGIN PRIVATE KEY-----" }]) {
    await expect(runOperators(["list"], await writeKey(content))).rejects.toThrow(
      "is not a service account's key.",
    );
  }
  const rejected = { tokenUrl: `http://${google.host}`, identityUrl };
  await expect(runOperators(["list"], shell, rejected)).rejects.toThrow(
    "Google does not accept the key",
  );
  const powerless = { tokenUrl: `http://${tokens.host}`, identityUrl };
  await expect(runOperators(["list"], shell, powerless)).rejects.toThrow(
    "403 INSUFFICIENT_PERMISSION. The service account needs the role Firebase Authentication Admin.",
  );
});

test.each<[string, (response: ServerResponse) => unknown]>([
  [
    "stops midway",
    (response) => {
      response.writeHead(200, { "Content-Length": "100" }).write('{"users": [');
      setTimeout(() => response.destroy(), 50);
    },
  ],
  ["is no JSON", (response) => response.end("<html>")],
  [
    "has claims that are no JSON",
    (response) => sendJson(response, 200, { users: [{ localId: "x", customAttributes: "{" }] }),
  ],
])("says in a sentence that a response %s", async (_what, respond) => {
  await using server = await startServer(respond);
  const listed = runOperators(["list"], { FIREBASE_AUTH_EMULATOR_HOST: server.host });

  await expect(listed).rejects.toThrow(OperatorsError);
});
