import fs from "node:fs";
import {
  copyFile,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { increment, onDisconnect, ref, runTransaction, serverTimestamp } from "firebase/database";
import { remove, set, setPriority, setWithPriority, update } from "firebase/database";
import { expect, test } from "vitest";

import type { DatabaseServer, DatabaseServerOptions } from "#emulator/database/server.ts";
import {
  collectWarnings,
  connectClient,
  createRandom,
  createRandomTree,
  NAMESPACE,
  openSocket,
  sendRest,
  startTestDatabase,
} from "#tests/support/database.ts";

// tests/emulator/crash.test.ts kills the whole launcher.

test("what was acknowledged before a crash is there after it", async () => {
  await using folder = await createFolder();
  await using server = await folder.start();
  await using client = connectClient(server);
  const at = (path: string) => ref(client.db, path);
  await set(at("a"), { b: 1, c: "é\u2028\n", time: serverTimestamp() });
  await update(at("/"), { "a/b": null, "d/e/f": true, n: increment(2) });
  await runTransaction(at("n"), (n: number) => n + 1);
  await setWithPriority(at("p"), 1, "high");
  await setPriority(at("d"), 3);
  await remove(at("a/c"));
  await sendRest(server, "/pushed.json", { method: "POST", body: "1" });
  const saved = server.export();

  await using restarted = await folder.crash();

  expect(saved).toMatchObject({ [NAMESPACE]: { n: 3, d: { ".priority": 3, e: { f: true } } } });
  expect(restarted.export()).toEqual(saved);
});

test.each([1, 2, 3])("random changes are the same after a crash (seed %i)", async (seed) => {
  await using folder = await createFolder();
  await using server = await folder.start();
  await using client = connectClient(server);
  const random = createRandom(seed);
  const path = () => ["a", "b", "1", "10"].slice(0, random.pick([1, 2, 3])).join("/");
  for (let count = 0; count < 60; count += 1) {
    const data = random.pick([null, createRandomTree(random, 2)]);
    if (random.pick([true, false])) await set(ref(client.db, path()), data);
    else await update(ref(client.db, path()), { x: data, "y/z": createRandomTree(random, 1) });
  }

  await using restarted = await folder.crash();

  expect(restarted.export()).toEqual(server.export());
});

test("after a crash, the onDisconnect operations of everybody run once, as their users", async () => {
  const rules =
    '{"rules": {"$uid": {".write": "auth.uid === $uid"}, "n": {".write": true}, "open": {".write": true}}}';
  await using folder = await createFolder();
  await using server = await folder.start({ rules });
  await using ada = connectClient(server, "ada");
  await using owner = connectClient(server, "owner");
  using leaver = await openSocket(server);
  await leaver.next();
  leaver.send({ t: "d", d: { r: 1, a: "auth", b: { cred: "owner", authvar: { uid: "bob" } } } });
  leaver.send({ t: "d", d: { r: 2, a: "o", b: { p: "/bob", d: "denied" } } });
  leaver.send({ t: "d", d: { r: 3, a: "unauth", b: {} } });
  for (const r of [1, 2, 3]) expect(await leaver.next()).toMatchObject({ d: { r } });
  const state = ref(ada.db, "ada");
  await onDisconnect(state).set({ state: "offline", at: serverTimestamp() });
  await onDisconnect(ref(owner.db, "n")).set(increment(1));
  await onDisconnect(ref(owner.db, "cancelled")).set(1);
  await onDisconnect(ref(owner.db, "cancelled")).cancel();
  await set(state, { state: "online", at: serverTimestamp() });

  await using first = await folder.crash({ rules, now: () => 2000 });
  await using second = await folder.crash({ rules });

  const after = { ada: { state: "offline", at: 2000 }, n: 1 };
  expect(first.export()).toEqual({ [NAMESPACE]: after });
  expect(second.export()).toEqual({ [NAMESPACE]: after });
});

test("what was written before the server stopped is there after a restart", async () => {
  await using folder = await createFolder();
  const server = await folder.start();
  await using client = connectClient(server);
  await onDisconnect(ref(client.db, "state")).set("offline");
  await set(ref(client.db, "state"), "online");
  await server.close();

  await using restarted = await folder.start();

  expect(restarted.export()).toEqual({ [NAMESPACE]: { state: "offline" } });
});

test("a file cut anywhere has every whole change, and says if it lost a part of one", async () => {
  await using folder = await createFolder();
  await using server = await folder.start();
  for (const text of ["one", "zwölf 😀"]) {
    const body = JSON.stringify({ text });
    await sendRest(server, `/${encodeURIComponent(text)}.json`, { method: "PUT", body });
  }
  const bytes = await readFile(folder.file);
  const middle = bytes.indexOf("\n") + 1;

  for (let length = 0; length <= bytes.length; length += 1) {
    await writeFile(folder.other, bytes.subarray(0, length));
    const warnings: string[] = [];
    const onWarning = (message: string) => warnings.push(message);
    await using restarted = await startTestDatabase({ file: folder.other, onWarning });
    const saved = Object.keys(Object(restarted.export()[NAMESPACE]));
    expect(saved).toHaveLength(length === bytes.length ? 2 : length >= middle ? 1 : 0);
    expect(warnings).toEqual(
      [0, middle, bytes.length].includes(length)
        ? []
        : [`${folder.other}: the last change was not written completely, so it is left out.`],
    );
  }
});

test("changes after a cut one are kept", async () => {
  await using folder = await createFolder();
  await using server = await folder.start();
  await sendRest(server, "/a.json", { method: "PUT", body: "1" });
  await truncate(folder.file, (await stat(folder.file)).size - 1);
  await using second = await folder.crash({ onWarning: () => {} });
  await sendRest(second, "/b.json", { method: "PUT", body: "2" });

  await using third = await folder.crash();

  expect(third.export()).toEqual({ [NAMESPACE]: { b: 2 } });
});

test("a change that finds the disk full is refused and not made, and the server goes on", async () => {
  await using folder = await createFolder();
  const warnings: string[] = [];
  await using server = await folder.start({ onWarning: (message) => warnings.push(message) });
  await using client = connectClient(server);
  using _warnings = collectWarnings();
  const at = (path: string) => ref(client.db, path);
  await set(at("a"), "before");
  await onDisconnect(at("state")).set("offline");
  const sentence = "The change could not be saved (the disk is full), so it was not made.";

  {
    using _disk = fillDisk();
    await expect(set(at("a"), "lost")).rejects.toThrow(`UNAVAILABLE: ${sentence}`);
    await expect(onDisconnect(at("b")).set("lost")).rejects.toThrow(sentence);
    const response = await sendRest(server, "/a.json", { method: "PUT", body: '"lost"' });
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ error: sentence });
    const read = await sendRest(server, "/a.json");
    expect(await read.json()).toBe("before");
  }
  await set(at("c"), 1);

  expect(warnings).toEqual([sentence]);
  await using restarted = await folder.crash();
  expect(restarted.export()).toEqual({ [NAMESPACE]: { a: "before", c: 1, state: "offline" } });
});

