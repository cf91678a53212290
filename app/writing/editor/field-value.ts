import { useState } from "react";

import { useHydrated } from "#app/ui/hydration.ts";

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

/** Changes a field as if the user had typed the value, so that the form's listeners notice. */
export function setFieldValue(field: HTMLInputElement, value: string): void {
  field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
