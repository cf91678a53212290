import { useRef, useState, type RefObject } from "react";

import { useBrowserLayoutEffect } from "./use-browser-layout-effect.ts";

interface Selection {
  isSelected?: boolean;
  defaultSelected?: boolean;
  onChange?: (isSelected: boolean) => void;
}

/**
 * Preserves what the user did with a checkbox before hydration. React Aria's own state starts with the server's value and
 * would overwrite the user's.
 */
export function usePreHydrationSelection({
  isSelected,
  defaultSelected = false,
  onChange,
}: Selection): {
  inputRef: RefObject<HTMLInputElement>;
  isSelected: boolean;
  defaultSelected: boolean;
  onChange: (isSelected: boolean) => void;
} {
  const inputRef = useRef<HTMLInputElement>(null);
  const [ownSelected, setOwnSelected] = useState(defaultSelected);
  const selected = isSelected ?? ownSelected;

  function change(next: boolean) {
    setOwnSelected(next);
    onChange?.(next);
  }

  const readInput = useRef(() => {
    const input = inputRef.current;
    if (input && input.checked !== selected) change(input.checked);
  });
  // A layout effect, because the next render would overwrite the input.
  useBrowserLayoutEffect(() => readInput.current(), []);

  return { inputRef, isSelected: selected, defaultSelected, onChange: change };
}
