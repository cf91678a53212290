const KEY_CONSUMERS = "input, textarea, select, [contenteditable], [role=log], video, audio";

/** Whether a key pressed here belongs to a field, a player or the room, and is no shortcut of the page. */
export function isInKeyConsumer(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(KEY_CONSUMERS) !== null;
}
