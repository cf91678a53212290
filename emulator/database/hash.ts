import { createHash } from "node:crypto";

import { compareValues } from "./compare.ts";
import type { DataNode, LeafValue } from "./tree.ts";

/** Nodes never change, so neither do their hashes. */
const hashes = new WeakMap<DataNode, string>();

/**
 * Returns the hash that clients send with listens and transactions. An empty string for no data.
 *
 * Unlike the SDK, numbers are written in exact IEEE 754. The SDK is inexact for a few of them (2^48 - 1 to 2^53 - 1,
 * magnitudes below 1e-292), so transactions on such a number fail.
 */
export function getHash(node: DataNode | null): string {
  if (node === null) return "";
  const cached = hashes.get(node);
  if (cached !== undefined) return cached;

  const hash = createHash("sha1").update(toHashText(node)).digest("base64");
  hashes.set(node, hash);
  return hash;
}

/** Whether a client with this hash has the data already. Without data, as most clients are, it takes no time. */
export function isHashOf(node: DataNode | null, hash: string | undefined): boolean {
  if (hash === undefined || hash === "") return hash === "" && node === null;
  return hash === getHash(node);
}

function toHashText(node: DataNode): string {
  const prefix = node.priority === null ? "" : `priority:${toValueText(node.priority)}:`;
  if (node.kind === "leaf") return prefix + toValueText(node.value);

  // Sorting is stable: children with the same priority stay in the order of their keys.
  const children = [...node.children.entries()].sort(([, a], [, b]) =>
    compareValues(a.priority, b.priority),
  );
  return prefix + children.map(([key, child]) => `:${key}:${getHash(child)}`).join("");
}

function toValueText(value: LeafValue): string {
  if (typeof value !== "number") return `${typeof value}:${value}`;
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value);
  return `number:${bytes.toString("hex")}`;
}