test("who disconnects while the disk is full is offline after the next start", async () => {
  await using folder = await createFolder();
  await using server = await folder.start({ onWarning: () => {} });
  using socket = await openSocket(server);
  await socket.next();
  socket.send({ t: "d", d: { r: 1, a: "o", b: { p: "/state", d: "offline" } } });
  socket.send({ t: "d", d: { r: 2, a: "p", b: { p: "/state", d: "online" } } });
  await socket.next();
  await socket.next();
  {
    using _disk = fillDisk();
    await server.close();
  }

  await using restarted = await folder.start();

  expect(restarted.export()).toEqual({ [NAMESPACE]: { state: "offline" } });
});

test("the file stays short where data is replaced, and keeps what is scheduled", async () => {
  await using folder = await createFolder();
  await using server = await folder.start();
  await using client = connectClient(server);
  await onDisconnect(ref(client.db, "state")).set("offline");
  for (let count = 0; count < 30; count += 1) {
    await set(ref(client.db, "large"), String(count).repeat(100_000));
  }

  expect((await stat(folder.file)).size).toBeLessThan(2_000_000);
  await using restarted = await folder.crash();
  expect(restarted.export()).toEqual({
    [NAMESPACE]: { state: "offline", large: "29".repeat(100_000) },
  });
});

