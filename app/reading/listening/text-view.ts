import { notifyScriptScroll, onScriptScroll } from "#app/reading/positions/scroll-events.ts";
import { getTopOfView, type TextPosition } from "#app/reading/positions/text-map.ts";
import { createSpokenText, findSentenceStart, type Span, type SpokenText } from "./spoken-text.ts";

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
function findFirstParagraphInView(paragraphs: readonly HTMLElement[]): number {
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

interface Choice {
  /** Called with the number of the paragraph. */
  onChoose: (number: number) => void;
  onCancel: () => void;
}

/**
 * Lets the user press a paragraph, or choose one with the arrow keys and Enter. Focuses the first one in view. Returns the
 * function that stops this.
 */
export function chooseParagraph(root: HTMLElement, { onChoose, onCancel }: Choice): () => void {
  const paragraphs = findParagraphs(root);
  const controller = new AbortController();
  const options = { signal: controller.signal, capture: true };
  let focused: HTMLElement | undefined;

  function focus(number: number) {
    const paragraph = paragraphs[number];
    if (!paragraph) return;
    focused?.removeAttribute("tabindex");
    focused = paragraph;
    paragraph.tabIndex = -1;
    paragraph.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    const { key, target, ctrlKey, altKey, metaKey } = event;
    if (ctrlKey || altKey || metaKey) return;
    if (key === "Escape") onCancel();
    const number = paragraphs.findIndex((paragraph) => paragraph === target);
    if (number < 0) return;
    if (key === "ArrowDown" || key === "ArrowUp") focus(number + (key === "ArrowDown" ? 1 : -1));
    else if (key === "Enter" || key === " ") onChoose(number);
    else return;
    // Otherwise the key would also scroll.
    event.preventDefault();
  }

  function onClick(event: MouseEvent) {
    const { target } = event;
    const number = paragraphs.findIndex(
      (paragraph) => target instanceof Node && paragraph.contains(target),
    );
    if (number < 0) return;
    event.preventDefault();
    onChoose(number);
  }

  root.dataset.choosing = "";
  document.addEventListener("keydown", onKeyDown, options);
  root.addEventListener("click", onClick, options);
  focus(Math.max(0, findFirstParagraphInView(paragraphs)));
  return () => {
    controller.abort();
    delete root.dataset.choosing;
    focused?.removeAttribute("tabindex");
  };
}

/** In pixels: a page that is this close to a place is there. */
const SCROLL_TOLERANCE = 2;

/** How long a smooth scroll may take. */
const MAX_SCROLL_MS = 1500;

/** Longer ways are not scrolled smoothly, in heights of the window. */
const MAX_SMOOTH = 2;

/**
 * Scrolls a text along with a voice.
 *
 * @param onHandScroll called when anything else scrolls the page
 */
export function createFollower(onHandScroll: () => void) {
  let lastY = scrollY;
  let goal: { y: number; until: number } | null = null;
  const controller = new AbortController();
  const { signal } = controller;
  const options = { signal, capture: true, passive: true };

  // Captured before the listeners that hide the bars.
  addEventListener("scroll", onScroll, options);
  for (const type of ["wheel", "touchmove"]) addEventListener(type, () => (goal = null), options);
  onScriptScroll(() => void (lastY = scrollY), signal);

  function onScroll() {
    const isOwn = goal !== null && performance.now() < goal.until && isBetween(lastY, goal.y);
    if (isOwn) {
      notifyScriptScroll();
      return;
    }
    goal = null;
    if (Math.abs(scrollY - lastY) < SCROLL_TOLERANCE) return;
    lastY = scrollY;
    onHandScroll();
  }

  return {
    /** Scrolls so that words are in view, below the bars and above the player. */
    show(range: Range): void {
      const { top, bottom } = range.getBoundingClientRect();
      const viewTop = getTopOfView();
      const viewBottom = innerHeight - getBottomSpace();
      if (top >= viewTop - SCROLL_TOLERANCE && bottom <= viewBottom) return;
      const { scrollHeight, clientHeight } = document.documentElement;
      const y = Math.min(Math.max(0, scrollY + top - viewTop), scrollHeight - clientHeight);
      const distance = Math.abs(y - scrollY);
      if (distance < SCROLL_TOLERANCE) return;
      const isSmooth =
        distance < MAX_SMOOTH * innerHeight &&
        !matchMedia("(prefers-reduced-motion: reduce)").matches;
      lastY = scrollY;
      goal = { y, until: performance.now() + MAX_SCROLL_MS };
      scrollTo({ top: y, behavior: isSmooth ? "smooth" : "instant" });
    },
    stop: () => controller.abort(),
  };
}

function isBetween(start: number, end: number): boolean {
  return (
    scrollY >= Math.min(start, end) - SCROLL_TOLERANCE &&
    scrollY <= Math.max(start, end) + SCROLL_TOLERANCE
  );
}

/** Returns the space that scrolling leaves at the bottom of the window, in pixels. */
function getBottomSpace(): number {
  return parseFloat(getComputedStyle(document.documentElement).scrollPaddingBottom) || 0;
}
