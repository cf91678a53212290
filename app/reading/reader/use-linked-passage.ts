import { useLocation } from "@remix-run/react";
import { useEffect } from "react";

/**
 * Highlights the paragraph in the URL's hash, scrolls to it and focuses it.
 *
 * @param onPassage called with the hash before scrolling; must be the same function at every render
 */
export function useLinkedPassage(onPassage: (hash: string) => void): void {
  const { hash, key } = useLocation();

  useEffect(() => {
    const passage = /^#p-[\w-]+$/.test(hash) ? document.getElementById(hash.slice(1)) : null;
    if (!passage) return undefined;
    onPassage(hash);
    passage.dataset.linked = "";
    passage.tabIndex = -1;
    passage.focus({ preventScroll: true });
    passage.scrollIntoView({ behavior: "instant" });
    return () => {
      delete passage.dataset.linked;
    };
  }, [hash, key, onPassage]);
}
