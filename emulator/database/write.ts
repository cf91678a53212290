import type { Database } from "./database.ts";
import { permissionDenied } from "./errors.ts";
import type { Identity } from "./identity.ts";
import { notifyListens } from "./notify.ts";
import type { Change } from "./parse-data.ts";
import { canWrite } from "./rules/check.ts";
import { resolve } from "./server-values.ts";
import { getAt, setAt, type DataNode } from "./tree.ts";

/**
 * Applies the changes together or not at all, and tells everyone who listens, the writer included.
 *
 * @throws DatabaseError `permission_denied`, or `failure` when a server value cannot be worked out.
 */
export function write(
  database: Database,
  identity: Identity,
  changes: readonly Change[],
  now: number /* ms since epoch; both the timestamps written and `now` in rules */,
): void {
  const after = requireAllowed(database, identity, changes, now);
  replaceRoot(database, after, changes, now);
}

/**
 * Returns what the database would be with the changes.
 *
 * @throws DatabaseError as `write` does.
 */
export function requireAllowed(
  database: Database,
  identity: Identity,
  changes: readonly Change[],
  now: number /* ms since epoch */,
): DataNode | null {
  const before = database.root;
  let after = before;
  for (const { path, data } of changes) {
    // Increments count from the state before the whole write, whatever its other changes do.
    after = setAt(after, path, resolve(data, getAt(before, path), now));
  }
  const paths = changes.map(({ path }) => path);
  const { auth } = identity;
  if (!identity.isAdmin && !canWrite(database.rules.root, before, after, paths, { auth, now })) {
    throw permissionDenied();
  }
  return after;
}

/** Swaps the whole tree without asking any rules, and tells everyone who listens. */
export function replaceRoot(
  database: Database,
  after: DataNode | null,
  changes: readonly Pick<Change, "path">[],
  now: number /* ms since epoch */,
): void {
  if (after === database.root) return;
  database.root = after;
  database.revision += 1;
  notifyListens(
    database,
    changes.map(({ path }) => path),
    now,
  );
}
