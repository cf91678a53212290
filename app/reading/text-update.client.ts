import { flushSync } from "react-dom";

import { notifyScriptScroll } from "./positions/scroll-events.ts";

const PARAGRAPH = '[id^="p-"]';

/** How long the user has to pause before the text is replaced. */
const PAUSE_MS = 300;

export interface TextUpdateOptions {
  /** The element around the text. */
  root: HTMLElement;
  /** The new version of the text. */
  html: string;
  /** Renders the new version. */
  replace: () => void;
  /** Called while the new version has to wait, because it would change what the user sees. */
  onWait: () => void;
  signal: AbortSignal;
}

/**
 * Replaces a text with a new version once the user would not notice the difference. The first visible line stays where
 * it is.
 *
 * @returns a function that replaces the text at once
 */
export function updateText({ root, html, replace, onWait, signal }: TextUpdateOptions) {
  const ids = findIds(html);
  let timer: ReturnType<typeof setTimeout> | undefined;

  function show() {
    clearTimeout(timer);
    if (signal.aborted) return;
    const restoreView = anchorView(root, ids);
    flushSync(replace);
    restoreView();
  }

  function check() {
    if (isViewUnchanged(root, ids)) show();
    else onWait();
  }

  function onScroll() {
    clearTimeout(timer);
    timer = setTimeout(check, PAUSE_MS);
  }
  addEventListener("scroll", onScroll, { signal, passive: true });
  signal.addEventListener("abort", () => clearTimeout(timer));
  check();
  return show;
}

/** Returns the ids of the paragraphs, which are hashes of their words. */
function findIds(html: string): string[] {
  const text = new DOMParser().parseFromString(html, "text/html");
  return [...text.querySelectorAll(PARAGRAPH)].map(({ id }) => id);
}

/** Whether the paragraphs in view are the same in the new version, and no words of the text are selected. */
function isViewUnchanged(root: HTMLElement, ids: readonly string[]): boolean {
  const selection = getSelection();
  if (selection?.isCollapsed === false && root.contains(selection.anchorNode)) return false;
  const inView = findInView(root);
  const from = ids.indexOf(inView[0]?.id ?? "");
  return inView.every(({ id }, at) => ids[from + at] === id);
}

function findInView(root: HTMLElement): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(PARAGRAPH)].filter((paragraph) => {
    const { top, bottom } = paragraph.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });
}

/** Returns a function that scrolls so that the first line in view is where it was, and restores the focus. */
function anchorView(root: HTMLElement, ids: readonly string[]): () => void {
  const focused = root.contains(document.activeElement) ? document.activeElement?.id : undefined;
  const before = root.getBoundingClientRect();
  const anchor = findAnchor(root, ids);
  const top = anchor?.getBoundingClientRect().top;
  return () => {
    const moved = anchor && document.getElementById(anchor.id)?.getBoundingClientRect().top;
    const after = root.getBoundingClientRect();
    // If the view is below the text, the end of the text stays in place.
    const shift =
      moved !== undefined && moved !== null && top !== undefined
        ? moved - top
        : before.bottom <= 0
          ? after.bottom - before.bottom
          : 0;
    if (shift !== 0) scrollBy({ top: shift, behavior: "instant" });
    notifyScriptScroll();
    const target = focused ? document.getElementById(focused) : null;
    if (!target) return;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  };
}

/** Returns the first paragraph in view that the new version still has, otherwise the last one before it. */
function findAnchor(root: HTMLElement, ids: readonly string[]): HTMLElement | undefined {
  const inView = findInView(root);
  const [first] = inView;
  const isKept = ({ id }: HTMLElement) => ids.includes(id);
  const kept = inView.find(isKept);
  if (kept || !first) return kept;
  const all = [...root.querySelectorAll<HTMLElement>(PARAGRAPH)];
  return all.slice(0, all.indexOf(first)).findLast(isKept);
}
