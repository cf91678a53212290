import {
  endAt,
  endBefore,
  equalTo,
  get,
  limitToFirst,
  limitToLast,
  onChildAdded,
  onChildRemoved,
  onValue,
  orderByChild,
  orderByKey,
  orderByPriority,
  orderByValue,
  query,
  ref,
  set,
  startAfter,
  startAt,
  type Database,
  type DataSnapshot,
  type Query,
  type QueryConstraint,
} from "firebase/database";
import { expect, test } from "vitest";
import * as z from "zod";

import {
  collectWarnings,
  connectClient,
  createRandom,
  NAMESPACE,
  openSocket,
  createRandomTree,
  startTestDatabase,
  type Random,
} from "#tests/support/database.ts";

const MESSAGES = { k1: { t: 1 }, k2: { t: 2 }, k3: { t: 3 }, k4: { t: 4 }, k5: { other: true } };

const responseSchema = z.object({
  d: z.object({ b: z.object({ d: z.record(z.string(), z.json()) }) }),
});

const INDEXED = JSON.stringify({
  rules: {
    ".read": true,
    ".write": true,
    m: { ".indexOn": ["t", ".value", "x/y"] },
  },
});

test.each<[string, QueryConstraint[], string[]]>([
  ["the last two", [limitToLast(2), orderByChild("t")], ["k3", "k4"]],
  ["the first two", [limitToFirst(2), orderByChild("t")], ["k5", "k1"]],
  ["from a value on", [orderByChild("t"), startAt(3)], ["k3", "k4"]],
  ["after a value", [orderByChild("t"), startAfter(3)], ["k4"]],
  ["up to a value", [orderByChild("t"), endAt(1)], ["k5", "k1"]],
  ["before a value", [orderByChild("t"), endBefore(1)], ["k5"]],
  [
    "between a value and a key",
    [orderByChild("t"), startAt(1), endBefore(4, "k4")],
    ["k1", "k2", "k3"],
  ],
  ["with a value", [orderByChild("t"), equalTo(2)], ["k2"]],
  ["without the value", [orderByChild("t"), equalTo(null)], ["k5"]],
  ["with a value and a key", [orderByChild("t"), equalTo(2, "k3")], []],
  ["between keys", [orderByKey(), startAt("k2"), endAt("k3")], ["k2", "k3"]],
  ["after a key", [orderByKey(), startAfter("k4")], ["k5"]],
  ["with one key", [orderByKey(), equalTo("k4")], ["k4"]],
  ["by value, where all are objects", [orderByValue(), startAt(5)], ["k1", "k2", "k3", "k4", "k5"]],
  ["by a deeper child", [orderByChild("x/y"), equalTo(null)], ["k1", "k2", "k3", "k4", "k5"]],
])("a query selects %s", async (_, constraints, expected) => {
  await using server = await startTestDatabase({ rules: INDEXED });
  server.import({ [NAMESPACE]: { m: MESSAGES } });
  await using client = connectClient(server);

  const snapshot = await get(query(ref(client.db, "m"), ...constraints));

  expect(getKeys(snapshot)).toEqual(expected);
});

test.each<[what: string, query: object, expected: string[]]>([
  ["before a value", { ep: 2, ein: false }, ["k1", "k5"]],
  ["up to a value", { ep: 2, ein: true }, ["k1", "k2", "k5", "k6"]],
  ["up to a value, by default", { ep: 2 }, ["k1", "k2", "k5", "k6"]],
  ["after a value", { sp: 2, sin: false }, ["k3", "k4"]],
  ["from a value on", { sp: 2, sin: true }, ["k2", "k3", "k4", "k6"]],
  ["from a value on, by default", { sp: 2 }, ["k2", "k3", "k4", "k6"]],
  ["between two values", { sp: 1, sin: false, ep: 3, ein: false }, ["k2", "k6"]],
])("without the keys that the SDK adds, a query selects %s", async (_what, bounds, expected) => {
  await using server = await startTestDatabase({ rules: INDEXED });
  server.import({ [NAMESPACE]: { m: { ...MESSAGES, k6: { t: 2 } } } });
  using socket = await openSocket(server);
  await socket.next();

  socket.send({ t: "d", d: { r: 1, a: "g", b: { p: "/m", q: { i: "t", ...bounds } } } });

  const response = responseSchema.parse(await socket.next());
  expect(Object.keys(response.d.b.d).toSorted()).toEqual(expected);
});

