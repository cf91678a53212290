import { MAX_KEY, MIN_KEY } from "./constants.ts";

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
export function compareValues(
  a: string | number | boolean | null,
  b: string | number | boolean | null,
): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a === "string" && typeof b === "string") return compareText(a, b);
  return getTypeRank(a) - getTypeRank(b);
}

/** Compares two texts by UTF-16 code units. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function getTypeRank(value: string | number | boolean | null): number {
  if (value === null) return 0;
  if (value === false) return 1;
  if (value === true) return 2;
  return typeof value === "number" ? 3 : 4;
}

function toInteger(key: string): number | null {
  // Most keys begin with a letter, which comes after all digits.
  if (key >= ":" || !/^-?0*\d{1,10}$/.test(key)) return null;
  const value = Number(key);
  return value >= -(2 ** 31) && value <= 2 ** 31 - 1 ? value : null;
}
