import type jsep from "jsep";

import { fail } from "./parse-expression.ts";

/**
 * Returns the argument of `matches`: a regular expression literal with no flag but `i`.
 *
 * @throws ExpressionError
 */
export function readPattern(node: jsep.CallExpression): RegExp {
  const pattern = node.arguments[0]?.["value"];
  if (node.arguments.length !== 1 || !(pattern instanceof RegExp)) {
    fail(node, "matches() takes one regular expression, written as /.../");
  }
  if (pattern.flags !== "" && pattern.flags !== "i") {
    fail(node, `Unknown flags '${pattern.flags}': a regular expression may only have the flag i`);
  }
  return pattern;
}

/**
 * Returns the argument of `hasChildren`: a list of keys, empty when it is called without one.
 *
 * @throws ExpressionError
 */
export function readKeys(node: jsep.CallExpression): readonly string[] {
  const [list, ...others] = node.arguments;
  if (list === undefined) return [];
  const elements = list["elements"];
  const keys = Array.isArray(elements)
    ? elements.map((element) =>
        typeof element === "object" && element !== null && "value" in element
          ? element.value
          : undefined,
      )
    : [];
  if (others.length > 0 || keys.length === 0 || !keys.every((key) => typeof key === "string")) {
    fail(node, "hasChildren() takes no argument or a list of at least one string");
  }
  return keys;
}
