import type { StaticType } from "./methods.ts";
import { RuleTypeError } from "./scope.ts";

interface Operator {
  /** The types that both operands may have, checked at compile time where they are known. */
  readonly operands: readonly StaticType[];
  readonly returns: (left: StaticType, right: StaticType) => StaticType;
  readonly apply: (left: unknown, right: unknown) => unknown;
}

const PRIMITIVES: readonly StaticType[] = ["boolean", "number", "string", "null"];

/** The operators that evaluate both operands: all but `&&` and `||`. */
export const BINARY_OPERATORS = new Map<string, Operator>([
  ["+", { operands: ["number", "string"], returns: getSumType, apply: add }],
  ["-", createArithmetic((left, right) => left - right)],
  ["*", createArithmetic((left, right) => left * right)],
  // As in Firebase, also 1/0.
  ["/", createArithmetic((left, right) => (right === 0 ? NaN : left / right))],
  ["%", createArithmetic((left, right) => left % right)],
  ["==", createEquality((left, right) => left === right)],
  ["===", createEquality((left, right) => left === right)],
  ["!=", createEquality((left, right) => left !== right)],
  ["!==", createEquality((left, right) => left !== right)],
  ["<", createComparison((left, right) => left < right)],
  ["<=", createComparison((left, right) => left <= right)],
  [">", createComparison((left, right) => left > right)],
  [">=", createComparison((left, right) => left >= right)],
]);

/** @throws RuleTypeError for any other type. */
export function requireNumber(value: unknown): number {
  if (typeof value === "number") return value;
  throw new RuleTypeError("Expected a number");
}

/** @throws RuleTypeError for any other type. */
export function requireString(value: unknown): string {
  if (typeof value === "string") return value;
  throw new RuleTypeError("Expected a string");
}

function getSumType(left: StaticType, right: StaticType): StaticType {
  if (left === "string" || right === "string") return "string";
  return left === "number" && right === "number" ? "number" : "value";
}

/** Adds numbers, or joins texts and numbers. Nothing else is converted, so that `'users/' + null` is an error. */
function add(left: unknown, right: unknown): unknown {
  if (typeof left === "number" && typeof right === "number") return left + right;
  return toText(left) + toText(right);
}

function toText(value: unknown): string {
  return typeof value === "number" ? String(value) : requireString(value);
}

function createArithmetic(calculate: (left: number, right: number) => number): Operator {
  return {
    operands: ["number"],
    returns: () => "number",
    apply: (left, right) => calculate(requireNumber(left), requireNumber(right)),
  };
}

/** Without coercion, so that `==` is the same as `===`. Objects cannot be compared. */
function createEquality(apply: Operator["apply"]): Operator {
  return { operands: PRIMITIVES, returns: () => "boolean", apply };
}

function createComparison(
  compare: (left: string | number, right: string | number) => boolean,
): Operator {
  return {
    operands: ["number", "string"],
    returns: () => "boolean",
    apply: (left, right) =>
      typeof left === "string"
        ? compare(left, requireString(right))
        : compare(requireNumber(left), requireNumber(right)),
  };
}
