import { getTopOfView, type TextPosition } from "#app/reading/positions/text-map.ts";
import type { Span } from "./sentences.ts";
import { createSpokenText, findSentenceStart, type SpokenText } from "./spoken-text.ts";

const PARAGRAPH = '[id^="p-"]';

/** The name of the CSS highlight. */
const HIGHLIGHT = "listening";

/** In pixels. A line with less than this in view does not count as visible. */
const TOLERANCE = 2;

/** Returns the language of a text as the page names it, or its translator; an empty text if neither does. */
export function findLanguage(root: HTMLElement): string {
  // Google's translator, as in Chrome, names the language of its translation there.
  const { className, lang } = document.documentElement;
  if (/\btranslated-(?:ltr|rtl)\b/.test(className)) return lang;
  const around = root.querySelector("#text")?.closest("[lang]");
  return around?.getAttribute("lang") ?? "";
}

export function findParagraphs(root: HTMLElement): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(PARAGRAPH)];
}

/** Reads the text in the page. */
export function readSpokenText(root: HTMLElement, language: string): SpokenText {
  const paragraphs = findParagraphs(root).map((paragraph) => {
    const text = paragraph.textContent ?? "";
    // Elsewhere a line break is a space.
    const hasLines = paragraph.matches("pre, [data-unparsed], :has(br)");
    return {
      id: paragraph.id,
      text: hasLines ? text : text.replaceAll("\n", " "),
      isChapter: paragraph.localName === "h2",
    };
  });
  return createSpokenText(paragraphs, language);
}

/** Returns the beginning of the sentence in which the selection begins; `undefined` without a selection in the text. */
export function findSelected(root: HTMLElement, text: SpokenText): TextPosition | undefined {
  const selection = getSelection();
  if (!selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const { startContainer, startOffset } = selection.getRangeAt(0);
  const number = findParagraphs(root).findIndex((paragraph) => paragraph.contains(startContainer));
  const paragraph = findParagraphs(root)[number];
  if (!paragraph) return undefined;
  const before = document.createRange();
  before.selectNodeContents(paragraph);
  before.setEnd(startContainer, startOffset);
  return findSentenceStart(text, { number, offset: before.toString().length });
}

/** Returns the beginning of the first sentence in view, or else of the text. */
export function findFirstInView(root: HTMLElement, text: SpokenText): TextPosition {
  const top = getTopOfView() + TOLERANCE;
  const paragraphs = findParagraphs(root);
  const number = findFirstParagraphInView(paragraphs);
  const paragraph = paragraphs[number];
  if (!paragraph) return { number: 0, offset: 0 };
  const sentence = text
    .getSentences(number)
    .find((span) => toRange(paragraph, span).getBoundingClientRect().bottom > top);
  return { number, offset: sentence?.start ?? 0 };
}

/** Returns the number of the first paragraph in view; -1 if the view is below the text. */
export function findFirstParagraphInView(paragraphs: readonly HTMLElement[]): number {
  const top = getTopOfView() + TOLERANCE;
  return paragraphs.findIndex((paragraph) => paragraph.getBoundingClientRect().bottom > top);
}

/** Returns the range of a part of a paragraph. */
export function toRange(paragraph: HTMLElement, { start, end }: Span): Range {
  const range = document.createRange();
  range.selectNodeContents(paragraph);
  const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
  let before = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const length = node.textContent?.length ?? 0;
    if (start >= before && start < before + length) range.setStart(node, start - before);
    if (end > before && end <= before + length) {
      range.setEnd(node, end - before);
      break;
    }
    before += length;
  }
  return range;
}

/**
 * Highlights a part of a paragraph without changing the page, or the paragraph where the browser can't. Returns the function
 * that stops this.
 */
export function highlight(paragraph: HTMLElement, span: Span): () => void {
  if (!("highlights" in CSS)) {
    paragraph.dataset.spoken = "";
    return () => delete paragraph.dataset.spoken;
  }
  CSS.highlights.set(HIGHLIGHT, new Highlight(toRange(paragraph, span)));
  return () => CSS.highlights.delete(HIGHLIGHT);
}
