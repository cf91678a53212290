import { useEffect, type RefObject } from "react";

/** Closes a `<details>` on Escape, and when a press or the focus goes elsewhere. */
export function useLightDismiss(details: RefObject<HTMLDetailsElement>): void {
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;

    /** Whether a dialog covers the details. They stay open, so that the focus can return to the button that opened it. */
    function isCovered({ target }: Event) {
      const dialog = target instanceof Element ? target.closest("dialog[open]") : null;
      return dialog !== null && !dialog.contains(details.current);
    }

    function closeOutside(event: Event) {
      const { target } = event;
      const isOutside = target instanceof Node && !details.current?.contains(target);
      if (isOutside && details.current && !isCovered(event)) details.current.open = false;
    }

    document.addEventListener("pointerdown", closeOutside, { signal });
    document.addEventListener("focusin", closeOutside, { signal });
    document.addEventListener(
      "keydown",
      (event) => {
        const { current } = details;
        if (event.key !== "Escape" || !current?.open || isCovered(event)) return;
        current.open = false;
        current.querySelector("summary")?.focus();
      },
      { signal },
    );
    return () => controller.abort();
  }, [details]);
}
