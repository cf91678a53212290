import { createInvalidRequestError } from "./errors.ts";
import { createBranch, getChild, createLeaf, type DataNode, type LeafValue } from "./tree.ts";

/** A value that the server resolves: `{".sv": "timestamp"}` or `{".sv": {"increment": n}}`. */
export type ServerValue =
  | { readonly type: "timestamp" }
  | { readonly type: "increment"; readonly by: number };

export type DeferredValue = LeafValue | ServerValue;

/** Data from a client, with server values that are not yet resolved. */
export type DeferredNode = DataNode<DeferredValue>;

/**
 * Reads the operand of `.sv`.
 *
 * @throws DatabaseError `failure` for anything but a timestamp or an increment by a finite number.
 */
export function parseServerValue(operand: unknown): ServerValue {
  if (operand === "timestamp") return { type: "timestamp" };
  if (typeof operand === "object" && operand !== null && "increment" in operand) {
    const by = operand.increment;
    if (typeof by === "number" && Number.isFinite(by)) return { type: "increment", by };
  }
  throw createInvalidRequestError(
    'Unknown server value: ".sv" must be "timestamp" or {"increment": a number}.',
  );
}

/**
 * Resolves the server values in data that will replace `existing`.
 *
 * @throws DatabaseError `failure` when the sum of an increment is not finite.
 */
export function resolveServerValues(
  node: DeferredNode | null,
  existing: DataNode | null,
  now: number /* milliseconds since the Unix epoch */,
): DataNode | null {
  if (node === null || isResolved(node)) return node;
  const priority =
    node.priority === null
      ? null
      : resolveValue(node.priority, getChild(existing, ".priority"), now);
  if (node.kind === "leaf") return createLeaf(resolveValue(node.value, existing, now), priority);

  const children = new Map<string, DataNode>();
  for (const [key, child] of node.children.entries()) {
    const resolved = resolveServerValues(child, getChild(existing, key), now);
    if (resolved !== null) children.set(key, resolved);
  }
  return createBranch(children, priority);
}

function isResolved(node: DeferredNode): node is DataNode {
  if (typeof node.priority === "object" && node.priority !== null) return false;
  if (node.kind === "leaf") return typeof node.value !== "object";
  for (const child of node.children.values()) if (!isResolved(child)) return false;
  return true;
}

function resolveValue(value: DeferredValue, existing: DataNode | null, now: number): LeafValue {
  if (typeof value !== "object") return value;
  if (value.type === "timestamp") return now;

  const current =
    existing?.kind === "leaf" && typeof existing.value === "number" ? existing.value : 0;
  const sum = current + value.by;
  if (!Number.isFinite(sum))
    throw createInvalidRequestError("The result of an increment is too large.");
  return sum;
}