test("a query of the last two children gets one event for each write that changes them", async () => {
  await using server = await startTestDatabase({ rules: INDEXED });
  server.import({ [NAMESPACE]: { m: { k1: { t: 1 }, k2: { t: 2 }, k3: { t: 3 } } } });
  await using reader = connectClient(server);
  await using writer = connectClient(server);
  const last = query(ref(reader.db, "m"), orderByChild("t"), limitToLast(2));
  const values: string[][] = [];
  const children: string[] = [];
  onValue(last, (snapshot) => values.push(getKeys(snapshot)));
  onChildAdded(last, ({ key }) => children.push(`+${key}`));
  onChildRemoved(last, ({ key }) => children.push(`-${key}`));
  await expect.poll(() => values).toEqual([["k2", "k3"]]);

  await set(ref(writer.db, "m/k4"), { t: 4 });
  await set(ref(writer.db, "m/k0"), { t: 0 });
  await set(ref(writer.db, "m/k4"), null);
  await set(ref(writer.db, "m"), null);

  await expect.poll(() => values).toEqual([["k2", "k3"], ["k3", "k4"], ["k2", "k3"], []]);
  expect(children).toEqual(["+k2", "+k3", "-k2", "+k4", "-k4", "+k2", "-k2", "-k3"]);
});

test("distinguishes two queries on the same path", async () => {
  await using server = await startTestDatabase({ rules: INDEXED });
  await using client = connectClient(server);
  const views: Record<string, string[]> = {};
  onValue(query(ref(client.db, "m"), orderByChild("t"), limitToFirst(1)), (snapshot) => {
    views["first"] = getKeys(snapshot);
  });
  onValue(query(ref(client.db, "m"), orderByChild("t"), limitToLast(1)), (snapshot) => {
    views["last"] = getKeys(snapshot);
  });

  await set(ref(client.db, "m"), { k1: { t: 1 }, k2: { t: 2 }, k3: { t: 3 } });

  await expect.poll(() => views).toEqual({ first: ["k1"], last: ["k3"] });
});

test("runs a query without an index, and reports the missing index", async () => {
  await using server = await startTestDatabase();
  server.import({ [NAMESPACE]: { m: MESSAGES } });
  await using client = connectClient(server);
  using warnings = collectWarnings();
  let seen: string[] | undefined;

  onValue(query(ref(client.db, "m"), orderByChild("t"), equalTo(2)), (snapshot) => {
    seen = getKeys(snapshot);
  });

  await expect.poll(() => seen).toEqual(["k2"]);
  await expect.poll(() => warnings.texts.join()).toContain('".indexOn": "t"');
});

test("selects the same children as the SDK for random data and queries", async () => {
  await using server = await startTestDatabase();
  await using cached = connectClient(server);
  await using asking = connectClient(server);
  const random = createRandom(4);

  for (let round = 0; round < 40; round += 1) {
    server.import({ [NAMESPACE]: { m: createRandomTree(random, 3) } });
    const stop = await fillCache(cached.db, "m");
    for (let attempt = 0; attempt < 5; attempt += 1) {
      const constraints = createRandomConstraints(random);
      const local = await get(select(cached.db, constraints));
      const remote = await get(select(asking.db, constraints));
      expect([constraints, getKeys(remote), remote.exportVal()]).toEqual([
        constraints,
        getKeys(local),
        local.exportVal(),
      ]);
    }
    stop();
  }
});

/** With a listener on the whole path, the SDK serves queries from its cache. */
function fillCache(db: Database, path: string): Promise<() => void> {
  return new Promise((resolve) => {
    const stop = onValue(ref(db, path), () => resolve(() => stop()));
  });
}

function select(db: Database, constraints: QueryConstraint[]): Query {
  return query(ref(db, "m"), ...constraints);
}

function createRandomConstraints(random: Random): QueryConstraint[] {
  const order = random.pick(["key", "value", "priority", "child"] as const);
  const bound = (): string | number | boolean | null =>
    order === "key" ? random.pick(["1", "2", "10", "a", "b"]) : random.pick([null, 1, 2, "a", "b"]);
  const orders = {
    key: orderByKey(),
    value: orderByValue(),
    priority: orderByPriority(),
    child: orderByChild(random.pick(["a", "b", "1"])),
  };
  const priority = (): string | number => random.pick([1, 2, "a", "b"]);
  const edge = order === "priority" ? priority : bound;
  const ranges = [
    () => [],
    () => [startAt(edge())],
    () => [startAfter(edge())],
    () => [endAt(edge())],
    () => [endBefore(edge())],
    () => [equalTo(edge())],
  ];
  const limits = [() => [], () => [limitToFirst(2)], () => [limitToLast(2)]];
  return [orders[order], ...random.pick(ranges)(), ...random.pick(limits)()];
}

function getKeys(snapshot: DataSnapshot): string[] {
  const keys: string[] = [];
  snapshot.forEach(({ key }) => void keys.push(key));
  return keys;
}
