import { useNavigate } from "@remix-run/react";
import { useEffect, useRef, type RefObject } from "react";

import { isRail } from "./reader-bar.tsx";

const KEYS = ["ArrowRight", "ArrowLeft", "Escape", "l", "t", "?"];

interface ShortcutOptions {
  text: RefObject<HTMLElement>;
  bar: RefObject<HTMLElement>;
  hasSingleKeys: boolean;
  /** Called before a shortcut leads to another part of the story. */
  onPart: (id: string) => void;
}

/** Handles the shortcuts of the reading page. Their code is loaded when the first one is pressed. */
export function useShortcuts(options: ShortcutOptions): void {
  const navigate = useNavigate();
  const latest = useRef({ ...options, navigate });
  useEffect(() => {
    latest.current = { ...options, navigate };
  });

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (!KEYS.includes(event.key)) return;
      const { text, bar, ...context } = latest.current;
      const caret = getCaret();
      const hasMovedCaret = () => getCaret().some((value, index) => value !== caret[index]);
      import("./shortcuts.client.ts").then(
        ({ handleShortcut }) =>
          handleShortcut(event, {
            ...context,
            text: text.current,
            bar: bar.current,
            isRail,
            hasMovedCaret,
          }),
        () => undefined,
      );
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

/** Returns where the selection, or the caret of caret browsing, begins and ends. */
function getCaret() {
  const { anchorNode, anchorOffset, focusNode, focusOffset } = getSelection() ?? {};
  return [anchorNode, anchorOffset, focusNode, focusOffset];
}
