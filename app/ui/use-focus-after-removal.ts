import { useCallback, useRef, type RefCallback } from "react";

const CONTROLS = "a[href], button, summary, [tabindex='0']";

/**
 * Returns the `ref` for an element that can disappear while it contains the focus. The focus then moves to the next
 * control, or the previous one if there is none, instead of to the start of the page. Never to a field, which would open
 * a phone's keyboard, or to its form's button. In the room it stays there; if the room disappears too, it does not move.
 */
export function useFocusAfterRemoval<Type extends HTMLElement>(): RefCallback<Type> {
  const element = useRef<Type | null>(null);
  return useCallback((next: Type | null) => {
    const removed = next ? null : element.current;
    element.current = next;
    // React calls this before it removes the element.
    if (removed?.contains(document.activeElement)) moveFocus(listControls(removed));
  }, []);
}

/** Returns the controls outside of an element in the order in which they should get its focus. */
function listControls(element: HTMLElement): HTMLElement[] {
  const container = element.closest("#room") ?? document;
  const controls = [...container.querySelectorAll<HTMLElement>(CONTROLS)].filter(
    (control) => control.tabIndex >= 0 && !element.contains(control) && !isButtonOfField(control),
  );
  const isAfter = (control: Node) =>
    (element.compareDocumentPosition(control) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  return [
    ...controls.filter(isAfter),
    ...controls.filter((control) => !isAfter(control)).reverse(),
  ];
}

function isButtonOfField(control: HTMLElement): boolean {
  const form = control instanceof HTMLButtonElement ? control.form : null;
  return form?.querySelector("textarea, input:not([type=hidden])") != null;
}

function moveFocus(controls: readonly HTMLElement[]): void {
  // More may be removed together with the element.
  queueMicrotask(() => {
    for (const control of controls) {
      if (document.activeElement !== document.body) return;
      // Does nothing if the control is gone, hidden, disabled or inert.
      control.focus({ preventScroll: true });
    }
  });
}
