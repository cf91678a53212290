import type { DataNode } from "./tree.ts";

/** Returns the form used on the socket and in files: priorities kept, arrays as objects. */
export function toExportForm(node: DataNode | null): unknown {
  if (node === null) return null;
  if (node.kind === "leaf") {
    return node.priority === null
      ? node.value
      : { ".value": node.value, ".priority": node.priority };
  }
  const entries = Array.from(node.children, ([key, child]) => [key, toExportForm(child)] as const);
  // fromEntries defines properties, so a child named __proto__ stays data.
  return Object.fromEntries(
    node.priority === null ? entries : [...entries, [".priority", node.priority]],
  );
}

/** Returns what REST answers by default: no priorities, and arrays where the keys look like indices. */
export function toPlainForm(node: DataNode | null): unknown {
  if (node === null) return null;
  if (node.kind === "leaf") return node.value;

  const length = arrayLength([...node.children.keys()]);
  if (length === null) {
    return Object.fromEntries(
      Array.from(node.children, ([key, child]) => [key, toPlainForm(child)]),
    );
  }
  return Array.from({ length }, (_, index) => toPlainForm(node.children.get(`${index}`) ?? null));
}

/** Returns a leaf's value, or the keys of a branch, each with `true`: what `shallow=true` asks for. */
export function toShallowForm(node: DataNode | null): unknown {
  if (node === null) return null;
  if (node.kind === "leaf") return node.value;
  return Object.fromEntries(Array.from(node.children.keys(), (key) => [key, true]));
}

/** Keys are indices when all are whole numbers and more than half of the places are taken. */
function arrayLength(keys: string[]): number | null {
  if (!keys.every((key) => /^(0|[1-9]\d{0,8})$/.test(key))) return null;
  const last = Math.max(...keys.map(Number));
  return last < 2 * keys.length ? last + 1 : null;
}
