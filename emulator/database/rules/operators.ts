import type { StaticType } from "./methods.ts";
import { RuleTypeError } from "./scope.ts";

interface Operator {
  /** The types that both operands may have, checked at compile time where they are known. */
  readonly operands: readonly StaticType[];
  readonly returns: StaticType;
  readonly apply: (left: unknown, right: unknown) => unknown;
}

const PRIMITIVES: readonly StaticType[] = ["boolean", "number", "string", "null"];

/** The operators that evaluate both operands: all but `&&` and `||`. */
export const BINARY_OPERATORS = new Map<string, Operator>([
  ["+", { operands: ["number", "string", "boolean", "null"], returns: "any", apply: add }],
  ["-", createArithmetic((left, right) => left - right)],
  ["*", createArithmetic((left, right) => left * right)],
  ["/", createArithmetic((left, right) => left / right)],
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
export function requireBoolean(value: unknown): boolean {
  if (typeof value === "boolean") return value;
  throw new RuleTypeError("Expected a boolean");
}

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

function add(left: unknown, right: unknown): unknown {
  if (typeof left === "string" || typeof right === "string") return toText(left) + toText(right);
  return requireNumber(left) + requireNumber(right);
}

function toText(value: unknown): string {
  if (typeof value === "object" && value !== null) {
    throw new RuleTypeError("An object cannot be converted to text");
  }
  return String(value);
}

function createArithmetic(calculate: (left: number, right: number) => number): Operator {
  return {
    operands: ["number"],
    returns: "number",
    apply: (left, right) => calculate(requireNumber(left), requireNumber(right)),
  };
}

/** Without coercion, so that `==` is the same as `===`. Objects cannot be compared. */
function createEquality(apply: Operator["apply"]): Operator {
  return { operands: PRIMITIVES, returns: "boolean", apply };
}

function createComparison(
  compare: (left: string | number, right: string | number) => boolean,
): Operator {
  return {
    operands: ["number", "string"],
    returns: "boolean",
    apply: (left, right) =>
      typeof left === "string"
        ? compare(left, requireString(right))
        : compare(requireNumber(left), requireNumber(right)),
  };
}
