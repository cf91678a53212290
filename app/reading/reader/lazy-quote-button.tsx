import { useEffect, useState, type ComponentType } from "react";

import type { QuoteButtonProps } from "./quote-button.tsx";

/** Loads `QuoteButton` with the first selection on the page. */
export function LazyQuoteButton(props: QuoteButtonProps) {
  const [QuoteButton, setQuoteButton] = useState<ComponentType<QuoteButtonProps> | null>(null);

  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    async function load() {
      const loaded = await import("./quote-button.tsx");
      if (signal.aborted) return;
      listening.abort();
      setQuoteButton(() => loaded.QuoteButton);
    }
    // Without a network, the next selection tries again.
    document.addEventListener("selectionchange", () => void load().catch(() => undefined), {
      signal,
    });
    return () => listening.abort();
  }, []);

  return QuoteButton && <QuoteButton {...props} />;
}
