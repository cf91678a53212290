import { z } from "zod";

import { MAX_KEY, MIN_KEY } from "./constants.ts";
import { compareKeys, compareNodes } from "./order.ts";
import { PRIORITY_KEY } from "./path.ts";
import { branch, getAt, leaf, type DataNode, type LeafValue } from "./tree.ts";

const boundSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** The query object of listens and gets, under the protocol's own names. */
export const querySchema = z.object({
  /** What to order by: `.key`, `.value`, a child path, or the priority when absent. */
  i: z.string().optional(),
  sp: boundSchema.optional(),
  sn: z.string().optional(),
  sin: z.boolean().optional(),
  ep: boundSchema.optional(),
  en: z.string().optional(),
  ein: z.boolean().optional(),
  l: z.number().int().positive().optional(),
  vf: z.enum(["l", "r"]).optional(),
});

export type Query = z.infer<typeof querySchema>;

/** Where a child stands in the order of an index. */
interface Position {
  readonly key: string;
  readonly value: DataNode | null;
}

/** Tells whether the query leaves children out, rather than only asking for an order. */
export function isFiltering(query: Query): boolean {
  return query.sp !== undefined || query.ep !== undefined || query.l !== undefined;
}

/** Returns the node with only the children the query asks for; a filtered node loses its own priority. */
export function applyQuery(node: DataNode | null, query: Query): DataNode | null {
  if (!isFiltering(query)) return node;
  if (node?.kind !== "branch") return null;

  const { start, end } = boundsOf(query);
  const inRange = Array.from(node.children, ([key, child]) => ({
    key,
    child,
    value: indexValueOf(child, query.i),
  })).filter(
    (entry) =>
      (start === null || isWithin(comparePositions(entry, start), query.sin)) &&
      (end === null || isWithin(comparePositions(end, entry), query.ein)),
  );
  const window =
    query.l === undefined || inRange.length <= query.l
      ? inRange
      : inRange.sort(comparePositions).slice(...(query.vf === "r" ? [-query.l] : [0, query.l]));
  return branch(new Map(window.map(({ key, child }) => [key, child])));
}

function isWithin(comparison: number, isInclusive = true): boolean {
  return isInclusive ? comparison >= 0 : comparison > 0;
}

function comparePositions(a: Position, b: Position): number {
  return compareNodes(a.value, b.value) || compareKeys(a.key, b.key);
}

function indexValueOf(child: DataNode, index = PRIORITY_KEY): DataNode | null {
  if (index === ".key") return null;
  if (index === ".value") return child;
  // Takes in the priority too: it is addressed like a child.
  return getAt(child, index.split("/"));
}

/** Without a key, an inclusive bound takes in every entry of that value and an exclusive one none of them. */
function boundsOf(query: Query): { start: Position | null; end: Position | null } {
  const { i, sp, sn, sin = true, ep, en, ein = true } = query;
  return {
    start: sp === undefined ? null : positionOf(i, sp, sn ?? (sin ? MIN_KEY : MAX_KEY)),
    end: ep === undefined ? null : positionOf(i, ep, en ?? (ein ? MAX_KEY : MIN_KEY)),
  };
}

function positionOf(index: string | undefined, bound: LeafValue | null, key: string): Position {
  if (index === ".key") return { key: String(bound), value: null };
  return { key, value: bound === null ? null : leaf(bound) };
}
