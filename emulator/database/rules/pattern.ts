import type jsep from "jsep";

import { fail } from "./parse-expression.ts";

/** Far more than a pattern needs. Prevents a stack overflow. */
const MAX_NESTING_LEVELS = 100;

/**
 * Returns the argument of `matches`: a regular expression literal with no flag but `i`.
 *
 * @throws ExpressionError
 */
export function readPattern(node: jsep.CallExpression): RegExp {
  const [literal] = node.arguments;
  const pattern = literal?.["value"];
  const raw = literal?.["raw"];
  if (node.arguments.length !== 1 || !(pattern instanceof RegExp) || typeof raw !== "string") {
    fail(node, "matches() takes one regular expression, written as /.../");
  }
  if (pattern.flags !== "" && pattern.flags !== "i") {
    fail(node, `Unknown flags '${pattern.flags}': a regular expression may only have the flag i`);
  }
  try {
    const source = new PatternParser(raw.slice(1, raw.lastIndexOf("/"))).parse();
    // The dot matches any character, line breaks too.
    return new RegExp(source, `s${pattern.flags}`);
  } catch (error) {
    if (error instanceof SyntaxError) fail(node, error.message);
    throw error;
  }
}

/**
 * Translates the regular expressions of rules to those of JavaScript. They have fewer features, and every escaped character
 * but `\s \S \w \W \d \D` stands for itself.
 *
 * @see https://firebase.google.com/docs/reference/security/database/regex
 * @throws SyntaxError
 */
class PatternParser {
  readonly #source: string;
  #position = 0;

  constructor(source: string) {
    this.#source = source;
  }

  parse(): string {
    const start = this.#consume("^");
    const body = this.#parseAlternatives(0);
    const end = this.#consume("$");
    if (this.#next === "") return start + body + end;
    return this.#fail(`Unexpected '${this.#next}'`);
  }

  get #next(): string {
    return this.#source.charAt(this.#position);
  }

  #parseAlternatives(level: number): string {
    if (level > MAX_NESTING_LEVELS) this.#fail("Too many groups in groups");
    let result = this.#parseSequence(level);
    while (this.#consume("|")) result += `|${this.#parseSequence(level)}`;
    return result;
  }

  #parseSequence(level: number): string {
    let result = "";
    while (!["", "|", ")", "$"].includes(this.#next)) {
      result += this.#parseElement(level) + this.#parseQuantifier();
    }
    return result || this.#fail("Expected an expression");
  }

  #parseElement(level: number): string {
    if (this.#consume("(")) {
      const body = this.#parseAlternatives(level + 1);
      if (!this.#consume(")")) this.#fail("Expected ')'");
      return `(?:${body})`;
    }
    if (this.#consume("[")) return this.#parseSet();
    if (this.#consume(".")) return ".";
    if (/[*+?{^]/.test(this.#next)) this.#fail(`Unexpected '${this.#next}'`);
    return this.#parseCharacter();
  }

  #parseQuantifier(): string {
    const pattern = /[*+?]|\{\d+(?:,\d*)?\}/y;
    pattern.lastIndex = this.#position;
    const quantifier = pattern.exec(this.#source)?.[0] ?? "";
    this.#position += quantifier.length;
    return quantifier;
  }

  #parseSet(): string {
    let result = this.#consume("^");
    do {
      const from = this.#parseCharacter();
      result += from;
      const isRange = this.#next === "-" && this.#source.charAt(this.#position + 1) !== "]";
      if (isRange && !isSet(from)) {
        this.#position += 1;
        const to = this.#parseCharacter();
        if (isSet(to)) this.#fail(`Unexpected '${to}'`);
        result += `-${to}`;
      }
    } while (!this.#consume("]"));
    return `[${result}]`;
  }

  /** Parses a character or an escape. */
  #parseCharacter(): string {
    const isEscaped = this.#consume("\\") !== "";
    const character = this.#next;
    if (character === "") this.#fail("Unexpected end");
    this.#position += 1;
    return isEscaped && /[sSwWdD]/.test(character)
      ? `\\${character}`
      : character.replace(/[\\^$.*+?()[\]{}|/-]/, "\\$&");
  }

  #consume<Text extends string>(text: Text): Text | "" {
    if (this.#next !== text) return "";
    this.#position += 1;
    return text;
  }

  #fail(problem: string): never {
    const position = `character ${this.#position + 1} of the regular expression`;
    throw new SyntaxError(
      `${problem} at ${position}: Firebase supports fewer features than JavaScript`,
    );
  }
}

function isSet(character: string): boolean {
  return /^\\[sSwWdD]$/.test(character);
}
