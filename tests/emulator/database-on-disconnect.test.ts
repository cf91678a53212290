import {
  goOffline,
  goOnline,
  increment,
  onDisconnect,
  onValue,
  ref,
  serverTimestamp,
  set,
} from "firebase/database";
import { expect, test } from "vitest";

import {
  collectWarnings,
  connectClient,
  createToken,
  NAMESPACE,
  openSocket,
  startTestDatabase,
} from "#tests/support/database.ts";

test("runs an onDisconnect operation with the time of the disconnect", async () => {
  let now = 1000;
  await using server = await startTestDatabase({ now: () => now });
  await using client = connectClient(server);
  const status = ref(client.db, "status/ada");
  await onDisconnect(status).set({ state: "offline", last_changed: serverTimestamp() });
  await set(status, { state: "online", last_changed: serverTimestamp() });
  expect(server.export()).toEqual({
    [NAMESPACE]: { status: { ada: { state: "online", last_changed: 1000 } } },
  });

  now = 2000;
  goOffline(client.db);

  await expect
    .poll(() => server.export())
    .toEqual({
      [NAMESPACE]: { status: { ada: { state: "offline", last_changed: 2000 } } },
    });
});

test("runs the remaining operations after some are cancelled", async () => {
  await using server = await startTestDatabase();
  server.import({ [NAMESPACE]: { r: { keep: 1, n: 1 }, gone: 1 } });
  await using client = connectClient(server);
  await onDisconnect(ref(client.db, "r/typing")).set(true);
  await onDisconnect(ref(client.db, "r/typing")).cancel();
  await onDisconnect(ref(client.db, "r")).update({ n: increment(1), "deep/er": 2 });
  await onDisconnect(ref(client.db, "s")).setWithPriority("x", 5);
  await onDisconnect(ref(client.db, "gone")).remove();
  await onDisconnect(ref(client.db, "x/y")).set({ kept: 1, dropped: 1 });
  await onDisconnect(ref(client.db, "x/y/dropped")).cancel();
  await onDisconnect(ref(client.db, "x/y/added")).set(2);

  goOffline(client.db);

  await expect
    .poll(() => server.export())
    .toEqual({
      [NAMESPACE]: {
        r: { keep: 1, n: 2, deep: { er: 2 } },
        s: { ".value": "x", ".priority": 5 },
        x: { y: { kept: 1, added: 2 } },
      },
    });
});

test("treats a broken socket as a disconnect", async () => {
  await using server = await startTestDatabase();
  using socket = await openSocket(server);
  await socket.next();
  socket.send({ t: "d", d: { r: 1, a: "o", b: { p: "/a", d: "gone" } } });
  await socket.next();

  socket.terminate();

  await expect.poll(() => server.export()).toEqual({ [NAMESPACE]: { a: "gone" } });
});

test("runs each operation only once", async () => {
  await using server = await startTestDatabase();
  await using client = connectClient(server);
  await onDisconnect(ref(client.db, "n")).set(increment(1));
  goOffline(client.db);
  await expect.poll(() => server.export()).toEqual({ [NAMESPACE]: { n: 1 } });

  goOnline(client.db);
  await set(ref(client.db, "seen"), true);
  goOffline(client.db);
  await using other = connectClient(server);
  await set(ref(other.db, "seen"), null);

  expect(server.export()).toEqual({ [NAMESPACE]: { n: 1 } });
});

test("runs the operations of a client's old connection before its new one writes", async () => {
  await using server = await startTestDatabase();
  await using observer = connectClient(server);
  const seen: unknown[] = [];
  onValue(ref(observer.db, "state"), (snapshot) => seen.push(snapshot.val()));
  await expect.poll(() => seen).toEqual([null]);
  using before = await openSocket(server);
  const session = getSessionId(await before.next());
  before.send({ t: "d", d: { r: 1, a: "o", b: { p: "/state", d: "offline" } } });
  before.send({ t: "d", d: { r: 2, a: "p", b: { p: "/state", d: "online" } } });
  await before.next();
  await before.next();

  // The old socket is still open, as after a network change.
  using after = await openSocket(server, `/.ws?v=5&ls=${session}&ns=${NAMESPACE}`);
  await after.next();
  after.send({ t: "d", d: { r: 3, a: "p", b: { p: "/state", d: "online" } } });
  await after.next();
  await before.closed;

  await expect.poll(() => seen).toEqual([null, "online", "offline", "online"]);
  expect(server.export()).toEqual({ [NAMESPACE]: { state: "online" } });
});

test("checks the rules when an operation is set and when it runs, for the user of the connection", async () => {
  const rules = '{"rules": {".read": true, "$uid": {".write": "auth.uid === $uid"}}}';
  await using server = await startTestDatabase({ rules });
  await using client = connectClient(server, "ada");
  using _warnings = collectWarnings();

  await expect(onDisconnect(ref(client.db, "bob")).set(1)).rejects.toThrow("PERMISSION_DENIED");
  await onDisconnect(ref(client.db, "ada")).set(1);
  goOffline(client.db);

  await expect.poll(() => server.export()).toEqual({ [NAMESPACE]: { ada: 1 } });
});

test("runs nothing that the rules deny after a sign-out", async () => {
  const rules = '{"rules": {"$uid": {".write": "auth.uid === $uid"}}}';
  await using server = await startTestDatabase({ rules });
  using socket = await openSocket(server);
  await socket.next();
  socket.send({ t: "d", d: { r: 1, a: "auth", b: { cred: createToken("ada") } } });
  socket.send({ t: "d", d: { r: 2, a: "o", b: { p: "/ada", d: 1 } } });
  socket.send({ t: "d", d: { r: 3, a: "unauth", b: {} } });
  for (const r of [1, 2, 3]) {
    expect(await socket.next()).toMatchObject({ d: { r, b: { s: "ok" } } });
  }

  socket.close();
  await socket.closed;
  await using client = connectClient(server, "bob");
  await set(ref(client.db, "bob"), 1);

  expect(server.export()).toEqual({ [NAMESPACE]: { bob: 1 } });
});

test("runs an update of two children that the rules require together", async () => {
  const rules =
    '{"rules": {"a": {".write": true, ".validate": "newData.hasChildren([\'x\', \'y\'])"}}}';
  await using server = await startTestDatabase({ rules });
  await using client = connectClient(server);
  await onDisconnect(ref(client.db, "a")).update({ x: 1, y: 2 });

  goOffline(client.db);

  await expect.poll(() => server.export()).toEqual({ [NAMESPACE]: { a: { x: 1, y: 2 } } });
});

test("runs the other operations when the rules deny one", async () => {
  await using server = await startTestDatabase();
  await using client = connectClient(server);
  await onDisconnect(ref(client.db, "a")).set(1);
  await onDisconnect(ref(client.db, "b")).set(1);
  server.setRules('{"rules": {"b": {".write": true}}}');

  goOffline(client.db);

  await expect.poll(() => server.export()).toEqual({ [NAMESPACE]: { b: 1 } });
});

test("runs every client's operations when the server stops, and exports the result", async () => {
  const server = await startTestDatabase();
  await using client = connectClient(server);
  await onDisconnect(ref(client.db, "state")).set("offline");
  await set(ref(client.db, "state"), "online");

  await server.close();
  await server.close();

  expect(server.export()).toEqual({ [NAMESPACE]: { state: "offline" } });
});

function getSessionId(hello: unknown): string {
  return /"s":"([\w-]+)"/.exec(JSON.stringify(hello))?.[1] ?? "";
}
