/** The id of the form that saves the reading position. The buttons between paragraphs submit it. */
export const POSITION_FORM_ID = "save-position";

/** A paragraph or heading that reading positions can refer to. */
export interface Paragraph {
  /** A hash of the words, so that it does not change when other paragraphs are edited. */
  id: string;
  /** The first 40 characters, to find the paragraph after an edit. */
  start: string;
  /** The length of the text before it, in UTF-16 units. */
  before: number;
  /** In UTF-16 units. */
  length: number;
}

const START_LENGTH = 40;

/** Returns the first 40 characters of a paragraph. */
export function getStart(text: string): string {
  // `Array.from` does not split characters of two UTF-16 units.
  return Array.from(
    text
      .trim()
      .replaceAll(/\s+/g, " ")
      .slice(0, 2 * START_LENGTH),
  )
    .slice(0, START_LENGTH)
    .join("");
}

/**
 * Returns a function to call with each paragraph in order. It returns the id: `p-`, a hash of the words, a count for
 * repeats.
 */
export function createParagraphIds(): (text: string) => string {
  const counts = new Map<string, number>();
  return (text) => {
    const name = `p-${hash(getWords(text))}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count === 1 ? name : `${name}-${count}`;
  };
}

/** Returns only letters and digits, so that punctuation does not change an id. */
function getWords(text: string): string {
  const words = text
    .normalize("NFC")
    .toLowerCase()
    .match(/[\p{L}\p{M}\p{N}]+/gu);
  return words ? words.join(" ") : text.trim();
}

/**
 * Returns the 32-bit FNV-1a hash in base 36. Different paragraphs with the same hash are counted like repeats.
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
