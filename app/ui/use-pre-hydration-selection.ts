import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";

interface Selection {
  isSelected?: boolean;
  defaultSelected?: boolean;
  onChange?: (isSelected: boolean) => void;
}

/**
 * Keeps a checkbox as the user left it before hydration. React Aria holds the value in its own state, which starts with
 * the server's value and would overwrite theirs.
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

  const adoptInput = useRef(() => {
    const input = inputRef.current;
    if (input && input.checked !== selected) change(input.checked);
  });
  // A layout effect, because the next render would overwrite the input.
  useBrowserLayoutEffect(() => adoptInput.current(), []);

  return { inputRef, isSelected: selected, defaultSelected, onChange: change };
}

/** React 18 warns about layout effects on the server. */
const useBrowserLayoutEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;
