import type { Database } from "./database.ts";
import type { Identity } from "./identity.ts";
import type { Path } from "./path.ts";
import { isFiltering, type Query } from "./query.ts";
import { canRead, indicesAt } from "./rules/check.ts";
import type { QueryVariable } from "./rules/scope.ts";

/** Tells whether the rules, or being an administrator, allow reading the path with the query. */
export function mayRead(
  database: Database,
  identity: Identity,
  path: Path,
  query: Query,
  now: number /* ms since epoch */,
): boolean {
  return (
    identity.isAdmin ||
    canRead(database.rules.root, database.root, path, toQueryVariable(query), {
      auth: identity.auth,
      now,
    })
  );
}

/** Tells whether a filtering query orders by something no `.indexOn` covers, which deserves a warning. */
export function lacksIndex(database: Database, path: Path, query: Query): boolean {
  const index = query.i;
  if (index === undefined || index === ".key" || index === ".priority") return false;
  return isFiltering(query) && !indicesAt(database.rules.root, path).includes(index);
}

function toQueryVariable({ i, sp, ep, l, vf }: Query): QueryVariable {
  const isEqual = sp !== undefined && sp === ep;
  return {
    orderByKey: i === ".key",
    orderByPriority: i === undefined || i === ".priority",
    orderByValue: i === ".value",
    orderByChild: i === undefined || i.startsWith(".") ? null : i,
    startAt: sp ?? null,
    endAt: ep ?? null,
    equalTo: isEqual ? sp : null,
    limitToFirst: l !== undefined && vf !== "r" ? l : null,
    limitToLast: l !== undefined && vf === "r" ? l : null,
  };
}
