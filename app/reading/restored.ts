const RESTORED = "inkglade:position-restored";

/** Notifies listeners that a script has scrolled the page, so that the visible text stays in place. */
export function notifyRestored(): void {
  dispatchEvent(new Event(RESTORED));
}

/** Calls a function after a script has scrolled the page. */
export function onRestored(callback: () => void, signal: AbortSignal): void {
  addEventListener(RESTORED, callback, { signal });
}
