import { notifyScriptScroll, onScriptScroll } from "#app/reading/positions/script-scroll.ts";
import { getTopOfView } from "#app/reading/positions/text-map.ts";

/** In pixels: a page that is this close to a place is there. */
const TOLERANCE = 2;

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
    if (Math.abs(scrollY - lastY) < TOLERANCE) return;
    lastY = scrollY;
    onHandScroll();
  }

  return {
    /** Scrolls so that words are in view, below the bars and above the player. */
    show(range: Range): void {
      const { top, bottom } = range.getBoundingClientRect();
      const viewTop = getTopOfView();
      const viewBottom = innerHeight - getBottomSpace();
      if (top >= viewTop - TOLERANCE && bottom <= viewBottom) return;
      const { scrollHeight, clientHeight } = document.documentElement;
      const y = Math.min(Math.max(0, scrollY + top - viewTop), scrollHeight - clientHeight);
      const distance = Math.abs(y - scrollY);
      if (distance < TOLERANCE) return;
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
  return scrollY >= Math.min(start, end) - TOLERANCE && scrollY <= Math.max(start, end) + TOLERANCE;
}

/** Returns the space that scrolling leaves at the bottom of the window, in pixels. */
function getBottomSpace(): number {
  return parseFloat(getComputedStyle(document.documentElement).scrollPaddingBottom) || 0;
}
