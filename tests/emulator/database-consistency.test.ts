import {
  get,
  limitToFirst,
  limitToLast,
  onValue,
  orderByChild,
  orderByKey,
  orderByValue,
  query,
  ref,
  setWithPriority,
  startAt,
  update,
  type Database,
  type Query,
} from "firebase/database";
import { expect, test } from "vitest";
import * as z from "zod";

import {
  connectClient,
  createRandom,
  NAMESPACE,
  createRandomTree,
  openSocket,
  sendRest,
  startTestDatabase,
  type Random,
} from "#tests/support/database.ts";

const INDEXED = JSON.stringify({
  rules: {
    ".read": true,
    ".write": true,
    m: { ".indexOn": ["a", ".value"], a: { ".indexOn": "b" } },
  },
});

test.each([1, 2, 3])(
  "listeners see the stored data after random writes (seed %i)",
  async (seed) => {
    await using server = await startTestDatabase({ rules: INDEXED });
    await using writer = connectClient(server);
    await using reader = connectClient(server);
    await using nested = connectClient(server);
    await using filtering = connectClient(server);
    await using fresh = connectClient(server);
    const random = createRandom(seed);
    // Separate connections: a listener on the whole list would serve all the others from its cache.
    const readers = [reader.db, nested.db, filtering.db];
    const queries = [
      wholeList(reader.db),
      ...nestedPaths(nested.db),
      ...filteredQueries(filtering.db),
    ];
    const views = queries.map((listened) => {
      const view: { data?: unknown; marker?: unknown } = {};
      onValue(listened, (snapshot) => {
        view.data = snapshot.exportVal();
      });
      return view;
    });

    for (let round = 0; round < 60; round += 1) {
      await writeRandomly(writer.db, random);
      // A response arrives after everything that was pushed before it.
      await Promise.all(readers.map((db) => get(ref(db, `elsewhere/${round}`))));

      const stored = await sendRest(server, "/m.json?format=export");
      expect(views[0]?.data).toEqual(await stored.json());
      const expected = [
        wholeList(fresh.db),
        ...nestedPaths(fresh.db),
        ...filteredQueries(fresh.db),
      ];
      for (const [index, read] of expected.entries()) {
        expect(views[index]?.data).toEqual((await get(read)).exportVal());
      }
    }
    expect(Object.keys(server.export())).toEqual([NAMESPACE]);
  },
);

interface Item {
  t: number;
  x?: number;
}

type List = Record<string, Item>;

/** Without the SDK, which hides children that a query should not have sent. */
const LIST_QUERIES: {
  q: object;
  byKey?: true;
  select: (keys: string[], list: List) => string[];
}[] = [
  { q: { i: "t", l: 7, vf: "r" }, select: (keys) => keys.slice(-7) },
  { q: { i: "t", l: 7, vf: "l" }, select: (keys) => keys.slice(0, 7) },
  {
    q: { i: "t", sp: 3, ep: 6 },
    select: (keys, list) => keys.filter((key) => isBetween(list[key], 3, 6)),
  },
  {
    q: { i: "t", sp: 5, l: 7, vf: "l" },
    select: (keys, list) => keys.filter((key) => isBetween(list[key], 5, 99)).slice(0, 7),
  },
  {
    q: { i: "t", ep: 1, l: 150, vf: "r" },
    select: (keys, list) => keys.filter((key) => isBetween(list[key], 0, 1)).slice(-150),
  },
  { q: { i: ".key", l: 50, vf: "r" }, byKey: true, select: (keys) => keys.slice(-50) },
  { q: { l: 3, vf: "l" }, byKey: true, select: (keys) => keys.slice(0, 3) },
];

const messageSchema = z.object({
  d: z.object({
    r: z.number().optional(),
    a: z.enum(["d", "m"]).optional(),
    b: z.object({ t: z.number().optional(), d: z.unknown() }),
  }),
});

