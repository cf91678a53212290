import { describeMark, toMarkHtml, type Mark } from "#app/reading/marks.ts";

const MARK = "[data-mark]";

/** How far the arrow keys move between marks. */
const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  ArrowRight: 1,
  ArrowUp: -1,
  ArrowLeft: -1,
};

/**
 * Shows exactly these marks in a text.
 *
 * @param passage the id of the paragraph whose messages the room shows
 */
export function showMarks(
  text: HTMLElement,
  story: string,
  marks: readonly Mark[],
  passage: string | null,
): void {
  const stale = new Set(text.querySelectorAll(MARK));
  for (const mark of marks) {
    const paragraph = document.getElementById(mark.paragraph);
    if (!paragraph || !text.contains(paragraph)) continue;
    const isCurrent = mark.paragraph === passage;
    const next = paragraph.nextElementSibling;
    if (next?.matches(MARK)) {
      // Stays the same element, because the room that it has opened returns the focus to it.
      stale.delete(next);
      next.setAttribute("aria-label", describeMark(mark.count));
      if (isCurrent) next.setAttribute("aria-current", "true");
      else next.removeAttribute("aria-current");
      next.firstElementChild?.replaceChildren(String(mark.count));
    } else paragraph.insertAdjacentHTML("afterend", toMarkHtml(story, mark, isCurrent));
  }
  for (const element of stale) element.remove();
}

/** Returns the number of a paragraph in a text, counted from 0; -1 if there is none with that id. */
export function getParagraphNumber(text: HTMLElement, paragraph: string): number {
  return [...text.querySelectorAll('[id^="p-"]')].findIndex(({ id }) => id === paragraph);
}

/**
 * Follows links of marks without loading the page again, and moves the focus between marks with the arrow keys. Returns the
 * function that stops this.
 */
export function followMarks(text: HTMLElement, follow: (path: string) => void): () => void {
  function onKeyDown(event: KeyboardEvent) {
    const step = STEPS[event.key];
    const { target, metaKey, ctrlKey, shiftKey, altKey } = event;
    if (!step || metaKey || ctrlKey || shiftKey || altKey) return;
    const marks = [...text.querySelectorAll<HTMLElement>(MARK)];
    const at = marks.findIndex((mark) => mark === target);
    if (at < 0) return;
    // Otherwise the keys would scroll, or lead to another chapter.
    event.preventDefault();
    marks[at + step]?.focus();
  }

  function onClick(event: MouseEvent) {
    const { target, button, metaKey, ctrlKey, shiftKey, altKey } = event;
    const mark = target instanceof Element ? target.closest(`a${MARK}`) : null;
    const path = mark?.getAttribute("href");
    if (!path || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    event.preventDefault();
    follow(path);
  }
  text.addEventListener("click", onClick);
  text.addEventListener("keydown", onKeyDown);
  return () => {
    text.removeEventListener("click", onClick);
    text.removeEventListener("keydown", onKeyDown);
  };
}
