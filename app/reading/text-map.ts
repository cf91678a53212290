/** A spot in a text: so many UTF-16 units into that paragraph, counted from 0 on. */
export interface Spot {
  number: number;
  offset: number;
}

/** Lines whose last pixels are still on screen do not count as visible. */
const SLACK = 2;

/** Knows where the paragraphs of a text are, in the text and in the window. */
export class TextMap {
  readonly paragraphs: HTMLElement[];
  /** In UTF-16 units. */
  readonly length: number;
  readonly #before: number[] = [];

  constructor(root: HTMLElement) {
    this.paragraphs = [...root.querySelectorAll<HTMLElement>('[id^="p-"]')];
    let length = 0;
    for (const { textContent } of this.paragraphs) {
      this.#before.push(length);
      length += textContent?.length ?? 0;
    }
    this.length = length;
  }

  /** Returns how much text lies before a spot, in UTF-16 units. */
  positionOf({ number, offset }: Spot): number {
    return (this.#before[number] ?? 0) + offset;
  }

  find(id: string): number {
    return this.paragraphs.findIndex((paragraph) => paragraph.id === id);
  }

  /** Returns the spot of the first line that is visible below `top`; `null` while that lies above the text. */
  spotAt(top: number): Spot | null {
    const [first] = this.paragraphs;
    if (!first || first.getBoundingClientRect().top > top + SLACK) return null;
    const number = firstTrue(this.paragraphs.length - 1, (index) => {
      const bottom = this.paragraphs[index]?.getBoundingClientRect().bottom ?? 0;
      return bottom > top + SLACK;
    });
    const paragraph = this.paragraphs[number];
    if (!paragraph || paragraph.getBoundingClientRect().top >= top - SLACK) {
      return { number, offset: 0 };
    }
    const letters = new Letters(paragraph);
    const offset = firstTrue(letters.length - 1, (index) => {
      const rect = letters.rectAt(index);
      return rect !== undefined && rect.bottom > top + SLACK;
    });
    return { number, offset };
  }

  /** Returns where a spot's line begins in the window, in pixels from its top. */
  topOf({ number, offset }: Spot): number | undefined {
    const paragraph = this.paragraphs[number];
    if (!paragraph || offset === 0) return paragraph?.getBoundingClientRect().top;
    return new Letters(paragraph).rectAt(offset)?.top ?? paragraph.getBoundingClientRect().top;
  }
}

/** The letters of a paragraph, through whatever marks there are within. */
class Letters {
  readonly length: number = 0;
  readonly #nodes: { node: Text; start: number }[] = [];

  constructor(paragraph: HTMLElement) {
    const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!(node instanceof Text)) continue;
      this.#nodes.push({ node, start: this.length });
      this.length += node.length;
    }
  }

  /** Spaces at the end of a line take no room; then it is the next letter that does. */
  rectAt(index: number): DOMRect | undefined {
    const range = document.createRange();
    for (let at = index; at < Math.min(index + 10, this.length); at += 1) {
      const found = this.#nodes.findLast(({ start }) => start <= at);
      if (!found) return undefined;
      range.setStart(found.node, at - found.start);
      range.setEnd(found.node, at - found.start + 1);
      const rect = range.getClientRects()[0];
      if (rect && rect.height > 0) return rect;
    }
    return undefined;
  }
}

/** Returns the least index for which `test` holds, or the greatest there is: it holds for all after the first. */
function firstTrue(greatest: number, test: (index: number) => boolean): number {
  let low = 0;
  let high = Math.max(0, greatest);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
