import { useEffect, useState, type ComponentType } from "react";

import type { QuoteButtonProps } from "./quote-button.client.tsx";

/** Loads `QuoteButton` on the first selection. */
export function LazyQuoteButton(props: QuoteButtonProps) {
  const [QuoteButton, setQuoteButton] = useState<ComponentType<QuoteButtonProps> | null>(null);

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    async function load() {
      const loaded = await import("./quote-button.client.tsx");
      if (signal.aborted) return;
      controller.abort();
      setQuoteButton(() => loaded.QuoteButton);
    }
    // If loading fails, the next selection tries again.
    const tryToLoad = () => void load().catch(() => undefined);
    document.addEventListener("selectionchange", tryToLoad, { signal });
    // Words may have been selected before the scripts ran.
    if (getSelection()?.isCollapsed === false) tryToLoad();
    return () => controller.abort();
  }, []);

  return QuoteButton && <QuoteButton {...props} />;
}
