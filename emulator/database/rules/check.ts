import { withoutPriority, type Path } from "../path.ts";
import { getAt, type DataNode } from "../tree.ts";
import type { RuleNode } from "./parse-rules.ts";
import type { Auth, QueryVariable, Scope } from "./scope.ts";
import { Snapshot } from "./snapshot.ts";

/** The variables of the request that rules can use. */
export interface RequestVariables {
  readonly auth: Auth | null;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** One level of a path, with its rules. */
interface RuleLevel {
  readonly path: Path;
  readonly rules: RuleNode;
  readonly captures: ReadonlyMap<string, string>;
}

/**
 * Whether a `.read` rule at the path or above it is true. Adds the paths of the data that the answer depends on to
 * `reads`: the root when it depends on the time, so that each write asks again.
 */
export function isReadAllowed(
  rules: RuleNode,
  root: DataNode | null,
  path: Path,
  query: QueryVariable,
  { auth, now }: RequestVariables,
  reads: Path[],
): boolean {
  return getLevels(rules, path).some(
    (level) =>
      level.rules.read?.({
        auth,
        get now() {
          reads.push([]);
          return now;
        },
        root: new Snapshot(root, [], reads),
        data: new Snapshot(root, level.path, reads),
        newData: null,
        query,
        captures: level.captures,
      }) ?? false,
  );
}

/**
 * Whether the rules allow the change from `before` to `after` at each of the paths: a `.write` rule at the path or above
 * it is true, and no `.validate` rule above, at or below it is false.
 */
export function isWriteAllowed(
  rules: RuleNode,
  before: DataNode | null,
  after: DataNode | null,
  paths: readonly Path[],
  variables: RequestVariables,
): boolean {
  const base = { ...variables, root: new Snapshot(before, []), query: null };
  function getScope({ path, captures }: RuleLevel): Scope {
    const [data, newData] = [new Snapshot(before, path), new Snapshot(after, path)];
    return { ...base, data, newData, captures };
  }

  function isValid(level: RuleLevel): boolean {
    // Deleted data is not validated, but its remaining ancestors are.
    if (level.rules.validate === null || getAt(after, level.path) === null) return true;
    return level.rules.validate(getScope(level));
  }

  function isValidBelow(level: RuleLevel): boolean {
    const node = getAt(after, level.path);
    if (node?.kind !== "branch") return true;
    for (const key of node.children.keys()) {
      const next = findChildLevel(level, key);
      if (next && !(isValid(next) && isValidBelow(next))) return false;
    }
    return true;
  }

  return paths.map(withoutPriority).every((path) => {
    const levels = getLevels(rules, path);
    const last = levels.at(-1);
    return (
      levels.some((level) => level.rules.write?.(getScope(level)) ?? false) &&
      levels.every(isValid) &&
      // When the path goes deeper than the rules, there are none below it.
      (levels.length <= path.length || last === undefined || isValidBelow(last))
    );
  });
}

/** Returns the `.indexOn` of the path. */
export function getIndexes(rules: RuleNode, path: Path): readonly string[] {
  const levels = getLevels(rules, path);
  return levels.length > path.length ? (levels.at(-1)?.rules.indexOn ?? []) : [];
}

/** Returns the levels from the root to the path, as far as there are rules. */
function getLevels(rules: RuleNode, path: Path): RuleLevel[] {
  const root: RuleLevel = { path: [], rules, captures: new Map() };
  const levels = [root];
  let current = root;
  for (const key of path) {
    const next = findChildLevel(current, key);
    if (next === null) break;
    levels.push(next);
    current = next;
  }
  return levels;
}

function findChildLevel({ path, rules, captures }: RuleLevel, key: string): RuleLevel | null {
  const own = rules.children.get(key);
  if (own) return { path: [...path, key], rules: own, captures };
  if (rules.wildcard === null) return null;
  return {
    path: [...path, key],
    rules: rules.wildcard.rules,
    captures: new Map([...captures, [rules.wildcard.name, key]]),
  };
}
