import { RulesError } from "./rules-error.ts";

/** A JSON value that remembers where it stood. */
export type Located =
  | { readonly type: "object"; readonly offset: number; readonly members: readonly Member[] }
  | { readonly type: "array"; readonly offset: number; readonly elements: readonly Located[] }
  | LocatedText
  | { readonly type: "literal"; readonly offset: number; readonly value: number | boolean | null };

export interface LocatedText {
  readonly type: "text";
  readonly offset: number;
  readonly value: string;
  /** The place in the file of each code unit of `value`, and of the closing quote. */
  readonly offsets: readonly number[];
}

export interface Member {
  readonly key: LocatedText;
  readonly value: Located;
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

/** Far beyond any rules file; keeps a broken one from exhausting the stack. */
const MAX_NESTING_LEVELS = 200;

/**
 * Parses the JSON of rules files: comments are allowed, and so are line breaks within strings.
 *
 * @throws RulesError with line and column.
 */
export function parseJson(source: string): Located {
  const reader = new Reader(source);
  const value = reader.readValue(0);
  reader.skipBlank();
  if (reader.position < source.length) reader.fail("Expected the end of the file");
  return value;
}

class Reader {
  position = 0;
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
  }

  fail(message: string, offset = this.position): never {
    throw new RulesError(this.#source, offset, `${message}.`);
  }

  skipBlank(): void {
    while (this.#match(/[\s\uFEFF]+|\/\/[^\n\r]*|\/\*[^]*?\*\//y));
    if (this.#source.startsWith("/*", this.position)) this.fail("This comment has no end");
  }

  readValue(level: number): Located {
    if (level > MAX_NESTING_LEVELS) this.fail("The rules are nested too deeply");
    this.skipBlank();
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
        return this.#readText();
      default:
        return this.#readLiteral();
    }
  }

  #readList<Item>(close: "}" | "]", readItem: () => Item): Item[] {
    const items: Item[] = [];
    this.position += 1;
    this.skipBlank();
    if (this.#take(close)) return items;
    for (;;) {
      items.push(readItem());
      this.skipBlank();
      if (this.#take(close)) return items;
      if (!this.#take(",")) this.fail(`Expected "," or "${close}"`);
    }
  }

  #readMember(level: number): Member {
    this.skipBlank();
    if (this.#source[this.position] !== '"') this.fail("Expected a name in double quotes");
    const key = this.#readText();
    this.skipBlank();
    if (!this.#take(":")) this.fail('Expected ":"');
    return { key, value: this.readValue(level + 1) };
  }

  #readText(): LocatedText {
    const offset = this.position;
    const offsets: number[] = [];
    let value = "";
    this.position += 1;
    for (;;) {
      const start = this.position;
      const character = this.#source[start];
      if (character === undefined) this.fail("This text has no closing quote", offset);
      offsets.push(start);
      if (this.#take('"')) return { type: "text", offset, value, offsets };
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

  #readLiteral(): Located {
    const offset = this.position;
    const word = this.#match(/(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\b/y)?.[0];
    if (word === undefined) this.fail("Expected a value");
    const value = word === "null" ? null : word === "true" || (word !== "false" && Number(word));
    return { type: "literal", offset, value };
  }

  /** Takes what the sticky pattern finds at the position. */
  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.position;
    const match = pattern.exec(this.#source);
    if (match) this.position = pattern.lastIndex;
    return match;
  }

  #take(character: string): boolean {
    if (this.#source[this.position] !== character) return false;
    this.position += 1;
    return true;
  }
}
