import { truncate } from "#app/ui/truncate.ts";

/** The longest quote, in UTF-16 units. */
export const MAX_QUOTE_LENGTH = 600;

/** The quote, its path on a separate line, and the rest of the text. */
const QUOTE = /^“([^]+)”\n(\/read\/[^\s#/?]+#p-[\da-z]+(?:-\d+)?)(?:\n([^]*))?$/;

/** The quote in a message that is counted for its passage. `firestore.rules` has the same expression. */
const COUNTED_QUOTE =
  /^“[^\n]+”\n\/read\/([A-Za-z0-9-]{1,100})#(p-[0-9a-z]{1,7}(?:-[0-9]{1,6})?)(?:\n[^]*)?$/;

/** A line with the path of a quote, wherever it is in a message, also in a reply. */
const PATH_LINE = /^(?:> )*\/read\/([^\s#/?]+)#(p-[\da-z]+(?:-\d+)?)$/gm;

/** Words of a story, quoted in a message. */
export interface Quote {
  words: string;
  /** The story's path, with the id of the paragraph as its hash. */
  path: string;
  /** What the sender wrote below the quote; may be empty. */
  comment: string;
}

/** A paragraph of a story. */
export interface Passage {
  /** The id of the story. */
  story: string;
  /** The id of the paragraph. */
  paragraph: string;
}

/** Returns the path of the records of quotes, below the database's root. Each document has the id of its story. */
export function getQuotesPath(roomId: string): string {
  return `rooms/${roomId}/quotes`;
}

/** Returns the text of a message that begins with the quote: plain text, readable without this format. */
export function formatQuote({ words, path }: Pick<Quote, "words" | "path">): string {
  const text = words.trim().replaceAll(/\s+/g, " ");
  const shown = truncate(text, MAX_QUOTE_LENGTH);
  return `“${text.length > MAX_QUOTE_LENGTH ? `${shown}…` : shown}”\n${path}\n`;
}

/** Returns the quote that a message begins with, or `null`. */
export function readQuote(text: string): Quote | null {
  const [, words, path, comment = ""] = QUOTE.exec(text) ?? [];
  if (words === undefined || path === undefined) return null;
  return { words, path, comment: comment.trim() };
}

/** Splits a text into the lines of its quote, with the line break after them, and the rest. */
export function splitQuote(text: string): [quote: string, rest: string] {
  const [, words, path, rest = ""] = QUOTE.exec(text) ?? [];
  return words === undefined || path === undefined ? ["", text] : [`“${words}”\n${path}\n`, rest];
}

/**
 * Adds lines below a text. A quote is put first, because only there it is a card, and counted for its passage. The text's
 * own quote is not repeated.
 */
export function addLines(text: string, lines: string): string {
  if (!text.trim()) return lines;
  const [quote, rest] = splitQuote(lines);
  const [shown] = splitQuote(text);
  if (quote && !shown) return `${quote}${text}${rest && `\n${rest}`}`;
  return `${text}\n${quote === shown ? rest : lines}`;
}

/** Puts a quote before a text, unless the text begins with one. */
export function addQuote(text: string, quote: string): string {
  return readQuote(text) ? text : quote + text;
}

/** Whether a message is counted for a passage. */
export function isAbout(text: string, { story, paragraph }: Passage): boolean {
  const passage = readPassage(text);
  return passage?.story === story && passage.paragraph === paragraph;
}

/** Returns the passages that a message quotes, wherever in its text. */
export function listPassages(text: string): Passage[] {
  return Array.from(text.matchAll(PATH_LINE), ([, story = "", paragraph = ""]) => ({
    story,
    paragraph,
  }));
}

/** Whether messages can be counted for a passage. */
export function isPassage({ story, paragraph }: Passage): boolean {
  return readPassage(`“x”\n/read/${story}#${paragraph}`) !== null;
}

/** Returns the passage that a message is counted for, or `null`. */
export function readPassage(text: string): Passage | null {
  const [, story, paragraph] = COUNTED_QUOTE.exec(text) ?? [];
  return story === undefined || paragraph === undefined ? null : { story, paragraph };
}
