import type { RefObject } from "react";

import { useBrowserLayoutEffect } from "./hydration.ts";

/** Makes a text area as high as its text where `field-sizing: content` does not. Its style sheet limits the height. */
export function useTextHeight(area: RefObject<HTMLTextAreaElement>): void {
  useBrowserLayoutEffect(() => {
    const { current } = area;
    if (!current || CSS.supports("field-sizing", "content")) return undefined;
    const fit = () => fitHeight(current);
    fit();
    current.addEventListener("input", fit);
    return () => current.removeEventListener("input", fit);
    // Without dependencies, because a component may have changed the text.
  });
}

function fitHeight(area: HTMLTextAreaElement): void {
  const { scrollX, scrollY } = window;
  area.style.height = "auto";
  const borders = area.offsetHeight - area.clientHeight;
  area.style.height = `${area.scrollHeight + borders}px`;
  // The measurement made the page shorter for a moment.
  window.scrollTo({ left: scrollX, top: scrollY, behavior: "instant" });
}
