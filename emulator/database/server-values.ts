import { invalidRequest } from "./errors.ts";
import { branch, getChild, leaf, type DataNode, type LeafValue } from "./tree.ts";

/** A value that only the server can know, in the form `{".sv": "timestamp"}` or `{".sv": {"increment": n}}`. */
export type ServerValue =
  | { readonly type: "timestamp" }
  | { readonly type: "increment"; readonly by: number };

export type PendingValue = LeafValue | ServerValue;

/** Data as a client sent it, with its server values still open. */
export type PendingNode = DataNode<PendingValue>;

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
  throw invalidRequest(
    'Unknown server value: ".sv" must be "timestamp" or {"increment": a number}.',
  );
}

/**
 * Fills in the server values of data about to replace `existing`.
 *
 * @throws DatabaseError `failure` when an increment leaves the range of numbers.
 */
export function resolve(
  pending: PendingNode | null,
  existing: DataNode | null,
  now: number /* ms since epoch */,
): DataNode | null {
  if (pending === null) return null;
  const priority =
    pending.priority === null
      ? null
      : resolveValue(pending.priority, getChild(existing, ".priority"), now);
  if (pending.kind === "leaf") return leaf(resolveValue(pending.value, existing, now), priority);

  const children = new Map<string, DataNode>();
  for (const [key, child] of pending.children) {
    const resolved = resolve(child, getChild(existing, key), now);
    if (resolved !== null) children.set(key, resolved);
  }
  return branch(children, priority);
}

function resolveValue(value: PendingValue, existing: DataNode | null, now: number): LeafValue {
  if (typeof value !== "object") return value;
  if (value.type === "timestamp") return now;

  const current =
    existing?.kind === "leaf" && typeof existing.value === "number" ? existing.value : 0;
  const sum = current + value.by;
  if (!Number.isFinite(sum)) throw invalidRequest("An increment leaves the range of numbers.");
  return sum;
}
