import { compareKeys, compareValues } from "./compare.ts";
import { createSortedMap, withEntry, withoutKey, type SortedMap } from "./sorted-map.ts";
import { getAt, getChild, type Branch, type DataNode } from "./tree.ts";

/** The position of a child in an order. */
export interface Position {
  readonly key: string;
  /** What the children are ordered by. The key decides between children with the same. */
  readonly value: DataNode | null;
}

/** The children of a node in the order of an index. */
export type Order = SortedMap<Position, DataNode>;

interface Bound extends Position {
  readonly isInclusive: boolean;
}

/** A part of an order. */
export interface Range {
  readonly start: Bound | null;
  readonly end: Bound | null;
}

/** Nodes never change, so neither do their orders. By index. */
const orders = new WeakMap<Branch, Map<string, Order>>();

/** @param index `.key`, `.value`, `.priority` or a child path */
export function getOrder(node: DataNode | null, index: string): Order {
  const known = findOrder(node, index);
  if (known) return known;
  if (node?.kind !== "branch") return createSortedMap(comparePositions);
  const entries = Array.from(
    node.children.entries(),
    ([key, child]) => [toPosition(key, child, index), child] as const,
  );
  return keepOrder(node, index, createSortedMap(comparePositions, entries));
}

/** Makes the order of `after` from the one of `before`, from which it differs only in the children with these keys. */
export function updateOrder(
  before: DataNode | null,
  after: DataNode | null,
  index: string,
  keys: ReadonlySet<string>,
): Order {
  const known = findOrder(before, index);
  // To order everything again takes less time than to move everything.
  if (!known || after?.kind !== "branch" || findOrder(after, index) || keys.size > known.size / 8) {
    return getOrder(after, index);
  }
  let order = known;
  for (const key of keys) {
    const [was, is] = [getChild(before, key), getChild(after, key)];
    if (was) order = withoutKey(order, toPosition(key, was, index));
    if (is) order = withEntry(order, toPosition(key, is, index), is);
  }
  return keepOrder(after, index, order);
}

function findOrder(node: DataNode | null, index: string): Order | undefined {
  return node?.kind === "branch" ? orders.get(node)?.get(index) : undefined;
}

function keepOrder(node: Branch, index: string, order: Order): Order {
  const ofNode = orders.get(node) ?? new Map<string, Order>();
  orders.set(node, ofNode.set(index, order));
  return order;
}

export function toPosition(key: string, child: DataNode, index: string): Position {
  switch (index) {
    case ".key":
      return { key, value: null };
    case ".value":
      return { key, value: child };
    default:
      // Includes the priority, which is addressed like a child.
      return { key, value: getAt(child, index.split("/")) };
  }
}

function comparePositions(a: Position, b: Position): number {
  return compareNodes(a.value, b.value) || compareKeys(a.key, b.key);
}

/** Compares two nodes by value. Objects come last and are equal to each other. */
function compareNodes(a: DataNode | null, b: DataNode | null): number {
  const aIsBranch = a?.kind === "branch";
  const bIsBranch = b?.kind === "branch";
  if (aIsBranch || bIsBranch) return Number(aIsBranch) - Number(bIsBranch);
  return compareValues(a?.value ?? null, b?.value ?? null);
}

export function isInRange(position: Position, range: Range): boolean {
  return !isBefore(position, range.start) && !isAfter(position, range.end);
}

function isBefore(position: Position, start: Bound | null): boolean {
  if (start === null) return false;
  const comparison = comparePositions(position, start);
  return start.isInclusive ? comparison < 0 : comparison <= 0;
}

function isAfter(position: Position, end: Bound | null): boolean {
  if (end === null) return false;
  const comparison = comparePositions(position, end);
  return end.isInclusive ? comparison > 0 : comparison >= 0;
}

/** Reads the range from its start, or backwards from its end. */
export function* readRange(
  order: Order,
  { start, end }: Range,
  isBackwards = false,
): Generator<[Position, DataNode], void> {
  const entries = isBackwards
    ? order.entriesReversed(end ?? undefined)
    : order.entries(start ?? undefined);
  for (const entry of entries) {
    const [position] = entry;
    if (isBefore(position, start)) {
      if (isBackwards) return;
    } else if (isAfter(position, end)) {
      if (!isBackwards) return;
    } else yield entry;
  }
}
