/** Some words of a story, said in the room. */
export interface Quote {
  words: string;
  /** Where they stand: the address of the story, and the id of the paragraph behind a `#`. */
  path: string;
  /** What the sender says to them; may be empty. */
  remark: string;
}

const MAX_WORDS_LENGTH = 600;

/** The quotation, a line with its path, and whatever follows. */
const QUOTE = /^“([^]+)”\n(\/read\/[^\s#/?]+#p-[\da-z]+(?:-\d+)?)(?:\n([^]*))?$/;

/** Returns a quote as a message holds it: plain text, which any reader of the room understands. */
export function writeQuote({ words, path }: Pick<Quote, "words" | "path">): string {
  const text = words.trim().replaceAll(/\s+/g, " ");
  const isLong = text.length > MAX_WORDS_LENGTH;
  // Never cut through a character of two units.
  const shown = text.slice(0, MAX_WORDS_LENGTH).replace(/[\uD800-\uDBFF]$/, "");
  return `“${isLong ? `${shown}…` : shown}”\n${path}\n`;
}

/** Returns the quote that a message begins with; `null` for a message like any other. */
export function readQuote(text: string): Quote | null {
  const [, words, path, remark = ""] = QUOTE.exec(text) ?? [];
  return words === undefined || path === undefined ? null : { words, path, remark: remark.trim() };
}
