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

import {
  connectClient,
  createRandom,
  NAMESPACE,
  createRandomTree,
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
