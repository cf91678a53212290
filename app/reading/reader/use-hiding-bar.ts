import { useEffect, type RefObject } from "react";

import { onScriptScroll } from "#app/reading/positions/script-scroll.ts";
import { isRail } from "./use-rail.ts";

/** In pixels: shorter scrolls are ignored. */
const MIN_DISTANCE = 8;

/**
 * Sets `data-bars-hidden` on the root while the user scrolls down, so that the bars hide. A press on the text brings them
 * back, and closes a panel over the text.
 */
export function useHidingBar(bar: RefObject<HTMLElement>): void {
  useEffect(() => {
    const root = document.documentElement;
    let lastScrollY = scrollY;
    const findOpen = () =>
      [
        ...(bar.current?.querySelectorAll<HTMLDetailsElement>(":scope > details[open]") ?? []),
      ].filter((details) => !isRail(details));

    function onScroll() {
      const distance = scrollY - lastScrollY;
      if (Math.abs(distance) < MIN_DISTANCE) return;
      lastScrollY = scrollY;
      const isDown = distance > 0 && scrollY > innerHeight / 2;
      root.toggleAttribute("data-bars-hidden", isDown && findOpen().length === 0);
    }
    function onClick({ target }: MouseEvent) {
      if (!(target instanceof Element)) return;
      // A link to a chapter also closes the contents over the text.
      const isInBar = bar.current?.contains(target) ?? false;
      if (isInBar && !target.closest("nav a")) return;
      for (const details of findOpen()) details.open = false;
      if (!isInBar && !target.closest("a, button")) root.removeAttribute("data-bars-hidden");
    }
    const controller = new AbortController();
    const { signal } = controller;
    addEventListener("scroll", onScroll, { signal, passive: true });
    document.addEventListener("click", onClick, { signal });
    onScriptScroll(() => void (lastScrollY = scrollY), signal);
    return () => {
      controller.abort();
      root.removeAttribute("data-bars-hidden");
    };
  }, [bar]);
}
