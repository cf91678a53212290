import { describeMark, toMarkHtml, type Mark } from "#app/reading/marks.ts";

const MARK = "[data-mark]";

/** Shows exactly these marks in a text. */
export function showMarks(text: HTMLElement, story: string, marks: readonly Mark[]): void {
  const stale = new Set(text.querySelectorAll(MARK));
  for (const mark of marks) {
    const paragraph = document.getElementById(mark.paragraph);
    if (!paragraph || !text.contains(paragraph)) continue;
    const next = paragraph.nextElementSibling;
    if (next?.matches(MARK)) {
      // Stays the same element, because the room that it has opened returns the focus to it.
      stale.delete(next);
      next.setAttribute("aria-label", describeMark(mark.count));
      next.firstElementChild?.replaceChildren(String(mark.count));
    } else paragraph.insertAdjacentHTML("afterend", toMarkHtml(story, mark));
  }
  for (const element of stale) element.remove();
}

/** Returns the number of a paragraph in a text, counted from 0; -1 if there is none with that id. */
export function getParagraphNumber(text: HTMLElement, paragraph: string): number {
  return [...text.querySelectorAll('[id^="p-"]')].findIndex(({ id }) => id === paragraph);
}

/** Follows links of marks without loading the page again. Returns the function that stops this. */
export function followMarks(text: HTMLElement, follow: (path: string) => void): () => void {
  function onClick(event: MouseEvent) {
    const { target, button, metaKey, ctrlKey, shiftKey, altKey } = event;
    const mark = target instanceof Element ? target.closest(`a${MARK}`) : null;
    const path = mark?.getAttribute("href");
    if (!path || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return;
    event.preventDefault();
    follow(path);
  }
  text.addEventListener("click", onClick);
  return () => text.removeEventListener("click", onClick);
}
