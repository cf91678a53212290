import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";

interface Selection {
  isSelected?: boolean;
  defaultSelected?: boolean;
  onChange?: (isSelected: boolean) => void;
}

/**
 * Keeps what a person ticked before scripts ran. React Aria holds the value in a state of its own, which
 * begins with what the server sent, and would put that back.
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
  const [chosen, setChosen] = useState(defaultSelected);
  const shown = isSelected ?? chosen;

  function choose(next: boolean) {
    setChosen(next);
    onChange?.(next);
  }

  const adopt = useRef(() => {
    const input = inputRef.current;
    if (input && input.checked !== shown) choose(input.checked);
  });
  // Before React writes its own value, which it does on the next change of anything here.
  useBrowserLayoutEffect(() => adopt.current(), []);

  return { inputRef, isSelected: shown, defaultSelected, onChange: choose };
}

/** React warns of layout effects on the server, which has no layout. */
const useBrowserLayoutEffect = typeof document === "undefined" ? useEffect : useLayoutEffect;
