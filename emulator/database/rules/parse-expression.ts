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

/**
 * Notes on each node where it began: jsep does not say, and messages should. A token's start is kept when the parser
 * reaches it and handed to its node when it is complete; tokens nest, hence the stack.
 */
const startPlugin: jsep.IPlugin = {
  name: "start",
  init() {
    const openTokens = new WeakMap<jsep.HookScope, number[]>();
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
      const starts = openTokens.get(this) ?? [];
      openTokens.set(this, starts.slice(0, -1));
      if (node) node["start"] ??= starts.at(-1) ?? 0;
    });
  },
};

// Registered by name, so that a second copy of this module changes nothing.
jsep.plugins.register(regex, startPlugin);

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

/** Refuses the expression, at the place where it begins. */
export function fail(node: jsep.Expression, message: string): never {
  throw new ExpressionError(startOf(node), message);
}

function startOf(node: jsep.Expression): number {
  if (typeof node["start"] === "number") return node["start"];
  // An operation begins where its left side does.
  const first = node["left"] ?? node["test"] ?? node["object"];
  return isExpression(first) ? startOf(first) : 0;
}

function isExpression(value: unknown): value is jsep.Expression {
  return typeof value === "object" && value !== null && "type" in value;
}
