import { useEffect, useState, type ComponentType } from "react";

import type { QuoteButtonProps } from "./quote-button.tsx";

/** Loads `QuoteButton` on the first selection. */
export function LazyQuoteButton(props: QuoteButtonProps) {
  const [QuoteButton, setQuoteButton] = useState<ComponentType<QuoteButtonProps> | null>(null);

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    async function load() {
      const loaded = await import("./quote-button.tsx");
      if (signal.aborted) return;
      controller.abort();
      setQuoteButton(() => loaded.QuoteButton);
    }
    // If loading fails, the next selection tries again.
    document.addEventListener("selectionchange", () => void load().catch(() => undefined), {
      signal,
    });
    return () => controller.abort();
  }, []);

  return QuoteButton && <QuoteButton {...props} />;
}
