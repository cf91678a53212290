import { withoutPriority, type Path } from "../path.ts";
import { getAt, type DataNode } from "../tree.ts";
import type { RuleNode } from "./parse-rules.ts";
import type { Auth, QueryVariable, Scope } from "./scope.ts";
import { Snapshot } from "./snapshot.ts";

/** Who asks, and when. */
export interface Asker {
  readonly auth: Auth | null;
  /** Ms since epoch. */
  readonly now: number;
}

/** One place on the way down, with the rules that speak about it. */
interface Place {
  readonly path: Path;
  readonly rules: RuleNode;
  readonly captures: ReadonlyMap<string, string>;
}

/** Tells whether one `.read` from the root down to the path says yes. */
export function canRead(
  rules: RuleNode,
  root: DataNode | null,
  path: Path,
  query: QueryVariable,
  asker: Asker,
): boolean {
  const base = { ...asker, root: new Snapshot(root, []), newData: null, query };
  return placesOnTheWay(rules, path).some(
    (place) =>
      place.rules.read?.({
        ...base,
        data: new Snapshot(root, place.path),
        captures: place.captures,
      }) ?? false,
  );
}

/**
 * Tells whether each of the paths may change as it does between the two states: one `.write` from the root down
 * says yes, and no `.validate` says no on the way down or anywhere in what is written.
 */
export function canWrite(
  rules: RuleNode,
  before: DataNode | null,
  after: DataNode | null,
  paths: readonly Path[],
  asker: Asker,
): boolean {
  const base = { ...asker, root: new Snapshot(before, []), query: null };
  function scopeAt({ path, captures }: Place): Scope {
    const [data, newData] = [new Snapshot(before, path), new Snapshot(after, path)];
    return { ...base, data, newData, captures };
  }

  function isValid(place: Place): boolean {
    // What is deleted needs no validation; what still stands around it does.
    if (place.rules.validate === null || getAt(after, place.path) === null) return true;
    return place.rules.validate(scopeAt(place));
  }

  function isValidBelow(place: Place): boolean {
    const node = getAt(after, place.path);
    if (node?.kind !== "branch") return true;
    for (const key of node.children.keys()) {
      const next = placeBelow(place, key);
      if (next && !(isValid(next) && isValidBelow(next))) return false;
    }
    return true;
  }

  return paths.map(withoutPriority).every((path) => {
    const way = placesOnTheWay(rules, path);
    const last = way.at(-1);
    return (
      way.some((place) => place.rules.write?.(scopeAt(place)) ?? false) &&
      way.every(isValid) &&
      // Where the rules end before the path does, nothing below can speak.
      (way.length <= path.length || last === undefined || isValidBelow(last))
    );
  });
}

/** Returns the indices declared for the children of the path. */
export function indicesAt(rules: RuleNode, path: Path): readonly string[] {
  const way = placesOnTheWay(rules, path);
  return way.length > path.length ? (way.at(-1)?.rules.indexOn ?? []) : [];
}

/** From the root down, as far as there are rules. */
function placesOnTheWay(rules: RuleNode, path: Path): Place[] {
  const root: Place = { path: [], rules, captures: new Map() };
  const places = [root];
  let current = root;
  for (const key of path) {
    const next = placeBelow(current, key);
    if (next === null) break;
    places.push(next);
    current = next;
  }
  return places;
}

function placeBelow({ path, rules, captures }: Place, key: string): Place | null {
  const own = rules.children.get(key);
  if (own) return { path: [...path, key], rules: own, captures };
  if (rules.wildcard === null) return null;
  return {
    path: [...path, key],
    rules: rules.wildcard.rules,
    captures: new Map([...captures, [rules.wildcard.name, key]]),
  };
}
