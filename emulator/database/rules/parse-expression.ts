import regex from "@jsep-plugin/regex";
import jsep from "jsep";

/** A syntax error, at an index into the expression. */
export class ExpressionError extends Error {
  readonly index: number;

  constructor(index: number, message: string) {
    super(message);
    this.index = index;
  }
}

// jsep does not say where a node began, and messages should. Each token notes its start when the parser
// reaches it and hands it to its node when it is complete; tokens nest, hence the stack.
const openTokens = new WeakMap<jsep.HookScope, number[]>();
const starts = new WeakMap<jsep.Expression, number>();

jsep.plugins.register(regex);
jsep.hooks.add(
  "gobble-token",
  function (env) {
    // The end of a list is no token.
    if (/[)\]]/.test(this.char)) return;
    openTokens.set(this, [...(openTokens.get(this) ?? []), this.index]);
    // Left to itself, the parser completes numbers without the second hook.
    if (/[\d.]/.test(this.char)) env.node = this.gobbleNumericLiteral();
  },
  true,
);
jsep.hooks.add("after-token", function ({ node }) {
  const stack = openTokens.get(this) ?? [];
  openTokens.set(this, stack.slice(0, -1));
  if (node && !starts.has(node)) starts.set(node, stack.at(-1) ?? 0);
});

/**
 * Parses one rule expression into jsep's tree; nothing is ever evaluated as JavaScript.
 *
 * @throws ExpressionError
 */
export function parseExpression(text: string): jsep.Expression {
  try {
    return jsep(text);
  } catch (error) {
    const index =
      error instanceof Error && "index" in error && typeof error.index === "number"
        ? error.index
        : 0;
    const description =
      error instanceof Error && "description" in error ? String(error.description) : String(error);
    throw new ExpressionError(index, description);
  }
}

/** Returns where the expression begins. */
export function startOf(node: jsep.Expression): number {
  const start = starts.get(node);
  if (start !== undefined) return start;
  // An operation begins where its left side does.
  const first = node["left"] ?? node["test"] ?? node["object"];
  return isExpression(first) ? startOf(first) : 0;
}

function isExpression(value: unknown): value is jsep.Expression {
  return typeof value === "object" && value !== null && "type" in value;
}
