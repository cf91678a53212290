import { useNavigate } from "@remix-run/react";
import { useEffect, useRef, type RefObject } from "react";

import type { ReadingData } from "#app/reading/reading-data.ts";
import { isRail } from "./use-rail.ts";

const KEYS = ["ArrowRight", "ArrowLeft", "Escape", "t", "?"];

interface ShortcutOptions {
  text: RefObject<HTMLElement>;
  bar: RefObject<HTMLElement>;
  story: Pick<ReadingData, "previous" | "next">;
  hasSingleKeys: boolean;
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
      import("./shortcuts.ts").then(
        ({ handleShortcut }) =>
          handleShortcut(event, { ...context, isRail, text: text.current, bar: bar.current }),
        () => undefined,
      );
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}
