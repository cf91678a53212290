/** The id of the form that the buttons between paragraphs submit: it saves the reading position. */
export const POSITION_FORM_ID = "save-position";

/** A paragraph or a heading of a text, as far as a place in it needs to know. */
export interface Paragraph {
  /** Made of its words, so that it stays whatever happens to the others. */
  id: string;
  /** Its first words, by which it is known again when they were edited. */
  start: string;
  /** How much text comes before it, and how much it holds, in UTF-16 units. */
  before: number;
  length: number;
}

const START_LENGTH = 40;

/** Returns the first 40 characters of a paragraph. */
export function startOf(text: string): string {
  // Cut by characters, never through one of two units.
  return Array.from(
    text
      .trim()
      .replaceAll(/\s+/g, " ")
      .slice(0, 2 * START_LENGTH),
  )
    .slice(0, START_LENGTH)
    .join("");
}

/** Returns a function that names paragraphs in their order: `p-`, a hash of the words, a number for repeats. */
export function createParagraphIds(): (text: string) => string {
  const counts = new Map<string, number>();
  return (text) => {
    const name = `p-${hash(wordsOf(text))}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name}-${count}`;
  };
}

/** Letters and numbers alone: a comma more is still the same paragraph. */
function wordsOf(text: string): string {
  const words = text
    .normalize("NFC")
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return words ? words.join(" ") : text.trim();
}

/**
 * Returns the FNV-1a hash in 32 bits, written shortly. Two paragraphs with the same one are told apart as repeats are.
 *
 * @see https://datatracker.ietf.org/doc/html/draft-eastlake-fnv
 */
export function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return (value >>> 0).toString(36);
}