test("a file that the full disk keeps long leaves no copy beside it", async () => {
  await using folder = await createFolder();
  const warnings: string[] = [];
  await using server = await folder.start({ onWarning: (message) => warnings.push(message) });
  const put = (body: string) =>
    sendRest(server, "/large.json", { method: "PUT", body: JSON.stringify(body.repeat(600_000)) });
  await put("a");
  await put("b");
  const before = await readdir(dirname(folder.file));

  {
    const { writeFileSync } = fs;
    using _disk = replaceFs("writeFileSync", (path) => {
      writeFileSync(path, "{");
      throw fullDisk();
    });
    await put("c");
  }

  expect(warnings).toEqual([
    `${folder.file} could not be made shorter (the disk is full), so it grows.`,
  ]);
  expect(await readdir(dirname(folder.file))).toEqual(before);
});

test("a file that another process has taken over is not written", async () => {
  await using folder = await createFolder();
  const warnings: string[] = [];
  await using server = await folder.start({ onWarning: (message) => warnings.push(message) });
  await sendRest(server, "/a.json", { method: "PUT", body: "1" });
  const before = await readFile(folder.file, "utf8");
  // As after Ctrl-Z, a second start, and `fg`.
  await rm(`${folder.file}.lock`);

  const response = await sendRest(server, "/a.json", { method: "PUT", body: "2" });

  expect(response.status).toBe(503);
  expect(warnings).toEqual([
    "The change could not be saved (another process uses the file), so it was not made.",
  ]);
  expect(await readFile(folder.file, "utf8")).toBe(before);
});

test.each(["?\n", '{"ns":"a"}\n', '{"ns":"a","set":[["a.b",1]]}\n'])(
  "does not start with a damaged file (%j)",
  async (line) => {
    await using folder = await createFolder();
    await writeFile(folder.file, `{"ns":"a","set":[["b",1]]}\n${line}`);

    await expect(folder.start()).rejects.toThrow("Line 2 is damaged");
  },
);

/** A folder for the file of a database. */
async function createFolder() {
  const path = await mkdtemp(join(tmpdir(), "database-journal-test-"));
  const folder = {
    file: join(path, "database.jsonl"),
    other: join(path, "other.jsonl"),
    start(options: Partial<DatabaseServerOptions> = {}): Promise<DatabaseServer> {
      return startTestDatabase({ file: folder.file, ...options });
    },
    /** Starts another server with the file as it is, as after a crash of the first. */
    async crash(options: Partial<DatabaseServerOptions> = {}): Promise<DatabaseServer> {
      const copy = join(await mkdtemp(join(path, "crash-")), "database.jsonl");
      await copyFile(folder.file, copy);
      folder.file = copy;
      return await folder.start(options);
    },
    [Symbol.asyncDispose]: () => rm(path, { recursive: true }),
  };
  return folder;
}

/** Until disposed of, files take only a part of what is written to them. */
function fillDisk(): Disposable {
  const { writeSync } = fs;
  let hasSpace = true;
  return replaceFs("writeSync", (...args: unknown[]) => {
    hasSpace = !hasSpace;
    if (hasSpace) throw fullDisk();
    const [file, bytes, offset, , position] = args as [number, Buffer, number, number, number];
    return writeSync(file, bytes, offset, 5, position);
  });
}

function fullDisk(): Error {
  return Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC" });
}

/** Replaces a function of `node:fs` until disposed of. */
function replaceFs<Name extends "writeSync" | "writeFileSync">(
  name: Name,
  replacement: (typeof fs)[Name],
): Disposable {
  const original = fs[name];
  function set(value: (typeof fs)[Name]): void {
    fs[name] = value;
    syncBuiltinESMExports();
  }
  set(replacement);
  return { [Symbol.dispose]: () => set(original) };
}
