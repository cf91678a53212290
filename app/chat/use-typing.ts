import { useEffect, useRef } from "react";

/** Somebody who has not touched a key for so long has stopped typing. */
const STOP_AFTER_MS = 3000;

/** Turns keys into a signal: `onChange(true)` at the first, `onChange(false)` 3 s after the last or at once by `stop`. */
export function useTypingSignal(onChange: (isTyping: boolean) => void) {
  const timer = useRef<ReturnType<typeof setTimeout>>();

  function stop() {
    if (timer.current === undefined) return;
    clearTimeout(timer.current);
    timer.current = undefined;
    onChange(false);
  }

  function touch() {
    if (timer.current === undefined) onChange(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(stop, STOP_AFTER_MS);
  }

  useEffect(() => () => clearTimeout(timer.current), []);
  return { touch, stop };
}
