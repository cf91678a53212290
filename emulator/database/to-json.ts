import type { DeferredNode, DeferredValue } from "./server-values.ts";
import type { DataNode } from "./tree.ts";

/**
 * Returns the node in the format of the socket and of exports: with priorities, with objects in place of arrays, and with
 * the server values that are not yet resolved.
 */
export function toExportJson(node: DeferredNode | null): unknown {
  if (node === null) return null;
  if (node.kind === "leaf") {
    const value = toExportValue(node.value);
    return node.priority === null
      ? value
      : { ".value": value, ".priority": toExportValue(node.priority) };
  }
  const entries = Array.from(
    node.children.entries(),
    ([key, child]) => [key, toExportJson(child)] as const,
  );
  // fromEntries defines own properties, so a child named __proto__ is plain data.
  return Object.fromEntries(
    node.priority === null ? entries : [...entries, [".priority", toExportValue(node.priority)]],
  );
}

function toExportValue(value: DeferredValue): unknown {
  if (typeof value !== "object") return value;
  return { ".sv": value.type === "timestamp" ? "timestamp" : { increment: value.by } };
}

/** Returns the node in REST's default format: without priorities, and with arrays where the keys look like indices. */
export function toJson(node: DataNode | null): unknown {
  if (node === null) return null;
  if (node.kind === "leaf") return node.value;

  const length = findArrayLength([...node.children.keys()]);
  if (length === null) {
    return Object.fromEntries(
      Array.from(node.children.entries(), ([key, child]) => [key, toJson(child)]),
    );
  }
  return Array.from({ length }, (_, index) => toJson(node.children.get(`${index}`) ?? null));
}

/** Returns the node in the format of `shallow=true`: a leaf's value, or the keys of a branch, each with `true`. */
export function toShallowJson(node: DataNode | null): unknown {
  if (node === null) return null;
  if (node.kind === "leaf") return node.value;
  return Object.fromEntries(Array.from(node.children.keys(), (key) => [key, true]));
}

/**
 * Returns the length of the array that the keys, which are in order, stand for: whole numbers, with more than half of
 * the indices in use.
 */
function findArrayLength(keys: string[]): number | null {
  if (!keys.every((key) => /^(0|[1-9]\d{0,8})$/.test(key))) return null;
  const last = Number(keys.at(-1));
  return last < 2 * keys.length ? last + 1 : null;
}
