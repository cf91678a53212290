import type jsep from "jsep";

import { fail } from "./parse-expression.ts";

/** Tests a text. */
export type Pattern = (text: string) => boolean;

/** A state of an automaton: consumes a character of the set, or nothing if there is no set, and goes on to all the next. */
interface State {
  readonly set: RegExp | null;
  readonly next: State[];
}

/** Builds the states of a part of the pattern, which go on to the given one, and returns the first. */
type Part = (next: State) => State;

/** Far more than a pattern needs. Prevents a stack overflow. */
const MAX_NESTING_LEVELS = 100;
const MAX_STATES = 20_000;

/**
 * Compiles the argument of `matches`: a regular expression literal with no flag but `i`. It is not matched by JavaScript,
 * which can backtrack for minutes. An automaton takes time in proportion to the text.
 *
 * @see https://firebase.google.com/docs/reference/security/database/regex
 * @throws ExpressionError
 */
export function compilePattern(node: jsep.CallExpression): Pattern {
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
    return new PatternCompiler(raw.slice(1, raw.lastIndexOf("/")), pattern.flags).compile();
  } catch (error) {
    if (error instanceof SyntaxError) fail(node, error.message);
    throw error;
  }
}

/**
 * Regular expressions of rules have fewer features than those of JavaScript: no lookaheads, references and lazy quantifiers,
 * and anchors only around the whole pattern, also when it has alternatives. Every escaped character but
 * `\s \S \w \W \d \D` stands for itself, and the dot for any character.
 */
class PatternCompiler {
  readonly #source: string;
  readonly #flags: string;
  #position = 0;
  #stateCount = 0;

  constructor(source: string, flags: string) {
    this.#source = source;
    this.#flags = flags;
  }

  /** @throws SyntaxError */
  compile(): Pattern {
    const isStart = this.#consume("^");
    const part = this.#parseAlternatives(0);
    const isEnd = this.#consume("$");
    if (this.#next !== "") this.#fail(`Unexpected '${this.#next}'`);

    const end = this.#createState(null, []);
    const start = part(end);
    return (text) => {
      let states = new Set<State>();
      enter(start, states);
      // By code unit, like `length`.
      for (let index = 0; index < text.length && (isEnd || !states.has(end)); index += 1) {
        const character = text.charAt(index);
        const following = new Set<State>();
        for (const { set, next } of states) {
          if (set?.test(character)) for (const state of next) enter(state, following);
        }
        if (!isStart) enter(start, following);
        states = following;
      }
      return states.has(end);
    };
  }

  get #next(): string {
    return this.#source.charAt(this.#position);
  }

  #createState(set: RegExp | null, next: State[]): State {
    this.#stateCount += 1;
    if (this.#stateCount > MAX_STATES) this.#fail("Too many repetitions");
    return { set, next };
  }

  #parseAlternatives(level: number): Part {
    if (level > MAX_NESTING_LEVELS) this.#fail("Too many groups in groups");
    const parts = [this.#parseSequence(level)];
    while (this.#consume("|")) parts.push(this.#parseSequence(level));
    return (next) =>
      this.#createState(
        null,
        parts.map((part) => part(next)),
      );
  }

  #parseSequence(level: number): Part {
    const parts: Part[] = [];
    while (!["", "|", ")", "$"].includes(this.#next)) {
      parts.push(this.#parseQuantifier(this.#parseElement(level)));
    }
    if (parts.length === 0) this.#fail("Expected an expression");
    return (next) => parts.reduceRight((following, part) => part(following), next);
  }

  #parseElement(level: number): Part {
    if (this.#consume("(")) {
      const part = this.#parseAlternatives(level + 1);
      if (!this.#consume(")")) this.#fail("Expected ')'");
      return part;
    }
    const set = new RegExp(this.#parseSet(), `s${this.#flags}`);
    return (next) => this.#createState(set, [next]);
  }

  #parseQuantifier(part: Part): Part {
    const quantifier = /[*+?]|\{(?<min>\d+)(?<more>,(?<max>\d*))?\}/y;
    quantifier.lastIndex = this.#position;
    const match = quantifier.exec(this.#source);
    if (match === null) return part;
    this.#position = quantifier.lastIndex;

    const { min = match[0] === "+" ? 1 : 0, more, max } = match.groups ?? {};
    const required = Number(min);
    const isEndless = match[0] === "*" || match[0] === "+" || max === "";
    const optional = match[0] === "?" ? 1 : more === undefined ? 0 : Number(max) - required;
    return (next) => {
      let first = next;
      if (isEndless) {
        first = this.#createState(null, [next]);
        first.next.push(part(first));
      } else {
        for (let count = 0; count < optional; count += 1) {
          first = this.#createState(null, [next, part(first)]);
        }
      }
      for (let count = 0; count < required; count += 1) first = part(first);
      return first;
    };
  }

  /** Parses a set or a character to a regular expression for one character. */
  #parseSet(): string {
    if (this.#consume(".")) return ".";
    if (/[*+?{^]/.test(this.#next)) this.#fail(`Unexpected '${this.#next}'`);
    if (!this.#consume("[")) return this.#parseCharacter();

    let result = this.#consume("^") ? "^" : "";
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
    const isEscaped = this.#consume("\\");
    const character = this.#next;
    if (character === "") this.#fail("Unexpected end");
    this.#position += 1;
    return isEscaped && isSet(`\\${character}`)
      ? `\\${character}`
      : character.replace(/[\\^$.*+?()[\]{}|/-]/, "\\$&");
  }

  #consume(text: string): boolean {
    if (this.#next !== text) return false;
    this.#position += 1;
    return true;
  }

  #fail(problem: string): never {
    const position = `character ${this.#position + 1} of the regular expression`;
    throw new SyntaxError(`${problem} at ${position}`);
  }
}

function isSet(character: string): boolean {
  return /^\\[sSwWdD]$/.test(character);
}

/** Adds the state and those that it goes on to without a character. */
function enter(state: State, states: Set<State>): void {
  const open = [state];
  for (let current = open.pop(); current; current = open.pop()) {
    if (states.has(current)) continue;
    states.add(current);
    if (current.set === null) open.push(...current.next);
  }
}
