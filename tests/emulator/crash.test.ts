import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { once } from "node:events";
import { connect } from "node:net";
import { homedir } from "node:os";
import { join } from "node:path";

import { onDisconnect, ref, set } from "firebase/database";
import { expect, test, vi } from "vitest";

import { startFirestoreProxy } from "#emulator/firestore-proxy.ts";
import { listen } from "#emulator/ports.ts";
import { saveAfterChanges } from "#emulator/saving.ts";
import { collectWarnings, connectClient } from "#tests/support/database.ts";
import { createCheckout, type Checkout } from "#tests/support/launcher.ts";

// `npm run bench:crash` kills the launcher at random moments.

vi.setConfig({ testTimeout: 60_000 });

const HEADERS = { authorization: "Bearer owner", "content-type": "application/json" };

test("nothing that the database acknowledged is lost when everything is killed", async () => {
  await using checkout = await createCheckout();
  const { database: port } = checkout.ports;
  using _warnings = collectWarnings();
  const written: Record<string, number> = {};

  for (const round of [1, 2]) {
    const launcher = checkout.launch();
    await launcher.ready();
    expect(await send("GET", database(checkout, "written"))).toEqual(round === 1 ? null : written);
    for (let count = 0; count < 20; count += 1) {
      const key = `${round}-${count}`;
      await send("PUT", database(checkout, `written/${key}`), count);
      written[key] = count;
    }
    await launcher.killEverything();
  }

  const launcher = checkout.launch();
  await launcher.ready();
  await using client = connectClient({ host: "127.0.0.1", port }, "owner");
  const status = ref(client.db, "status/ana");
  await onDisconnect(status).set("offline");
  await set(status, "online");
  await launcher.killEverything();
  await using last = checkout.launch();
  await last.ready();

  expect(await send("GET", url(port, "/status/ana.json?ns=demo-test-default-rtdb"))).toBe(
    "offline",
  );
  expect(await send("GET", database(checkout, "written"))).toEqual(written);
});

test.each([
  { checkouts: "a private folder", mode: 0o700 },
  { checkouts: "a folder that others can write to", mode: 0o777 },
])("accounts and documents in $checkouts are soon safe from a kill", async ({ mode }) => {
  await using checkout = await createCheckout();
  await using state = await createStateFolder();
  await chmod(checkout.folder, mode);
  const { auth, firestore } = checkout.ports;
  const account = { email: "ana@example.com", password: "correct horse", returnSecureToken: true };
  const accounts = url(auth, "/identitytoolkit.googleapis.com/v1/accounts");
  const document = url(firestore, "/v1/projects/demo-inkglade/databases/(default)/documents/a/b");
  const launcher = checkout.launch({ XDG_STATE_HOME: state.path });
  await launcher.ready();
  const [, name = ""] = /^Data is saved in (.+)\.$/m.exec(launcher.output) ?? [];
  const current = join(name.startsWith("/") ? name : join(checkout.folder, name), "current");
  const readSaved = (file: string) => readFile(join(current, file), "utf8").catch(() => "");

  await send("POST", `${accounts}:signUp?key=local`, account);
  await expect.poll(() => readSaved("auth_export/accounts.json")).toContain(account.email);
  await send("PATCH", document, { fields: { text: { stringValue: "Hello" } } });
  const documents = "firestore_export/all_namespaces/all_kinds/output-0";
  await expect.poll(() => readSaved(documents)).toContain("Hello");
  await launcher.killEverything();

  await using restarted = checkout.launch({ XDG_STATE_HOME: state.path });
  await restarted.ready();
  const signedIn = await send("POST", `${accounts}:signInWithPassword?key=local`, account);
  expect(signedIn).toMatchObject({ email: account.email });
  expect(await send("GET", document)).toMatchObject({ fields: { text: { stringValue: "Hello" } } });
});

const CHANNEL = "/google.firestore.v1.Firestore";

test.each([
  ["POST /v1/projects/p/databases/(default)/documents:commit", true],
  ["PATCH /v1/projects/p/databases/(default)/documents/a/b?updateMask.fieldPaths=c", true],
  ["DELETE /v1/projects/p/databases/(default)/documents/a/b", true],
  [`POST ${CHANNEL}/Write/channel?VER=8&RID=1`, true],
  [`GET ${CHANNEL}/Write/channel?VER=8&RID=rpc`, true],
  [`POST ${CHANNEL}/Listen/channel?VER=8&RID=1`, false],
  [`GET ${CHANNEL}/Listen/channel?VER=8&RID=rpc`, false],
  ["POST /v1/projects/p/databases/(default)/documents:runQuery", false],
  ["POST /v1/projects/p/databases/(default)/documents:batchGet?alt=json", false],
  ["GET /v1/projects/p/databases/(default)/documents/a/b", false],
  [`OPTIONS ${CHANNEL}/Write/channel?VER=8`, false],
])("the response to %s is a reason to save: %s", async (line, isReason) => {
  const server = createServer((_request, response) => response.end("done"));
  const target = await listen(server, 0);
  const onWrite = vi.fn();
  const proxy = await startFirestoreProxy({ port: 0, target: target.port, onWrite });

  const socket = connect(proxy.port, "127.0.0.1");
  socket.write(`${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  const [response] = (await once(socket, "data")) as [Buffer];

  expect(response.toString()).toContain("200 OK");
  expect(onWrite.mock.calls.length > 0).toBe(isReason);
  await proxy.close();
  await target.close();
});

test("saves do not overlap, and one that fails is repeated and logged once", async () => {
  vi.useFakeTimers();
  let isFull = true;
  let running = 0;
  let saves = 0;
  const save = async () => {
    saves += 1;
    expect((running += 1)).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    running -= 1;
    if (isFull) throw new Error("full");
  };
  const log = vi.fn();
  const saving = saveAfterChanges(save, log);

  await vi.advanceTimersByTimeAsync(10_000);
  expect(saves).toBe(0);
  for (let count = 0; count < 100; count += 1) saving.noteChange();
  await vi.advanceTimersByTimeAsync(2000);
  expect(saves).toBeGreaterThan(3);
  expect(log).toHaveBeenCalledOnce();
  isFull = false;
  await vi.advanceTimersByTimeAsync(1000);
  const savesUntilNow = saves;
  await vi.advanceTimersByTimeAsync(10_000);

  expect(saves).toBe(savesUntilNow);
  vi.useRealTimers();
});

test("nothing is saved at the end of a run without changes", async () => {
  const save = vi.fn(() => Promise.resolve());

  await saveAfterChanges(save, vi.fn()).stop();

  expect(save).not.toHaveBeenCalled();
});

async function createStateFolder() {
  const path = await mkdtemp(join(homedir(), ".launcher-test-state-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

function url(port: number, path: string): string {
  return `http://127.0.0.1:${port}${path}`;
}

function database(checkout: Checkout, path: string): string {
  return url(checkout.ports.database, `/${path}.json?ns=demo-inkglade-default-rtdb`);
}

async function send(method: string, address: string, body?: unknown): Promise<unknown> {
  const response = await fetch(address, {
    method,
    headers: HEADERS,
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const json: unknown = await response.json();
  if (!response.ok) throw new Error(`${address}: ${response.status} ${JSON.stringify(json)}`);
  return json;
}
