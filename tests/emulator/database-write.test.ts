import {
  child,
  get,
  increment,
  onValue,
  push,
  ref,
  remove,
  serverTimestamp,
  set,
  setPriority,
  setWithPriority,
  update,
} from "firebase/database";
import { expect, test } from "vitest";

import { connectClient, NAMESPACE, startTestDatabase } from "#tests/support/database.ts";

const NOW = 1_700_000_000_000;

test("one client gets what another has set", async () => {
  await using server = await startTestDatabase();
  await using writer = connectClient(server);
  await using reader = connectClient(server);

  await set(ref(writer.db, "rooms/r1"), { name: "Harbour", seats: [1, null, 3], open: true });

  const snapshot = await get(ref(reader.db, "rooms/r1"));
  expect(snapshot.val()).toEqual({ name: "Harbour", seats: [1, undefined, 3], open: true });
  expect(server.export()).toEqual({
    [NAMESPACE]: { rooms: { r1: { name: "Harbour", seats: { 0: 1, 2: 3 }, open: true } } },
  });
});

test("a writer's own listener never returns to the old value", async () => {
  await using server = await startTestDatabase();
  await using client = connectClient(server);
  const path = ref(client.db, "a");
  const seen: unknown[] = [];
  await set(path, 1);
  onValue(path, (snapshot) => seen.push(snapshot.val()));
  await expect.poll(() => seen).toEqual([1]);

  await set(path, 2);
  await get(ref(client.db, "elsewhere"));

  expect(seen).toEqual([1, 2]);
});

test("removing the last child removes its parents", async () => {
  await using server = await startTestDatabase();
  await using client = connectClient(server);
  await set(ref(client.db, "a/b/c"), 1);

  await remove(ref(client.db, "a/b/c"));

  expect(server.export()).toEqual({});
});

test("a value written below a value replaces it", async () => {
  await using server = await startTestDatabase();
  await using client = connectClient(server);
  await set(ref(client.db, "a"), "leaf");

  await set(ref(client.db, "a/b"), 1);

  expect(server.export()).toEqual({ [NAMESPACE]: { a: { b: 1 } } });
});

test("an update changes several paths at once and raises one event", async () => {
  await using server = await startTestDatabase();
  await using writer = connectClient(server);
  await using reader = connectClient(server);
  await set(ref(writer.db), { a: { b: 0, x: 1 }, z: { y: 1 } });
  const seen: unknown[] = [];
  onValue(ref(reader.db), (snapshot) => seen.push(snapshot.val()));
  await expect.poll(() => seen).toHaveLength(1);

  await update(ref(writer.db), { "a/b": 1, c: { d: [1, null, { e: null }] }, "z/y": null });

  await expect.poll(() => seen).toHaveLength(2);
  expect(seen[1]).toEqual({ a: { b: 1, x: 1 }, c: { d: [1] } });
});

test("resolves server values, with the same time throughout a write", async () => {
  let time = NOW;
  await using server = await startTestDatabase({ now: () => (time += 1) });
  await using client = connectClient(server);
  await set(ref(client.db, "n"), 5);

  await update(ref(client.db), {
    n: increment(3),
    missing: increment(2),
    at: serverTimestamp(),
    deep: { at: serverTimestamp() },
  });

  const at: unknown = (await get(ref(client.db, "at"))).val();
  expect(at).toBeGreaterThan(NOW);
  expect(at).toBeLessThan(time);
  expect(server.export()).toEqual({
    [NAMESPACE]: { n: 8, missing: 2, at, deep: { at } },
  });
});

test("stores and changes priorities, but not on a missing node", async () => {
  await using server = await startTestDatabase();
  await using client = connectClient(server);

  await setWithPriority(ref(client.db, "leaf"), "x", "hi");
  await setWithPriority(ref(client.db, "node"), { v: 1 }, 7);
  await setPriority(ref(client.db, "node"), 8);
  await setPriority(ref(client.db, "nothing"), 8);

  expect(server.export()).toEqual({
    [NAMESPACE]: {
      leaf: { ".value": "x", ".priority": "hi" },
      node: { v: 1, ".priority": 8 },
    },
  });
});

test("accepts keys with any Unicode, percent signs and names of built-in properties", async () => {
  await using server = await startTestDatabase();
  await using client = connectClient(server);

  for (const key of ["sp ace", "ü😀", "a%20b", "constructor", "toString"]) {
    await set(child(ref(client.db, "keys"), key), 1);
  }

  expect(server.export()).toEqual({
    [NAMESPACE]: { keys: { "sp ace": 1, "ü😀": 1, "a%20b": 1, constructor: 1, toString: 1 } },
  });
});

test("returns pushed children in the order they were pushed", async () => {
  await using server = await startTestDatabase();
  await using client = connectClient(server);

  for (const text of ["one", "two", "three"]) await push(ref(client.db, "list"), text);

  const list: unknown[] = [];
  (await get(ref(client.db, "list"))).forEach((item) => void list.push(item.val()));
  expect(list).toEqual(["one", "two", "three"]);
});

test("increases the revision only when data changes", async () => {
  await using server = await startTestDatabase();
  await using client = connectClient(server);
  const before = server.revision;

  await set(ref(client.db, "a"), 1);
  const after = server.revision;
  await set(ref(client.db, "a"), 1);

  expect(after).toBeGreaterThan(before);
  expect(server.revision).toBe(after);
});

test("imports another server's export, and notifies the listeners", async () => {
  await using first = await startTestDatabase();
  await using client = connectClient(first);
  await setWithPriority(ref(client.db, "a/b"), { c: 1 }, 3);
  await using second = await startTestDatabase();
  await using other = connectClient(second);
  const seen: unknown[] = [];
  onValue(ref(other.db, "a"), (snapshot) => seen.push(snapshot.exportVal()));
  await expect.poll(() => seen).toEqual([null]);

  second.import(first.export());

  expect(second.export()).toEqual(first.export());
  await expect.poll(() => seen).toEqual([null, { b: { c: 1, ".priority": 3 } }]);
});
