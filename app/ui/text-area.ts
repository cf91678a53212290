import { useState, type RefObject } from "react";

import { useHydrated, useBrowserLayoutEffect } from "./hydration.ts";

/**
 * Returns the default value of a text area: what the user typed into the server's HTML before scripts ran, otherwise
 * `text`. With another default, React 18 would put that text back during hydration.
 */
export function useTypedText(selector: string, text: string): string {
  const isHydrated = useHydrated();
  const [defaultValue] = useState(() => {
    if (isHydrated || typeof document === "undefined") return text;
    const area = document.querySelector<HTMLTextAreaElement>(selector);
    return area && area.value !== area.defaultValue ? area.value : text;
  });
  return defaultValue;
}

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
