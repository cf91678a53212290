/** A character in a text: the number of its paragraph and its offset in UTF-16 units, both counted from 0. */
export interface TextPosition {
  number: number;
  offset: number;
}

export type TextMap = ReturnType<typeof createTextMap>;

/** In pixels. A line with less than this in view does not count as visible. */
const TOLERANCE = 2;

/**
 * Converts between positions in a text and in the window.
 *
 * @param root the element around the text
 */
export function createTextMap(root: HTMLElement) {
  const paragraphs = [...root.querySelectorAll<HTMLElement>('[id^="p-"]')];
  const numbers = new Map(paragraphs.map(({ id }, number) => [id, number]));
  const lengthsBefore: number[] = [];
  let length = 0;
  for (const { textContent } of paragraphs) {
    lengthsBefore.push(length);
    length += textContent.length;
  }

  /** Whether the last line of the text is visible, or above the window. */
  function isAtEnd(): boolean {
    return root.getBoundingClientRect().bottom <= innerHeight + TOLERANCE;
  }

  return {
    paragraphs,
    isAtEnd,

    /** The length of all paragraphs, in UTF-16 units. */
    length,

    /** Returns the length of the text before a position, in UTF-16 units. */
    getLengthBefore: ({ number, offset }: TextPosition) => (lengthsBefore[number] ?? 0) + offset,

    /** Returns the number of the paragraph with that id, or -1. */
    findIndex: (id: string) => numbers.get(id) ?? -1,

    /**
     * Returns the start of the first line that is at least half visible.
     *
     * @returns `null` while the view is above a text that does not fit into it, or a section in view is not laid out yet
     */
    findFirstVisible(): TextPosition | null {
      const top = getTopOfView();
      const [first] = paragraphs;
      if (!first || (first.getBoundingClientRect().top > top + TOLERANCE && !isAtEnd()))
        return null;
      const number = findFirst(paragraphs, (paragraph) => {
        return paragraph.getBoundingClientRect().bottom > top + TOLERANCE;
      });
      const paragraph = paragraphs[number];
      if (!paragraph) return null;
      const rect = paragraph.getBoundingClientRect();
      if (rect.top >= top - TOLERANCE) return { number, offset: 0 };
      const { direction, lineHeight } = getComputedStyle(paragraph);
      const halfLine = parseFloat(lineHeight) / 2 || 0;
      const y = Math.min(top + halfLine, rect.bottom - TOLERANCE);
      const x = direction === "rtl" ? rect.right - 1 : rect.left + 1;
      const offset = findOffset(paragraph, x, y);
      return offset === null ? null : { number, offset };
    },

    /** Returns the top of a position's line, in pixels from the top of the window. */
    findTop({ number, offset }: TextPosition): number | undefined {
      const paragraph = paragraphs[number];
      if (!paragraph) return undefined;
      const rect = offset > 0 ? findCharacterRect(paragraph, offset) : undefined;
      return (rect ?? paragraph.getBoundingClientRect()).top;
    },
  };
}

/** Returns the offset of the character at a point in the window; `null` if that is not in the paragraph. */
function findOffset(paragraph: HTMLElement, x: number, y: number): number | null {
  const range = findCaretRange(x, y);
  if (!range || !paragraph.contains(range.endContainer)) return null;
  range.setStart(paragraph, 0);
  return range.toString().length;
}

/** Returns a range that ends at the caret position of a point. */
function findCaretRange(x: number, y: number): Range | null {
  // Chrome before 128 and Safari before 18.4 lack the standard method.
  const isStandard = "caretPositionFromPoint" in Document.prototype;
  if (!isStandard) return document.caretRangeFromPoint(x, y);
  const caret = document.caretPositionFromPoint(x, y);
  if (!caret) return null;
  const range = document.createRange();
  range.setEnd(caret.offsetNode, caret.offset);
  return range;
}

/** Skips characters without width, such as spaces at the end of a line. */
function findCharacterRect(paragraph: HTMLElement, offset: number): DOMRect | undefined {
  const range = document.createRange();
  range.selectNodeContents(paragraph);
  const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
  let remainingOffset = offset;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { length } = node.textContent ?? "";
    if (remainingOffset < length) {
      range.setStart(node, remainingOffset);
      return Array.from(range.getClientRects()).find(({ width }) => width > 0);
    }
    remainingOffset -= length;
  }
  return undefined;
}

/** Returns the index of the first item that passes, by binary search. All items after it must pass too. */
function findFirst<Item>(items: readonly Item[], test: (item: Item) => boolean): number {
  let low = 0;
  let high = Math.max(0, items.length - 1);
  while (low < high) {
    const middle = (low + high) >> 1;
    const item = items[middle];
    if (item !== undefined && test(item)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Returns where the visible text begins below the site header, in pixels from the top of the window. */
export function getTopOfView(): number {
  return parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
}
