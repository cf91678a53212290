import type { Database } from "./database.ts";
import { createPermissionDeniedError } from "./errors.ts";
import type { Identity } from "./identity.ts";
import { notifyListens } from "./notify.ts";
import type { Change } from "./parse-data.ts";
import { isWriteAllowed } from "./rules/check.ts";
import { resolveServerValues } from "./server-values.ts";
import { getAt, setAt, type DataNode } from "./tree.ts";

/**
 * Applies all changes atomically, and notifies every listener, including the writer's.
 *
 * @throws DatabaseError `failure` when a server value cannot be resolved, `permission_denied` when the rules deny a
 *   change, `unavailable` when the changes cannot be saved.
 */
export function write(
  database: Database,
  identity: Identity,
  changes: readonly Change[],
  now: number /* milliseconds since the Unix epoch; both the timestamps written and `now` in rules */,
): void {
  const after = requireAllowedResult(database, identity, changes, now);
  replaceRoot(database, after, changes, now);
}

/**
 * Returns the whole data as it would be after the changes, without storing it.
 *
 * @throws DatabaseError as `write` does.
 */
export function requireAllowedResult(
  database: Database,
  identity: Identity,
  changes: readonly Change[],
  now: number /* milliseconds since the Unix epoch */,
): DataNode | null {
  const before = database.root;
  let after = before;
  for (const { path, data } of changes) {
    // Increments are based on the data before the whole write, not on its other changes.
    after = setAt(after, path, resolveServerValues(data, getAt(before, path), now));
  }
  const paths = changes.map(({ path }) => path);
  const { auth } = identity;
  if (
    !identity.isAdmin &&
    !isWriteAllowed(database.rules.root, before, after, paths, { auth, now })
  ) {
    throw createPermissionDeniedError();
  }
  return after;
}

/**
 * Replaces the whole tree without checking the rules, and notifies every listener.
 *
 * @throws DatabaseError `unavailable` when the changes cannot be saved; nothing is changed then.
 */
export function replaceRoot(
  database: Database,
  after: DataNode | null,
  changes: readonly Pick<Change, "path">[],
  now: number /* milliseconds since the Unix epoch */,
): void {
  if (after === database.root) return;
  database.journal?.recordChanges(database.namespace, after, changes);
  const before = database.root;
  database.root = after;
  database.revision += 1;
  notifyListens(
    database,
    before,
    changes.map(({ path }) => path),
    now,
  );
}
