import {
  get,
  off,
  onChildAdded,
  onChildRemoved,
  onValue,
  ref,
  set,
  update,
} from "firebase/database";
import { expect, test } from "vitest";

import {
  connectClient,
  NAMESPACE,
  openSocket,
  startTestDatabase,
} from "#tests/support/database.ts";

test("a listener receives the current value once, even if it is null", async () => {
  await using server = await startTestDatabase();
  server.import({ [NAMESPACE]: { a: { b: 1 } } });
  await using client = connectClient(server);
  const seen: unknown[] = [];

  onValue(ref(client.db, "a"), (snapshot) => seen.push(snapshot.val()));
  onValue(ref(client.db, "nothing"), (snapshot) => seen.push(snapshot.val()));
  await expect.poll(() => seen).toHaveLength(2);
  await get(ref(client.db, "elsewhere"));

  expect(seen).toEqual([{ b: 1 }, null]);
});

test("raises an event for each child that is added or removed", async () => {
  await using server = await startTestDatabase();
  await using writer = connectClient(server);
  await using reader = connectClient(server);
  const typing = ref(reader.db, "typing/general");
  const seen: string[] = [];
  onChildAdded(typing, ({ key }) => seen.push(`+${key}`));
  onChildRemoved(typing, ({ key }) => seen.push(`-${key}`));

  await set(ref(writer.db, "typing/general/ada"), true);
  await set(ref(writer.db, "typing/general/bob"), true);
  await set(ref(writer.db, "typing/general/ada"), null);

  await expect.poll(() => seen).toEqual(["+ada", "+bob", "-ada"]);
});

test("a listener receives writes above and below its path", async () => {
  await using server = await startTestDatabase();
  await using writer = connectClient(server);
  await using reader = connectClient(server);
  const seen: unknown[] = [];
  onValue(ref(reader.db, "a/b"), (snapshot) => seen.push(snapshot.val()));
  await expect.poll(() => seen).toHaveLength(1);

  await set(ref(writer.db), { a: { b: { c: 1 } } });
  await set(ref(writer.db, "a/b/d"), 2);
  await set(ref(writer.db, "a"), "leaf");

  await expect.poll(() => seen).toEqual([null, { c: 1 }, { c: 1, d: 2 }, null]);
});

test("a listener still receives writes after one above it was removed", async () => {
  await using server = await startTestDatabase();
  await using writer = connectClient(server);
  await using reader = connectClient(server);
  const [above, below] = [ref(reader.db, "a"), ref(reader.db, "a/b")];
  const seen: unknown[] = [];
  onValue(below, (snapshot) => seen.push(snapshot.val()));
  await expect.poll(() => seen).toHaveLength(1);
  onValue(above, () => undefined);
  await get(ref(reader.db, "elsewhere"));
  await set(ref(writer.db, "a/b"), 1);
  await expect.poll(() => seen).toEqual([null, 1]);

  off(above);
  await set(ref(writer.db, "a/b"), 2);

  await expect.poll(() => seen).toEqual([null, 1, 2]);
});

test("sends nothing to a client that stopped listening", async () => {
  await using server = await startTestDatabase();
  using socket = await openSocket(server);
  await socket.next();
  socket.send({ t: "d", d: { r: 1, a: "q", b: { p: "/a", h: "" } } });
  await socket.next();
  socket.send({ t: "d", d: { r: 2, a: "n", b: { p: "/a" } } });
  await socket.next();

  server.import({ [NAMESPACE]: { a: 1 } });
  socket.send({ t: "c", d: { t: "p", d: {} } });

  expect(await socket.next()).toEqual({ t: "c", d: { t: "o", d: null } });
});

test("sends data before the response to the listen", async () => {
  await using server = await startTestDatabase();
  server.import({ [NAMESPACE]: { a: 1 } });
  using socket = await openSocket(server);
  await socket.next();

  socket.send({ t: "d", d: { r: 1, a: "q", b: { p: "/a", h: "" } } });

  expect(await socket.next()).toEqual({ t: "d", d: { a: "d", b: { p: "a", d: 1 } } });
  expect(await socket.next()).toEqual({ t: "d", d: { r: 1, b: { s: "ok", d: {} } } });
});

