import { MAX_KEY, MIN_KEY } from "./constants.ts";
import type { DataNode, LeafValue } from "./tree.ts";

/** Compares two keys: 32-bit integers first, in numeric order, then all others by UTF-16 code units. */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0;
  if (a === MIN_KEY || b === MAX_KEY) return -1;
  if (b === MIN_KEY || a === MAX_KEY) return 1;

  const aInteger = toInteger(a);
  const bInteger = toInteger(b);
  if (aInteger !== null && bInteger !== null) {
    return aInteger - bInteger || a.length - b.length || compareText(a, b);
  }
  if (aInteger !== null) return -1;
  if (bInteger !== null) return 1;
  return compareText(a, b);
}

/** Compares two leaf values or priorities: null, false, true, numbers, strings. */
export function compareValues(a: LeafValue | null, b: LeafValue | null): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  return getTypeRank(a) - getTypeRank(b);
}

/** Compares two nodes by value. Objects come last and are equal to each other. */
export function compareNodes(a: DataNode | null, b: DataNode | null): number {
  const aIsBranch = a?.kind === "branch";
  const bIsBranch = b?.kind === "branch";
  if (aIsBranch || bIsBranch) return Number(aIsBranch) - Number(bIsBranch);
  return compareValues(a?.value ?? null, b?.value ?? null);
}

function getTypeRank(value: LeafValue | null): number {
  if (value === null) return 0;
  if (value === false) return 1;
  if (value === true) return 2;
  return typeof value === "number" ? 3 : 4;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function toInteger(key: string): number | null {
  if (!/^-?0*\d{1,10}$/.test(key)) return null;
  const value = Number(key);
  return value >= -(2 ** 31) && value <= 2 ** 31 - 1 ? value : null;
}
