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
 * Adds the start index to each node, which jsep does not do, for error messages. A stack holds the starts of the tokens
 * that are being parsed, because tokens nest.
 */
const startPlugin: jsep.IPlugin = {
  name: "start",
  init() {
    const openTokens = new WeakMap<jsep.HookScope, number[]>();
    jsep.hooks.add(
      "gobble-token",
      function (env) {
        // The end of a list is not a token.
        if (/[)\]]/.test(this.char)) return;
        openTokens.set(this, [...(openTokens.get(this) ?? []), this.index]);
        // Parsed here, because the parser skips the "after-token" hook for numbers.
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

// jsep registers each plugin name once, so a second copy of this module changes nothing.
jsep.plugins.register(regex, startPlugin);

/**
 * Parses a rule expression into jsep's tree. It is never evaluated as JavaScript.
 *
 * @throws ExpressionError
 */
export function parseExpression(text: string): jsep.Expression {
  try {
    return jsep(text);
  } catch (error) {
    if (error instanceof RangeError) throw new ExpressionError(0, "The rule is nested too deeply");
    const index =
      error instanceof Error && "index" in error && typeof error.index === "number"
        ? error.index
        : 0;
    const description =
      error instanceof Error && "description" in error ? String(error.description) : String(error);
    throw new ExpressionError(index, description);
  }
}

/** @throws ExpressionError at the start of the node. */
export function fail(node: jsep.Expression, message: string): never {
  throw new ExpressionError(getStart(node), message);
}

function getStart(node: jsep.Expression): number {
  let current: unknown = node;
  while (isExpression(current)) {
    if (typeof current["start"] === "number") return current["start"];
    // An operation starts where its left operand does.
    current = current["left"] ?? current["test"] ?? current["object"];
  }
  return 0;
}

function isExpression(value: unknown): value is jsep.Expression {
  return typeof value === "object" && value !== null && "type" in value;
}
