import { mayRead } from "./access.ts";
import type { Database } from "./database.ts";
import { toExportForm } from "./export-form.ts";
import { formatPath, isAtOrBelow, withoutPriority, type Path } from "./path.ts";
import { applyQuery } from "./query.ts";
import { listenKey, push, type Listen, type Session } from "./session.ts";
import { getAt, getChild, type DataNode } from "./tree.ts";

/** Pushes what has changed to every listen in reach, and ends those the new state does not allow any more. */
export function notifyListens(
  database: Database,
  changed: readonly Path[],
  now: number /* ms since epoch */,
): void {
  const paths = changed.map(withoutPriority);
  for (const session of database.sessions.values()) {
    revokeListens(database, session, now);
    for (const listen of session.listens.values()) {
      const after = getAt(database.root, listen.path);
      if (listen.tag === undefined) pushDefault(session, listen, after, paths);
      else pushFiltered(session, listen, applyQuery(after, listen.query));
    }
  }
}

/** Ends the listens that the rules do not allow (any more): after a write, a sign-in or sign-out, or new rules. */
export function revokeListens(
  database: Database,
  session: Session,
  now: number /* ms since epoch */,
): void {
  for (const listen of session.listens.values()) {
    const { path, query, tag, rawQuery } = listen;
    if (mayRead(database, session.identity, path, query, now)) continue;
    session.listens.delete(listenKey(path, tag));
    const p = formatPath(path);
    push(session, "c", tag === undefined ? { p } : { p, q: [rawQuery] });
  }
}

function pushDefault(
  session: Session,
  listen: Listen,
  after: DataNode | null,
  changed: readonly Path[],
): void {
  const before = listen.known;
  if (after === before) return;
  listen.known = after;

  const inner = changed
    .filter((path) => isAtOrBelow(path, listen.path))
    .map((path) => path.slice(listen.path.length))
    .filter((path) => getAt(before, path) !== getAt(after, path));
  // Nothing within means that the change was above.
  const isWhole = inner.length === 0 || inner.some((path) => path.length === 0);
  if (isWhole) {
    push(session, "d", { p: formatPath(listen.path), d: toExportForm(after) });
    return;
  }

  const [first, ...others] = inner;
  if (first && others.length === 0) {
    const path = [...listen.path, ...first];
    push(session, "d", { p: formatPath(path), d: toExportForm(getAt(after, first)) });
    return;
  }
  // One message for all paths, or the client would show half of an atomic update.
  const d = Object.fromEntries(
    inner.map((path) => [formatPath(path), toExportForm(getAt(after, path))]),
  );
  push(session, "m", { p: formatPath(listen.path), d });
}

function pushFiltered(session: Session, listen: Listen, after: DataNode | null): void {
  const before = listen.known;
  if (after === before) return;
  listen.known = after;

  const p = formatPath(listen.path);
  if (before?.kind !== "branch" || after?.kind !== "branch") {
    push(session, "d", { p, d: toExportForm(after), t: listen.tag });
    return;
  }
  const keys = [...new Set([...before.children.keys(), ...after.children.keys()])];
  const changed = keys.filter((key) => getChild(before, key) !== getChild(after, key));
  if (changed.length === 0) return;
  const d = Object.fromEntries(changed.map((key) => [key, toExportForm(getChild(after, key))]));
  push(session, "m", { p, d, t: listen.tag });
}
