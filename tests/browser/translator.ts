import type { Page } from "@playwright/test";

/**
 * What browsers that translate pages do with a text node: move it into elements of their own, or replace it by these.
 */
export const TRANSLATORS = ["moves", "replaces"] as const;

/**
 * Translates the open page, and all text that it shows later, into the same words.
 */
export async function translatePage(
  page: Page,
  translator: (typeof TRANSLATORS)[number],
): Promise<void> {
  await page.evaluate((mode) => {
    function isTranslated(text: Node): text is Text {
      const parent = text.parentElement;
      return (
        text instanceof Text &&
        text.data.trim() !== "" &&
        parent !== null &&
        parent.closest("font, script, style, noscript, textarea, svg, [translate=no]") === null
      );
    }

    function translate(text: Text): void {
      const outer = document.createElement("font");
      const inner = document.createElement("font");
      outer.appendChild(inner);
      text.parentNode?.insertBefore(outer, text);
      if (mode === "moves") inner.appendChild(text);
      else {
        inner.textContent = text.data;
        text.remove();
      }
    }

    function translateAll(root: Node): void {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = root instanceof Text && isTranslated(root) ? [root] : [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (isTranslated(node)) texts.push(node);
      }
      texts.forEach(translate);
    }

    new MutationObserver((records) => {
      for (const { type, target, addedNodes } of records) {
        if (type === "characterData") translateAll(target);
        addedNodes.forEach(translateAll);
      }
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
    translateAll(document.body);
  }, translator);
}
