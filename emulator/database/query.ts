import { z } from "zod";

import { MAX_KEY, MIN_KEY } from "./constants.ts";
import { getOrder, readRange, type Order, type Range } from "./order.ts";
import { PRIORITY_KEY } from "./path.ts";
import { createBranch, createLeaf, type DataNode, type LeafValue } from "./tree.ts";

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

/** Whether the query can exclude children, rather than only order them. */
export function isFiltering(query: Query): boolean {
  return query.sp !== undefined || query.ep !== undefined || query.l !== undefined;
}

/** Returns the node with the children that the query selects. A filtered node has no priority. */
export function applyQuery(node: DataNode | null, query: Query): DataNode | null {
  if (!isFiltering(query)) return node;
  const order = getOrder(node, getIndex(query));
  const selected = readRange(order, selectRange(order, query));
  return createBranch(Array.from(selected, ([{ key }, child]) => [key, child] as const));
}

/** Returns the index that the query orders by. */
export function getIndex({ i = PRIORITY_KEY }: Query): string {
  return i;
}

/** Returns the part of the order that the query selects. */
export function selectRange(order: Order, query: Query): Range {
  const range = getBounds(query);
  if (query.l === undefined) return range;

  const isFromEnd = query.vf === "r";
  let count = 0;
  for (const [position] of readRange(order, range, isFromEnd)) {
    count += 1;
    if (count < query.l) continue;
    const edge = { ...position, isInclusive: true };
    return isFromEnd ? { start: edge, end: range.end } : { start: range.start, end: edge };
  }
  return range;
}

/** Without a key, an inclusive bound includes every entry with that value, and an exclusive one none. */
function getBounds(query: Query): Range {
  const { i, sp, sn, sin = true, ep, en, ein = true } = query;
  return {
    start: sp === undefined ? null : toBound(i, sp, sn ?? (sin ? MIN_KEY : MAX_KEY), sin),
    end: ep === undefined ? null : toBound(i, ep, en ?? (ein ? MAX_KEY : MIN_KEY), ein),
  };
}

function toBound(
  index: string | undefined,
  bound: LeafValue | null,
  key: string,
  isInclusive: boolean,
): NonNullable<Range["start"]> {
  if (index === ".key") return { key: String(bound), value: null, isInclusive };
  return { key, value: bound === null ? null : createLeaf(bound), isInclusive };
}
