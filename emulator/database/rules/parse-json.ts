import { RulesError } from "./rules-error.ts";

/** A JSON value with its offset in the file. */
export type JsonNode =
  | { readonly type: "object"; readonly offset: number; readonly members: readonly JsonMember[] }
  | { readonly type: "array"; readonly offset: number; readonly elements: readonly JsonNode[] }
  | JsonString
  | { readonly type: "literal"; readonly offset: number; readonly value: number | boolean | null };

export interface JsonString {
  readonly type: "string";
  readonly offset: number;
  readonly value: string;
  /** The offset in the file of each code unit of `value`, and of the closing quote. */
  readonly offsets: readonly number[];
}

export interface JsonMember {
  readonly key: JsonString;
  readonly value: JsonNode;
}

const ESCAPES: Record<string, string> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Far more than a rules file needs. Prevents a stack overflow. */
const MAX_NESTING_LEVELS = 200;

/**
 * Parses the JSON of rules files, which may contain comments, and line breaks in strings.
 *
 * @throws RulesError with line and column.
 */
export function parseJson(source: string): JsonNode {
  const parser = new JsonParser(source);
  const value = parser.readValue(0);
  parser.skipWhitespace();
  if (parser.position < source.length) parser.fail("Expected the end of the file");
  return value;
}

class JsonParser {
  position = 0;
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  fail(message: string, offset = this.position): never {
    throw new RulesError(this.#source, offset, `${message}.`);
  }

  skipWhitespace(): void {
    while (this.#match(/[\s\uFEFF]+|\/\/[^\n\r]*|\/\*[^]*?\*\//y));
    if (this.#source.startsWith("/*", this.position)) this.fail("This comment has no end");
  }

  readValue(level: number): JsonNode {
    if (level > MAX_NESTING_LEVELS) this.fail("The rules are nested too deeply");
    this.skipWhitespace();
    const offset = this.position;
    switch (this.#source[offset]) {
      case "{":
        return {
          type: "object",
          offset,
          members: this.#readList("}", () => this.#readMember(level)),
        };
      case "[":
        return {
          type: "array",
          offset,
          elements: this.#readList("]", () => this.readValue(level + 1)),
        };
      case '"':
        return this.#readString();
      default:
        return this.#readLiteral();
    }
  }

  #readList<Item>(close: "}" | "]", readItem: () => Item): Item[] {
    const items: Item[] = [];
    this.position += 1;
    this.skipWhitespace();
    if (this.#consume(close)) return items;
    for (;;) {
      items.push(readItem());
      this.skipWhitespace();
      if (this.#consume(close)) return items;
      if (!this.#consume(",")) this.fail(`Expected "," or "${close}"`);
    }
  }

  #readMember(level: number): JsonMember {
    this.skipWhitespace();
    if (this.#source[this.position] !== '"') this.fail("Expected a name in double quotes");
    const key = this.#readString();
    this.skipWhitespace();
    if (!this.#consume(":")) this.fail('Expected ":"');
    return { key, value: this.readValue(level + 1) };
  }

  #readString(): JsonString {
    const offset = this.position;
    const offsets: number[] = [];
    let value = "";
    this.position += 1;
    for (;;) {
      const start = this.position;
      const character = this.#source[start];
      if (character === undefined) this.fail("This string has no closing quote", offset);
      offsets.push(start);
      if (this.#consume('"')) return { type: "string", offset, value, offsets };
      if (character === "\\") {
        value += this.#readEscape();
      } else {
        value += character;
        this.position += 1;
      }
    }
  }

  #readEscape(): string {
    const escape = this.#match(/\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))/y);
    if (!escape) this.fail("Unknown escape");
    const [, hex, letter = ""] = escape;
    return hex === undefined ? (ESCAPES[letter] ?? letter) : String.fromCharCode(parseInt(hex, 16));
  }

  #readLiteral(): JsonNode {
    const offset = this.position;
    const word = this.#match(/(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\b/y)?.[0];
    if (word === undefined) this.fail("Expected a value");
    const value = word === "null" ? null : word === "true" || (word !== "false" && Number(word));
    return { type: "literal", offset, value };
  }

  /** Consumes the match of a sticky pattern at the position. */
  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.#source);
    if (match) this.position = pattern.lastIndex;
    return match;
  }

  #consume(character: string): boolean {
    if (this.#source[this.position] !== character) return false;
    this.position += 1;
    return true;
  }
}
