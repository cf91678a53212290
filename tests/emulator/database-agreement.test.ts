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
  randomTree,
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
  "whatever is written where, listeners see what is stored (seed %i)",
  async (seed) => {
    await using server = await startTestDatabase({ rules: INDEXED });
    await using writer = connectClient(server);
    await using reader = connectClient(server);
    await using nested = connectClient(server);
    await using filtering = connectClient(server);
    await using fresh = connectClient(server);
    const random = createRandom(seed);
    // Each on a connection of its own: a listener on the whole place would cover all the others.
    const readers = [reader.db, nested.db, filtering.db];
    const places = [
      wholePlace(reader.db),
      ...nestedPlaces(nested.db),
      ...filteredPlaces(filtering.db),
    ];
    const views = places.map((place) => {
      const view: { data?: unknown; marker?: unknown } = {};
      onValue(place, (snapshot) => {
        view.data = snapshot.exportVal();
      });
      return view;
    });

    for (let round = 0; round < 60; round += 1) {
      await writeSomewhere(writer.db, random);
      // An answered request means that what was pushed before it has arrived.
      await Promise.all(readers.map((db) => get(ref(db, `elsewhere/${round}`))));

      const stored = await sendRest(server, "/m.json?format=export");
      expect(views[0]?.data).toEqual(await stored.json());
      const expected = [
        wholePlace(fresh.db),
        ...nestedPlaces(fresh.db),
        ...filteredPlaces(fresh.db),
      ];
      for (const [index, place] of expected.entries()) {
        expect(views[index]?.data).toEqual((await get(place)).exportVal());
      }
    }
    expect(Object.keys(server.export())).toEqual([NAMESPACE]);
  },
);

function wholePlace(db: Database): Query {
  return ref(db, "m");
}

function nestedPlaces(db: Database): Query[] {
  return [ref(db, "m/a/b"), ref(db, "m/1")];
}

function filteredPlaces(db: Database): Query[] {
  return [
    query(ref(db, "m"), limitToLast(2)),
    query(ref(db, "m"), orderByKey(), limitToFirst(2)),
    query(ref(db, "m"), orderByChild("a"), limitToLast(1)),
    query(ref(db, "m"), orderByValue(), startAt(1)),
    query(ref(db, "m/a"), orderByChild("b"), limitToFirst(1)),
  ];
}

async function writeSomewhere(db: Database, random: Random): Promise<void> {
  const keys = ["1", "2", "10", "a", "b"];
  const path = ["m", ...[1, 2, 3].slice(random.pick([0, 1, 2])).map(() => random.pick(keys))].join(
    "/",
  );
  const data = random.pick([null, 1, "a", true]) ?? randomTree(random, 2);
  switch (random.pick(["set", "update", "remove"])) {
    case "set":
      return setWithPriority(ref(db, path), data, random.pick([null, 1, "a"]));
    case "update":
      return update(ref(db, path), { 1: data, "a/b": random.pick([null, 2]), "2/1": null });
    default:
      return setWithPriority(ref(db, path), null, null);
  }
}
