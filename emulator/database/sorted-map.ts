import { createRequire } from "node:module";

import type * as SortedBtree from "sorted-btree";

// The package is CommonJS with a default export, which Node and bundlers import differently.
const { default: BTree }: typeof SortedBtree = createRequire(import.meta.url)("sorted-btree");

/** A map in the order of its keys. It never changes: a changed one is a new map that shares most of its nodes. */
export type SortedMap<Key, Value> = Pick<
  SortedBtree.default<Key, Value>,
  "clone" | "entries" | "entriesReversed" | "get" | "keys" | "size" | "values"
>;

export function createSortedMap<Key, Value>(
  compare: (a: Key, b: Key) => number,
  entries: Iterable<readonly [Key, Value]> = [],
): SortedMap<Key, Value> {
  const map = new BTree<Key, Value>(undefined, compare);
  for (const [key, value] of entries) map.set(key, value);
  // A clone has arrays of the exact size. Those of a map that has grown take twice the memory.
  return map.greedyClone(true);
}

export function withEntry<Key, Value>(
  map: SortedMap<Key, Value>,
  key: Key,
  value: Value,
): SortedMap<Key, Value> {
  const changed = map.clone();
  changed.set(key, value);
  return changed;
}

export function withoutKey<Key, Value>(
  map: SortedMap<Key, Value>,
  key: Key,
): SortedMap<Key, Value> {
  const changed = map.clone();
  changed.delete(key);
  return changed;
}
