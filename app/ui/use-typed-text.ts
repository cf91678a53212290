import { useState } from "react";

import { useHydrated } from "./hydration.ts";

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
