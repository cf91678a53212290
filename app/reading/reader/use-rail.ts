import type { RefObject } from "react";

import { readItem, writeItem } from "#app/site/storage.ts";
import { useBrowserLayoutEffect } from "#app/ui/hydration.ts";

/** Set by the style sheet where there is space for the contents beside the text. */
const RAIL = "--is-rail";

const STORAGE_KEY = "inkglade.contents";
const CLOSED = "closed";

/** Opens the contents beside the text before the first paint, unless the user has closed them. */
export const OPEN_RAIL = import.meta.env.SSR
  ? `(function (contents) {
  try {
    var isRail = getComputedStyle(contents).getPropertyValue("${RAIL}") === "1";
    contents.open = isRail && localStorage.getItem("${STORAGE_KEY}") !== "${CLOSED}";
  } catch {}
})(document.currentScript.previousElementSibling);`
  : "";

/** Whether a tool's panel is beside the text, and not over it. */
export function isRail(details: HTMLDetailsElement): boolean {
  return getComputedStyle(details).getPropertyValue(RAIL) === "1";
}

/** Opens the contents where they have space beside the text, and remembers whether the user closes them there. */
export function useRail(contents: RefObject<HTMLDetailsElement>): void {
  useBrowserLayoutEffect(
    () => (contents.current ? watchRail(contents.current) : undefined),
    [contents],
  );
}

/**
 * Opens and closes the contents as their space changes, and stores the user's choice. Returns the function that stops
 * this.
 */
function watchRail(details: HTMLDetailsElement): () => void {
  let wasRail = false;

  function onResize() {
    if (isRail(details) === wasRail) return;
    wasRail = !wasRail;
    details.open = wasRail && readItem(STORAGE_KEY) !== CLOSED;
  }
  function onToggle() {
    if (isRail(details)) writeItem(STORAGE_KEY, details.open ? "open" : CLOSED);
  }
  onResize();
  const resizes = new ResizeObserver(onResize);
  resizes.observe(document.body);
  details.addEventListener("toggle", onToggle);
  return () => {
    resizes.disconnect();
    details.removeEventListener("toggle", onToggle);
  };
}
