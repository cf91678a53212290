import type { Database } from "./database.ts";
import type { Identity } from "./identity.ts";
import type { Path } from "./path.ts";
import { isFiltering, type Query } from "./query.ts";
import { isReadAllowed, getIndexes } from "./rules/check.ts";
import type { QueryVariable } from "./rules/scope.ts";

/**
 * Whether the client may read the path with the query: by the rules, or as an administrator. Adds the paths that the
 * rules look at to `ruleReads`.
 */
export function canRead(
  database: Database,
  identity: Identity,
  path: Path,
  query: Query,
  now: number /* milliseconds since the Unix epoch */,
  ruleReads: Path[] = [],
): boolean {
  if (identity.isAdmin) return true;
  const variables = { auth: identity.auth, now };
  return isReadAllowed(
    database.rules.root,
    database.root,
    path,
    toQueryVariable(query),
    variables,
    ruleReads,
  );
}

/** Whether a filtering query orders by a value without `.indexOn`. The SDK warns about it. */
export function isIndexMissing(database: Database, path: Path, query: Query): boolean {
  const index = query.i;
  if (index === undefined || index === ".key" || index === ".priority") return false;
  return isFiltering(query) && !getIndexes(database.rules.root, path).includes(index);
}

function toQueryVariable(query: Query): QueryVariable {
  const { sp, ep, l, vf } = query;
  // All data is ordered by key. The SDK omits the order of queries by priority.
  const order = query.i ?? (isFiltering(query) ? ".priority" : ".key");
  const isEqual = sp !== undefined && sp === ep;
  return {
    orderByKey: order === ".key",
    orderByPriority: order === ".priority",
    orderByValue: order === ".value",
    orderByChild: order.startsWith(".") ? null : order,
    startAt: sp ?? null,
    endAt: ep ?? null,
    equalTo: isEqual ? sp : null,
    limitToFirst: l !== undefined && vf !== "r" ? l : null,
    limitToLast: l !== undefined && vf === "r" ? l : null,
  };
}
