import type { Change } from "./parse-data.ts";
import { isAtOrBelow } from "./path.ts";
import type { Path } from "./path.ts";
import { setAt } from "./tree.ts";

/** The onDisconnect writes of a connection. No path in it is at or below another. */
export type PendingWrites = readonly Change[];

/**
 * Adds a write. It replaces the writes at and below its path, and is merged into one above it.
 *
 * @see https://github.com/firebase/firebase-js-sdk/blob/main/packages/database/src/core/SparseSnapshotTree.ts
 */
export function addPendingWrite(writes: PendingWrites, change: Change): PendingWrites {
  const above = writes.find(({ path }) => isAtOrBelow(change.path, path));
  if (above && above.path.length < change.path.length) {
    const data = setAt(above.data, change.path.slice(above.path.length), change.data);
    return writes.map((write) => (write === above ? { path: above.path, data } : write));
  }
  return [...writes.filter(({ path }) => !isAtOrBelow(path, change.path)), change];
}

/** Removes the writes at and below the path. Splits a write above it, to keep its other children. */
export function cancelPendingWrites(writes: PendingWrites, path: Path): PendingWrites {
  const above = writes.find((write) => isAtOrBelow(path, write.path));
  if (!above || above.path.length === path.length) {
    return writes.filter((write) => !isAtOrBelow(write.path, path));
  }
  if (above.data?.kind === "leaf") return writes;

  const children = Array.from(above.data?.children.entries() ?? [], ([key, data]) => ({
    path: [...above.path, key],
    data,
  }));
  return cancelPendingWrites([...writes.filter((write) => write !== above), ...children], path);
}
