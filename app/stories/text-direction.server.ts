import type { Element, ElementContent } from "hast";

export type Direction = "ltr" | "rtl";

const BLOCKS = new Set([
  ...["p", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "ul", "ol", "li"],
]);

/** The scripts that are written from right to left, by the blocks that Unicode reserves for them. */
const RTL_LETTER =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFE\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** Scripts whose letters stand alone. In others, a larger first letter would be torn off its word. */
const UNJOINED_LETTER =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Armenian}\p{Script=Georgian}\p{Script=Hebrew}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Ethiopic}\p{Script=Cherokee}\p{N}]/u;

/**
 * Sets the direction of each block whose first letter has another direction than the text around the block. HTML's
 * `dir="auto"` would not do for lists and quotes, because it ignores the paragraphs in them.
 *
 * @param around the direction of the text as a whole, which blocks without a letter have
 */
export function setDirections(blocks: readonly Element[], around: Direction): void {
  for (const block of blocks) setDirection(block, findFirstLetters(block), around);
}

/** Returns the direction of the first letter of a text. */
export function getDirection(text: string): Direction {
  return toDirection(findLetter(text) ?? "");
}

/** Whether a drop cap would tear the first letter off its word. */
export function beginsJoined(text: string): boolean {
  const first = findLetter(text);
  return first !== undefined && !UNJOINED_LETTER.test(first);
}

/** The first letter in each element that has one. */
type FirstLetters = Map<ElementContent, string>;

function setDirection(element: Element, letters: FirstLetters, around: Direction): void {
  if (!BLOCKS.has(element.tagName)) return;
  const letter = letters.get(element);
  const direction = letter === undefined ? around : toDirection(letter);
  if (direction !== around) element.properties.dir = direction;
  for (const child of element.children) {
    if (child.type === "element") setDirection(child, letters, direction);
  }
}

function toDirection(letter: string): Direction {
  return RTL_LETTER.test(letter) ? "rtl" : "ltr";
}

function findFirstLetters(block: Element): FirstLetters {
  const letters: FirstLetters = new Map();
  function find(node: ElementContent): string | undefined {
    if (node.type === "text") return findLetter(node.value);
    if (node.type !== "element") return undefined;
    let first: string | undefined;
    for (const child of node.children) {
      const letter = find(child);
      first ??= letter;
    }
    if (first !== undefined) letters.set(node, first);
    return first;
  }
  find(block);
  return letters;
}

function findLetter(text: string): string | undefined {
  return /\p{L}/u.exec(text)?.[0];
}
