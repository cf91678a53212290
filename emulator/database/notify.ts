import { canRead } from "./access.ts";
import type { Database } from "./database.ts";
import { toExportJson } from "./to-json.ts";
import { formatPath, isAtOrBelow, withoutPriority, type Path } from "./path.ts";
import { applyQuery } from "./query.ts";
import { toListenKey, sendPush, type Listen, type Session } from "./session.ts";
import { getAt, getChild, type DataNode } from "./tree.ts";

/** Pushes the changes to the affected listens, and ends those that the rules no longer allow. */
export function notifyListens(
  database: Database,
  changed: readonly Path[],
  now: number /* milliseconds since the Unix epoch */,
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

/** Ends the session's listens that the rules no longer allow: after a write, a sign-in, a sign-out or new rules. */
export function revokeListens(
  database: Database,
  session: Session,
  now: number /* milliseconds since the Unix epoch */,
): void {
  for (const listen of session.listens.values()) {
    const { path, query, tag, rawQuery } = listen;
    if (canRead(database, session.identity, path, query, now)) continue;
    session.listens.delete(toListenKey(path, tag));
    const p = formatPath(path);
    sendPush(session, "c", tag === undefined ? { p } : { p, q: [rawQuery] });
  }
}

function pushDefault(
  session: Session,
  listen: Listen,
  after: DataNode | null,
  changed: readonly Path[],
): void {
  const before = listen.lastSent;
  if (after === before) return;
  listen.lastSent = after;

  const inner = changed
    .filter((path) => isAtOrBelow(path, listen.path))
    .map((path) => path.slice(listen.path.length))
    .filter((path) => getAt(before, path) !== getAt(after, path));
  // If no changed path is inside the listen, the change was above it.
  const isWhole = inner.length === 0 || inner.some((path) => path.length === 0);
  if (isWhole) {
    sendPush(session, "d", { p: formatPath(listen.path), d: toExportJson(after) });
    return;
  }

  const [first, ...others] = inner;
  if (first && others.length === 0) {
    const path = [...listen.path, ...first];
    sendPush(session, "d", { p: formatPath(path), d: toExportJson(getAt(after, first)) });
    return;
  }
  // One message for all paths, so that the client sees the update as atomic.
  const d = Object.fromEntries(
    inner.map((path) => [formatPath(path), toExportJson(getAt(after, path))]),
  );
  sendPush(session, "m", { p: formatPath(listen.path), d });
}

function pushFiltered(session: Session, listen: Listen, after: DataNode | null): void {
  const before = listen.lastSent;
  if (after === before) return;
  listen.lastSent = after;

  const p = formatPath(listen.path);
  if (before?.kind !== "branch" || after?.kind !== "branch") {
    sendPush(session, "d", { p, d: toExportJson(after), t: listen.tag });
    return;
  }
  const keys = [...new Set([...before.children.keys(), ...after.children.keys()])];
  const changed = keys.filter((key) => getChild(before, key) !== getChild(after, key));
  if (changed.length === 0) return;
  const d = Object.fromEntries(changed.map((key) => [key, toExportJson(getChild(after, key))]));
  sendPush(session, "m", { p, d, t: listen.tag });
}
