const SCRIPT_SCROLL_EVENT = "inkglade:script-scroll";

/** Notifies listeners that a script has scrolled the page, so that the visible text stays in place. */
export function notifyScriptScroll(): void {
  dispatchEvent(new Event(SCRIPT_SCROLL_EVENT));
}

/** Calls a function after a script has scrolled the page. */
export function onScriptScroll(callback: () => void, signal: AbortSignal): void {
  addEventListener(SCRIPT_SCROLL_EVENT, callback, { signal });
}
