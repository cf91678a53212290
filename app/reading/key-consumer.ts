const KEY_CONSUMERS =
  "input, textarea, select, [contenteditable], [role=dialog], [role=menu], [role=listbox], #room, video, audio";

/**
 * Whether an element handles keys itself, as fields, players, dialogs and the room do. Keys pressed there are not
 * shortcuts.
 */
export function isInKeyConsumer(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(KEY_CONSUMERS) !== null;
}
