import { compareText } from "./compare.ts";
import { formatPath, type Path } from "./path.ts";
import { createSortedMap, withEntry, withoutKey, type SortedMap } from "./sorted-map.ts";

/** Items by path, which are found by a path at, above or below theirs. */
export class PathMap<Item> {
  #items: SortedMap<string, Set<Item>> = createSortedMap(compareText);

  add(path: Path, item: Item): void {
    const key = formatPath(path);
    const items = this.#items.get(key);
    if (items) items.add(item);
    else this.#items = withEntry(this.#items, key, new Set([item]));
  }

  delete(path: Path, item: Item): void {
    const key = formatPath(path);
    const items = this.#items.get(key);
    items?.delete(item);
    if (items?.size === 0) this.#items = withoutKey(this.#items, key);
  }

  /** Returns the items at, above or below at least one of the paths, each once. */
  findRelated(paths: readonly Path[]): Set<Item> {
    const found = new Set<Item>();
    for (const path of paths) {
      for (const depth of [...path.keys(), path.length]) {
        addAll(found, this.#items.get(formatPath(path.slice(0, depth))));
      }
      // The paths below follow each other: "a/b/c" comes after "a/b/" and before "a/b0".
      const prefix = path.length === 0 ? "" : `${formatPath(path)}/`;
      for (const [key, items] of this.#items.entries(prefix)) {
        if (!key.startsWith(prefix)) break;
        addAll(found, items);
      }
    }
    return found;
  }
}

function addAll<Item>(found: Set<Item>, items: Iterable<Item> = []): void {
  for (const item of items) found.add(item);
}
