import { useLocation } from "@remix-run/react";
import { useEffect } from "react";

import type { ReadingView } from "#app/reading/reading-data.ts";

/**
 * Marks the paragraph that the address names, brings it into view and gives it the focus. `onPassage`, the same at every
 * render, is called before.
 */
export function useMarkedPassage(
  { id, version }: Pick<ReadingView, "id" | "version">,
  onPassage: (hash: string) => void,
): void {
  const { hash, key } = useLocation();

  useEffect(() => {
    const passage = /^#p-[\w-]+$/.test(hash) ? document.getElementById(hash.slice(1)) : null;
    if (!passage) return undefined;
    onPassage(hash);
    passage.dataset.marked = "";
    passage.tabIndex = -1;
    passage.focus({ preventScroll: true });
    passage.scrollIntoView({ behavior: "instant" });
    return () => {
      delete passage.dataset.marked;
    };
  }, [hash, key, id, version, onPassage]);
}
