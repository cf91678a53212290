import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { readFirebaseJson } from "#emulator/firebase-json.ts";
import { startFirebase } from "#emulator/firebase.ts";
import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import { createDataFolder } from "#tests/support/data-folder.ts";
import { nextSecond } from "#tests/support/next-second.ts";

// tests/emulator/launch.test.ts shows that the launcher saves data.

const account = { email: "ana@example.com", password: "correct horse", returnSecureToken: true };

test("users stay signed in after a restart, but not after a new password", async () => {
  await using data = await prepareFirebase();
  const first = await data.start();
  const unchanged = await first.call("signUp", account);
  const changed = await first.call("signUp", { ...account, email: "tomas@example.com" });
  await nextSecond();
  const { refreshToken: current } = await first.call("update", {
    idToken: changed.idToken,
    password: "another horse",
    returnSecureToken: true,
  });
  await first[Symbol.asyncDispose]();

  await using second = await data.start();

  const refreshed = await second.refresh(unchanged.refreshToken);
  expect(refreshed.status).toBe(200);
  expect(await refreshed.json()).toMatchObject({
    user_id: unchanged.localId,
    token_type: "Bearer",
  });
  expect((await second.refresh(changed.refreshToken)).status).toBe(400);
  expect((await second.refresh(current)).status).toBe(200);
});

test("a restart does not restore a password that a Google sign-in has removed", async () => {
  await using data = await prepareFirebase();
  const first = await data.start();
  const { refreshToken } = await first.call("signUp", account);
  await nextSecond();
  const claims = { sub: "1", email: account.email, email_verified: true };
  const credential = { id_token: JSON.stringify(claims), providerId: "google.com" };
  await first.call("signInWithIdp", {
    requestUri: "http://localhost",
    postBody: new URLSearchParams(credential).toString(),
    returnSecureToken: true,
  });
  expect((await first.refresh(refreshToken)).status).toBe(400);
  await first[Symbol.asyncDispose]();

  await using second = await data.start();

  await expect(second.call("signInWithPassword", account)).rejects.toThrow("INVALID_PASSWORD");
  expect((await second.refresh(refreshToken)).status).toBe(400);
});

test("an account whose name and photo have control characters is there after a restart", async () => {
  await using data = await prepareFirebase();
  const first = await data.start();
  const { idToken } = await first.call("signUp", account);
  const profile = { displayName: "A\u0007n\u0085a", photoUrl: "https://example.com/\u0000a.png" };
  await first.call("update", { idToken, ...profile });
  await first[Symbol.asyncDispose]();

  await using second = await data.start();

  expect(await second.call("signInWithPassword", account)).toMatchObject({ displayName: "Ana" });
  expect(second.log).toEqual([]);
});

test.each([
  ["auth_export/accounts.json", '{"users": [{"localId": ""}]}'],
  ["firestore_export/firestore_export.overall_export_metadata", "?"],
  ["sessions.json", "[1]"],
  ["../database.jsonl", '{"ns":"demo-inkglade-default-rtdb","set":[["a.b",1]]}\n'],
])("data whose %s reads %j is set aside, and Firebase starts empty", async (file, text) => {
  await using data = await prepareFirebase();
  const first = await data.start();
  await first.call("signUp", account);
  await first[Symbol.asyncDispose]();
  await writeFile(join(data.folder, "current", file), text);

  await using second = await data.start();

  await expect(second.call("signInWithPassword", account)).rejects.toThrow("EMAIL_NOT_FOUND");
  expect(second.log).toHaveLength(1);
  const [, path = ""] =
    /^The saved data cannot be read. It is now in (\S+): /.exec(second.log.join()) ?? [];
  const name = file.replace("../", "");
  expect(second.log[0]).toContain(name);
  expect(await readFile(join(path, name), "utf8")).toBe(text);
});

/** Prepares to start a Firebase several times with the same data. */
async function prepareFirebase() {
  const data = await createDataFolder();
  const { folder } = data;
  return {
    folder,
    async start() {
      const log: string[] = [];
      const firebase = await startFirebase({
        ...(await readFirebaseJson("firebase.json")),
        ports: { auth: 0, firestore: 0, database: 0 },
        projectId: LOCAL_PROJECT_ID,
        dataFolder: folder,
        log: (message) => log.push(message),
      });
      const auth = `http://${firebase.hosts.FIREBASE_AUTH_EMULATOR_HOST}`;
      return {
        log,
        call: (method: string, body: object) =>
          send(`${auth}/identitytoolkit.googleapis.com/v1/accounts:${method}?key=local`, body),
        refresh: (token: unknown) =>
          fetch(`${auth}/securetoken.googleapis.com/v1/token?key=local`, {
            method: "POST",
            body: new URLSearchParams({
              grant_type: "refresh_token",
              refresh_token: String(token),
            }),
          }),
        [Symbol.asyncDispose]: () => firebase[Symbol.asyncDispose](),
      };
    },
    [Symbol.asyncDispose]: () => data[Symbol.asyncDispose](),
  };
}

async function send(url: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const json: unknown = await response.json();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${JSON.stringify(json)}`);
  return { ...(json as object) };
}
