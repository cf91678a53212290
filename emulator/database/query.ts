import { z } from "zod";

import { MAX_KEY, MIN_KEY } from "./constants.ts";
import { compareKeys, compareNodes } from "./compare.ts";
import { PRIORITY_KEY } from "./path.ts";
import { createBranch, getAt, createLeaf, type DataNode, type LeafValue } from "./tree.ts";

const boundSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** The query object of listens and gets, with the protocol's names. */
export const querySchema = z.object({
  /** Index: `.key`, `.value`, `.priority` or a child path. The priority when absent. */
  i: z.string().optional(),
  /** Start and end of the range: value (`sp`, `ep`), key (`sn`, `en`), inclusive (`sin`, `ein`). */
  sp: boundSchema.optional(),
  sn: z.string().optional(),
  sin: z.boolean().optional(),
  ep: boundSchema.optional(),
  en: z.string().optional(),
  ein: z.boolean().optional(),
  /** Limit. */
  l: z.number().int().positive().optional(),
  /** Which end the limit applies to: left (first) or right (last). */
  vf: z.enum(["l", "r"]).optional(),
});

export type Query = z.infer<typeof querySchema>;

/** The position of a child in the order of an index. */
interface Position {
  readonly key: string;
  readonly value: DataNode | null;
}

/** Whether the query can exclude children, rather than only order them. */
export function isFiltering(query: Query): boolean {
  return query.sp !== undefined || query.ep !== undefined || query.l !== undefined;
}

/** Returns the node with the children that the query selects. A filtered node has no priority. */
export function applyQuery(node: DataNode | null, query: Query): DataNode | null {
  if (!isFiltering(query)) return node;
  if (node?.kind !== "branch") return null;

  const { start, end } = getBounds(query);
  const inRange = Array.from(node.children, ([key, child]) => ({
    key,
    child,
    value: getIndexValue(child, query.i),
  })).filter(
    (entry) =>
      (start === null || isWithin(comparePositions(entry, start), query.sin)) &&
      (end === null || isWithin(comparePositions(end, entry), query.ein)),
  );
  const limited =
    query.l === undefined || inRange.length <= query.l
      ? inRange
      : inRange.sort(comparePositions).slice(...(query.vf === "r" ? [-query.l] : [0, query.l]));
  return createBranch(new Map(limited.map(({ key, child }) => [key, child])));
}

function isWithin(comparison: number, isInclusive = true): boolean {
  return isInclusive ? comparison >= 0 : comparison > 0;
}

function comparePositions(a: Position, b: Position): number {
  return compareNodes(a.value, b.value) || compareKeys(a.key, b.key);
}

function getIndexValue(child: DataNode, index = PRIORITY_KEY): DataNode | null {
  if (index === ".key") return null;
  if (index === ".value") return child;
  // Includes the priority, which is addressed like a child.
  return getAt(child, index.split("/"));
}

/** Without a key, an inclusive bound includes every entry with that value, and an exclusive one none. */
function getBounds(query: Query): { start: Position | null; end: Position | null } {
  const { i, sp, sn, sin = true, ep, en, ein = true } = query;
  return {
    start: sp === undefined ? null : toPosition(i, sp, sn ?? (sin ? MIN_KEY : MAX_KEY)),
    end: ep === undefined ? null : toPosition(i, ep, en ?? (ein ? MAX_KEY : MIN_KEY)),
  };
}

function toPosition(index: string | undefined, bound: LeafValue | null, key: string): Position {
  if (index === ".key") return { key: String(bound), value: null };
  return { key, value: bound === null ? null : createLeaf(bound) };
}
