import { compareKeys } from "./compare.ts";
import { PRIORITY_KEY, type Path } from "./path.ts";
import { createSortedMap, withEntry, withoutKey, type SortedMap } from "./sorted-map.ts";

/** A stored value. Null is not stored: it is the absence of a node. */
export type LeafValue = string | number | boolean;

export interface Leaf<Value = LeafValue> {
  readonly kind: "leaf";
  readonly value: Value;
  readonly priority: Value | null;
}

export interface Branch<Value = LeafValue> {
  readonly kind: "branch";
  /** Never empty, and in the order of the keys. */
  readonly children: Children<Value>;
  readonly priority: Value | null;
}

type Children<Value> = SortedMap<string, DataNode<Value>>;

/** An immutable node. If it is still the same object, nothing in it has changed. */
export type DataNode<Value = LeafValue> = Leaf<Value> | Branch<Value>;

export function createLeaf<Value>(value: Value, priority: Value | null = null): Leaf<Value> {
  return { kind: "leaf", value, priority };
}

/** Creates a branch, or returns `null` without children: empty nodes do not exist, even with a priority. */
export function createBranch<Value>(
  children: Iterable<readonly [string, DataNode<Value>]>,
  priority: Value | null = null,
): Branch<Value> | null {
  return toBranch(createSortedMap(compareKeys, children), priority);
}

function toBranch<Value>(
  children: Children<Value>,
  priority: Value | null = null,
): Branch<Value> | null {
  return children.size === 0 ? null : { kind: "branch", children, priority };
}

/** Returns the child, or `null` when there is none. */
export function getChild<Value>(node: DataNode<Value> | null, key: string): DataNode<Value> | null {
  if (node === null) return null;
  if (key === PRIORITY_KEY) return node.priority === null ? null : createLeaf(node.priority);
  return node.kind === "branch" ? (node.children.get(key) ?? null) : null;
}

/** Returns the node at the path, or `null`. */
export function getAt<Value>(node: DataNode<Value> | null, path: Path): DataNode<Value> | null {
  let current = node;
  for (const key of path) {
    if (current === null) return null;
    current = getChild(current, key);
  }
  return current;
}

/**
 * Returns the tree with the node at the path replaced. `null` deletes the node and every ancestor that becomes empty.
 * Returns the same tree when nothing changes.
 */
export function setAt<Value>(
  node: DataNode<Value> | null,
  path: Path,
  value: DataNode<Value> | null,
): DataNode<Value> | null {
  const [key, ...rest] = path;
  if (key === undefined) return isSame(node, value) ? node : value;
  if (key === PRIORITY_KEY) return withPriority(node, value);

  const before = getChild(node, key);
  const after = setAt(before, rest, value);
  if (after === before) return node;

  // Writing below a leaf turns it into a branch, which keeps its priority.
  const children: Children<Value> =
    node?.kind === "branch" ? node.children : createSortedMap(compareKeys);
  return toBranch(
    after === null ? withoutKey(children, key) : withEntry(children, key, after),
    node?.priority,
  );
}

function withPriority<Value>(
  node: DataNode<Value> | null,
  value: DataNode<Value> | null,
): DataNode<Value> | null {
  if (node === null || value?.kind === "branch") return node;
  const priority = value?.value ?? null;
  return priority === node.priority ? node : { ...node, priority };
}

function isSame<Value>(a: DataNode<Value> | null, b: DataNode<Value> | null): boolean {
  if (a === b) return true;
  if (a === null || b === null || a.priority !== b.priority) return false;
  if (a.kind === "leaf") return b.kind === "leaf" && a.value === b.value;
  if (b.kind === "leaf" || a.children.size !== b.children.size) return false;
  for (const [key, child] of a.children.entries()) {
    if (!isSame(child, b.children.get(key) ?? null)) return false;
  }
  return true;
}
