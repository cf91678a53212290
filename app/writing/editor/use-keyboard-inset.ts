import { useEffect } from "react";

/** Lower than any on-screen keyboard, and higher than a browser's bars. */
const MIN_HEIGHT = 120;

/**
 * Makes room for an on-screen keyboard. While one covers a part of the window, sets `data-keyboard` on the document,
 * which hides the bar at the bottom, and `--bar-bottom` to the height of the keyboard, so that tools at the bottom are
 * above it.
 */
export function useKeyboardInset(): void {
  useEffect(() => {
    const { visualViewport: viewport } = window;
    if (!viewport) return undefined;
    const root = document.documentElement;
    const controller = new AbortController();

    function clear() {
      delete root.dataset.keyboard;
      root.style.removeProperty("--bar-bottom");
    }

    function update() {
      if (!viewport) return;
      const inset = window.innerHeight - viewport.height - viewport.offsetTop;
      // A zoomed page has a smaller viewport too.
      const isOpen = viewport.scale === 1 && window.innerHeight - viewport.height > MIN_HEIGHT;
      if (!isOpen) return clear();
      root.dataset.keyboard = "open";
      root.style.setProperty("--bar-bottom", `${Math.max(0, Math.round(inset))}px`);
    }

    update();
    const { signal } = controller;
    viewport.addEventListener("resize", update, { signal });
    viewport.addEventListener("scroll", update, { signal });
    return () => {
      controller.abort();
      clear();
    };
  }, []);
}