test.each([1, 2, 3])(
  "a query of a long list shows what sorting the whole list would (seed %i)",
  async (seed) => {
    await using server = await startTestDatabase();
    using socket = await openSocket(server);
    await socket.next();
    const random = createRandom(seed);
    const views = LIST_QUERIES.map((): List => ({}));
    let list: List = {};
    let r = 0;
    const request = async (a: string, b: object): Promise<void> => {
      r += 1;
      socket.send({ t: "d", d: { r, a, b } });
      for (;;) {
        const { d } = messageSchema.parse(await socket.next());
        if (d.r === r) return;
        const t = d.b.t ?? -1;
        const children = z.record(z.string(), z.custom<Item | null>()).parse(d.b.d ?? {});
        views[t] = withoutNull({ ...(d.a === "m" ? views[t] : {}), ...children });
      }
    };
    for (const [t, { q }] of LIST_QUERIES.entries()) await request("q", { p: "/m", q, t, h: "" });

    for (let round = 0; round < 100; round += 1) {
      const changes = createRandomChanges(random, list, round);
      list = withoutNull({ ...list, ...changes });
      await request("m", { p: "/m", d: changes });

      const byKey = Object.keys(list).toSorted();
      const byValue = byKey.toSorted((a, b) => (list[a]?.t ?? 0) - (list[b]?.t ?? 0));
      for (const [index, query] of LIST_QUERIES.entries()) {
        const keys = query.select(query.byKey ? byKey : byValue, list);
        expect(views[index]).toEqual(Object.fromEntries(keys.map((key) => [key, list[key]])));
      }
    }
  },
);

/** Most rounds change a few children, some many, and some remove nearly all. */
function createRandomChanges(
  random: Random,
  list: List,
  round: number,
): Record<string, Item | null> {
  if (round % 40 === 39) {
    return Object.fromEntries(
      Object.keys(list)
        .slice(2)
        .map((key) => [key, null]),
    );
  }
  const digits = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  const count = round % 20 === 0 ? 150 : random.pick([1, 1, 1, 2, 3]);
  const changes = Array.from({ length: count }, (): [string, Item | null] => {
    const key = `k${random.pick([0, 1, 2, 3])}${random.pick(digits)}${random.pick(digits)}`;
    const t = random.pick(digits);
    return [key, random.pick([null, { t }, { t }, { t: list[key]?.t ?? t, x: round }])];
  });
  return Object.fromEntries(changes);
}

function isBetween(item: Item | undefined, low: number, high: number): boolean {
  return item !== undefined && item.t >= low && item.t <= high;
}

function withoutNull(children: Record<string, Item | null>): List {
  return Object.fromEntries(
    Object.entries(children).flatMap(([key, item]) => (item === null ? [] : [[key, item]])),
  );
}

function wholeList(db: Database): Query {
  return ref(db, "m");
}

function nestedPaths(db: Database): Query[] {
  return [ref(db, "m/a/b"), ref(db, "m/1")];
}

function filteredQueries(db: Database): Query[] {
  return [
    query(ref(db, "m"), limitToLast(2)),
    query(ref(db, "m"), orderByKey(), limitToFirst(2)),
    query(ref(db, "m"), orderByChild("a"), limitToLast(1)),
    query(ref(db, "m"), orderByValue(), startAt(1)),
    query(ref(db, "m/a"), orderByChild("b"), limitToFirst(1)),
  ];
}

async function writeRandomly(db: Database, random: Random): Promise<void> {
  const keys = ["1", "2", "10", "a", "b"];
  const path = ["m", ...[1, 2, 3].slice(random.pick([0, 1, 2])).map(() => random.pick(keys))].join(
    "/",
  );
  const data = random.pick([null, 1, "a", true]) ?? createRandomTree(random, 2);
  switch (random.pick(["set", "update", "remove"])) {
    case "set":
      return setWithPriority(ref(db, path), data, random.pick([null, 1, "a"]));
    case "update":
      return update(ref(db, path), { 1: data, "a/b": random.pick([null, 2]), "2/1": null });
    default:
      return setWithPriority(ref(db, path), null, null);
  }
}
