import { compileRule, type Rule, type RuleKind } from "./compile.ts";
import { ExpressionError } from "./parse-expression.ts";
import { parseJson, type JsonNode, type JsonString, type JsonMember } from "./parse-json.ts";
import { RulesError } from "./rules-error.ts";

/** The rules of one level of the database, and of the levels below. */
export interface RuleNode {
  readonly read: Rule | null;
  readonly write: Rule | null;
  readonly validate: Rule | null;
  /** Child paths, or `.value`. */
  readonly indexOn: readonly string[];
  readonly children: ReadonlyMap<string, RuleNode>;
  /** For every key that is not in `children`. */
  readonly wildcard: { readonly name: string; readonly rules: RuleNode } | null;
}

/** A compiled rules file. */
export interface Ruleset {
  readonly source: string;
  readonly root: RuleNode;
}

/**
 * Parses the text of a `database.rules.json`.
 *
 * @see https://firebase.google.com/docs/database/security/core-syntax
 * @throws RulesError with line and column
 */
export function parseRules(source: string): Ruleset {
  const file = parseJson(source);
  if (file.type !== "object") throw new RulesError(source, file.offset, 'Expected {"rules": ...}.');
  const [first, second] = file.members;
  if (first?.key.value !== "rules" || second) {
    const offset = (first?.key.value === "rules" ? second : first)?.key.offset ?? file.offset;
    throw new RulesError(source, offset, 'The file must contain "rules" and nothing else.');
  }
  return { source, root: new RulesParser(source).parseLevel(first.value, new Set()) };
}

class RulesParser {
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  parseLevel(level: JsonNode, captures: ReadonlySet<string>): RuleNode {
    if (level.type !== "object") this.#fail(level.offset, "Expected an object with rules");

    const rules = new Map<RuleKind, Rule>();
    const children = new Map<string, RuleNode>();
    const seen = new Set<string>();
    let indexOn: readonly string[] = [];
    let wildcard: RuleNode["wildcard"] = null;

    for (const { key, value } of level.members) {
      const name = key.value;
      if (seen.has(name)) this.#fail(key.offset, `"${name}" is used twice here`);
      seen.add(name);

      if (name === ".read" || name === ".write" || name === ".validate") {
        rules.set(name, this.#parseRule(name, value, captures));
      } else if (name === ".indexOn") {
        indexOn = this.#parseIndexOn(value);
      } else if (name.startsWith("$")) {
        if (wildcard)
          this.#fail(key.offset, `Only one $name is allowed here besides "${wildcard.name}"`);
        if (!/^\$[A-Za-z0-9_]+$/.test(name)) this.#fail(key.offset, `Invalid name "${name}"`);
        if (captures.has(name)) this.#fail(key.offset, `"${name}" is used above`);
        wildcard = { name, rules: this.parseLevel(value, new Set([...captures, name])) };
      } else {
        this.#requireChildName(key);
        children.set(name, this.parseLevel(value, captures));
      }
    }
    return {
      read: rules.get(".read") ?? null,
      write: rules.get(".write") ?? null,
      validate: rules.get(".validate") ?? null,
      indexOn,
      children,
      wildcard,
    };
  }

  #parseRule(kind: RuleKind, value: JsonNode, captures: ReadonlySet<string>): Rule {
    if (value.type === "literal" && typeof value.value === "boolean") {
      const isAllowed = value.value;
      return () => isAllowed;
    }
    if (value.type !== "string")
      this.#fail(value.offset, `${kind} must be a string, true or false`);
    try {
      return compileRule(value.value, { kind, captures });
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      this.#fail(value.offsets[error.index] ?? value.offset, error.message);
    }
  }

  #parseIndexOn(value: JsonNode): readonly string[] {
    const elements = value.type === "array" ? value.elements : [value];
    return elements.map((element) => {
      if (element.type !== "string" || element.value === "") {
        this.#fail(element.offset, ".indexOn must be a text or a list of texts");
      }
      return element.value;
    });
  }

  #requireChildName(key: JsonString): void {
    if (key.value.startsWith(".")) this.#fail(key.offset, `Unknown rule "${key.value}"`);
    if (key.value === "" || /[.#$/[\]]/.test(key.value)) {
      this.#fail(key.offset, `Invalid key "${key.value}"`);
    }
  }

  #fail(offset: JsonMember["key"]["offset"], message: string): never {
    throw new RulesError(this.#source, offset, `${message}.`);
  }
}
