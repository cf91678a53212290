import { findFirstParagraphInView, findParagraphs } from "./text-view.ts";

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
