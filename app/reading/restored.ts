const RESTORED = "inkglade:position-restored";

/** Tells that the page has scrolled by itself, to keep the text in view where it is. */
export function notifyRestored(): void {
  dispatchEvent(new Event(RESTORED));
}

/** Calls a function after the page has scrolled by itself. */
export function onRestored(callback: () => void, signal: AbortSignal): void {
  addEventListener(RESTORED, callback, { signal });
}