test("a set and an update leave the listener with the stored data", async () => {
  await using server = await startTestDatabase();
  await using writer = connectClient(server);
  await using reader = connectClient(server);
  let view: unknown;
  onValue(ref(reader.db, "a"), (snapshot) => {
    view = snapshot.val();
  });

  await set(ref(writer.db, "a"), { x: { y: 1 }, z: 2 });
  await update(ref(writer.db), { "a/x/y": null, "a/w": 3, b: 1 });

  await expect.poll(() => view).toEqual({ w: 3, z: 2 });
});

test("each namespace is a separate database, and its name is case-insensitive", async () => {
  await using server = await startTestDatabase();
  server.import({ one: { a: 1 }, two: { a: 2 } });
  using socket = await openSocket(server, "/.ws?v=5&ns=ONE");
  await socket.next();

  socket.send({ t: "d", d: { r: 1, a: "g", b: { p: "/a", q: {} } } });

  expect(await socket.next()).toEqual({ t: "d", d: { r: 1, b: { s: "ok", d: 1 } } });
});

test("`/.info/connected` is true and cannot be written", async () => {
  await using server = await startTestDatabase();
  using socket = await openSocket(server);
  await socket.next();

  socket.send({ t: "d", d: { r: 1, a: "g", b: { p: "/.info/connected", q: {} } } });
  socket.send({ t: "d", d: { r: 2, a: "p", b: { p: "/.info/connected", d: false } } });

  expect(await socket.next()).toMatchObject({ d: { r: 1, b: { s: "ok", d: true } } });
  expect(await socket.next()).toMatchObject({ d: { r: 2, b: { s: "permission_denied" } } });
});

test.each<[what: string, rule: string, write: Record<string, unknown>]>([
  ["is the value", "root.child('a/b').val() === 1", { "a/b": 2 }],
  ["is above the value", "data.parent().child('a/b').exists()", { a: null }],
  ["is below the value", "root.child('a').hasChildren()", { "a/b": null }],
  ["is the priority", "root.child('a/b').getPriority() === null", { "a/b/.priority": 3 }],
  ["is a child", "root.hasChild('a/b')", { "a/b": null }],
  ["is read by the second half", "data.val() === 1 || root.child('a/b').val() === 1", { a: 2 }],
  ["is not there yet", "!root.child('c').child('d').exists()", { "c/d/e": 1 }],
])("a listen ends with the write of what its rule reads, which %s", async (_what, rule, write) => {
  const rules = { listened: { ".read": rule }, ".write": true };
  await using server = await startTestDatabase({ rules: JSON.stringify({ rules }) });
  server.import({ [NAMESPACE]: { a: { b: 1 } } });
  using socket = await openSocket(server);
  await socket.next();
  socket.send({ t: "d", d: { r: 1, a: "q", b: { p: "/listened", h: "" } } });
  expect(await socket.next()).toMatchObject({ d: { r: 1, b: { s: "ok" } } });
  socket.send({ t: "d", d: { r: 2, a: "p", b: { p: "/elsewhere", d: 1 } } });
  expect(await socket.next()).toMatchObject({ d: { r: 2, b: { s: "ok" } } });

  socket.send({ t: "d", d: { r: 3, a: "m", b: { p: "/", d: write } } });

  expect(await socket.next()).toMatchObject({ d: { a: "c", b: { p: "listened" } } });
});

test("a listen whose rule reads the time ends with the first write after it", async () => {
  let now = 1000;
  const rules = '{"rules": {"listened": {".read": "now < 2000"}, "elsewhere": {".write": true}}}';
  await using server = await startTestDatabase({ rules, now: () => now });
  using socket = await openSocket(server);
  await socket.next();
  socket.send({ t: "d", d: { r: 1, a: "q", b: { p: "/listened", h: "" } } });
  expect(await socket.next()).toMatchObject({ d: { r: 1, b: { s: "ok" } } });

  now = 2000;
  socket.send({ t: "d", d: { r: 2, a: "p", b: { p: "/elsewhere", d: 1 } } });

  expect(await socket.next()).toMatchObject({ d: { a: "c", b: { p: "listened" } } });
});
