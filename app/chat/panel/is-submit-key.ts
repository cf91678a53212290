import type { KeyboardEvent } from "react";

/** Whether a key belongs to an input method that is composing characters. */
export function isComposing(event: KeyboardEvent): boolean {
  // WebKit ends a composition before the Enter that confirms it; only the key code shows that.
  return event.nativeEvent.isComposing || event.keyCode === 229;
}

/** Whether a key in the field of a message submits it. On a touch keyboard, Enter is the only way to a new line. */
export function isSubmitKey(event: KeyboardEvent): boolean {
  const isEnter = event.key === "Enter" && !event.shiftKey && !isComposing(event);
  return isEnter && matchMedia("(pointer: fine)").matches;
}
