/** Events that move the focus. */
export const FOCUS_EVENTS = ["click", "focusin"];

/** Events with which a user scrolls. */
export const SCROLL_INPUTS = ["wheel", "touchmove", "pointerdown", "keydown"];

export function isScrollInput({ type }: Event): boolean {
  return SCROLL_INPUTS.includes(type);
}

const MAX_EVENTS = 100;

/**
 * Collects the user's last 100 input events until the code that handles them is loaded.
 *
 * @param onInput called for each input event and each scroll event
 */
export function collectInput(onInput: () => void) {
  const events: Event[] = [];
  const controller = new AbortController();
  const options = { capture: true, passive: true, signal: controller.signal };
  function collect(event: Event) {
    events.push(event);
    if (events.length > MAX_EVENTS) events.shift();
    onInput();
  }
  for (const type of [...FOCUS_EVENTS, ...SCROLL_INPUTS]) {
    document.addEventListener(type, collect, options);
  }
  document.addEventListener("scroll", onInput, options);
  return { events, stop: () => controller.abort() };
}

const SCRIPT_SCROLL_EVENT = "inkglade:script-scroll";

/** Notifies listeners that a script has scrolled the page, so that the visible text stays in place. */
export function notifyScriptScroll(): void {
  dispatchEvent(new Event(SCRIPT_SCROLL_EVENT));
}

/** Calls a function after a script has scrolled the page. */
export function onScriptScroll(callback: () => void, signal: AbortSignal): void {
  addEventListener(SCRIPT_SCROLL_EVENT, callback, { signal });
}
