import { canRead } from "./access.ts";
import type { Database } from "./database.ts";
import { addRuleReads, removeListen, removeRuleReads } from "./listens.ts";
import {
  getOrder,
  isInRange,
  readRange,
  toPosition,
  updateOrder,
  type Order,
  type Range,
} from "./order.ts";
import { toExportJson } from "./to-json.ts";
import { formatPath, isAtOrBelow, withoutPriority, type Path } from "./path.ts";
import { getIndex, selectRange } from "./query.ts";
import { sendPush, type Listen, type Session } from "./session.ts";
import { getAt, getChild, type DataNode } from "./tree.ts";

/** What a write has done to a node. */
interface NodeChange {
  readonly before: DataNode | null;
  readonly after: DataNode | null;
  /** The changed paths, from the node on. One is empty when the node has been replaced as a whole. */
  readonly paths: readonly Path[];
  /** The keys of the children that may have changed. */
  readonly keys: ReadonlySet<string>;
}

/**
 * Pushes the changes to the affected listens, and ends those that the rules no longer allow. Looks only at listens at,
 * above and below the changed paths, and at those whose rules have read something there.
 */
export function notifyListens(
  database: Database,
  before: DataNode | null,
  changed: readonly Path[],
  now: number /* milliseconds since the Unix epoch */,
): void {
  const paths = changed.map(withoutPriority);
  for (const listen of database.ruleReads.findRelated(paths)) {
    revokeUnlessAllowed(database, listen, now);
  }
  const changes = new Map<string, NodeChange>();
  for (const listen of database.listens.findRelated(paths)) {
    const key = formatPath(listen.path);
    const change = changes.get(key) ?? describeChange(before, database.root, listen.path, paths);
    changes.set(key, change);
    if (change.before === change.after) continue;
    if (listen.range === null) pushWhole(listen, change);
    else pushFiltered(listen, listen.range, change);
  }
}

/** Ends the session's listens that the rules no longer allow: after a sign-in, a sign-out or new rules. */
export function revokeListens(
  database: Database,
  session: Session,
  now: number /* milliseconds since the Unix epoch */,
): void {
  for (const listen of session.listens.values()) revokeUnlessAllowed(database, listen, now);
}

function revokeUnlessAllowed(database: Database, listen: Listen, now: number): void {
  const { session, path, query, tag, rawQuery } = listen;
  // A rule may read something else this time.
  removeRuleReads(database, listen);
  listen.ruleReads = [];
  if (canRead(database, session.identity, path, query, now, listen.ruleReads)) {
    addRuleReads(database, listen);
    return;
  }
  removeListen(database, listen);
  const p = formatPath(path);
  sendPush(session, "c", tag === undefined ? { p } : { p, q: [rawQuery] });
}

function describeChange(
  rootBefore: DataNode | null,
  rootAfter: DataNode | null,
  path: Path,
  changed: readonly Path[],
): NodeChange {
  const before = getAt(rootBefore, path);
  const after = getAt(rootAfter, path);
  const inner = changed
    .filter((changedPath) => isAtOrBelow(changedPath, path))
    .map((changedPath) => changedPath.slice(path.length))
    .filter((innerPath) => getAt(before, innerPath) !== getAt(after, innerPath));
  // If no changed path is inside the node, the change was above it.
  if (inner.length === 0 || inner.some(([key]) => key === undefined)) {
    return { before, after, paths: [[]], keys: new Set([...getKeys(before), ...getKeys(after)]) };
  }
  return { before, after, paths: inner, keys: new Set(inner.flatMap(([key]) => key ?? [])) };
}

function getKeys(node: DataNode | null): Iterable<string> {
  return node?.kind === "branch" ? node.children.keys() : [];
}

function pushWhole({ session, path, tag: t }: Listen, { after, paths }: NodeChange): void {
  const [first, ...others] = paths;
  if (first && others.length === 0) {
    const d = toExportJson(getAt(after, first));
    sendPush(session, "d", { p: formatPath([...path, ...first]), d, t });
    return;
  }
  // One message for all paths, so that the client sees the update as atomic.
  const d = Object.fromEntries(
    paths.map((inner) => [formatPath(inner), toExportJson(getAt(after, inner))]),
  );
  sendPush(session, "m", { p: formatPath(path), d, t });
}

function pushFiltered(listen: Listen, was: Range, { before, after, keys }: NodeChange): void {
  const { session, path, query, tag: t } = listen;
  const index = getIndex(query);
  const orderBefore = getOrder(before, index);
  const orderAfter = updateOrder(before, after, index, keys);

  const isShown = (node: DataNode | null, key: string, range: Range): boolean =>
    node !== null && isInRange(toPosition(key, node, index), range);
  const changed = [...keys]
    .map((key) => ({ key, from: getChild(before, key), to: getChild(after, key) }))
    .filter(({ from, to }) => from !== to);
  if (!changed.some(({ key, from, to }) => isShown(from, key, was) || isShown(to, key, was)))
    return;

  const is = selectRange(orderAfter, query);
  listen.range = is;
  const shown = new Map<string, DataNode | null>();
  for (const { key, from, to } of changed) {
    if (isShown(to, key, is)) shown.set(key, to);
    else if (isShown(from, key, was)) shown.set(key, null);
  }
  // The limit has moved one edge of the range. Other children have come or gone there.
  const isFromEnd = query.vf !== "r";
  for (const [position, child] of readRange(orderAfter, is, isFromEnd)) {
    if (isInRange(position, was)) break;
    shown.set(position.key, child);
  }
  for (const [position] of readRange(orderBefore, was, isFromEnd)) {
    if (isInRange(position, is)) break;
    if (!shown.has(position.key)) shown.set(position.key, null);
  }

  const p = formatPath(path);
  const [wasEmpty, isEmpty] = [isEmptyRange(orderBefore, was), isEmptyRange(orderAfter, is)];
  const d = isEmpty
    ? null
    : Object.fromEntries(Array.from(shown, ([key, child]) => [key, toExportJson(child)]));
  sendPush(session, wasEmpty || isEmpty ? "d" : "m", { p, d, t });
}

function isEmptyRange(order: Order, range: Range): boolean {
  return readRange(order, range).next().done === true;
}
