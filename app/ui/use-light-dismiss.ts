import { useEffect, type RefObject } from "react";

/** Closes a `<details>` on Escape, and when a press or the focus goes elsewhere. */
export function useLightDismiss(details: RefObject<HTMLDetailsElement>): void {
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;

    function closeOutside({ target }: Event) {
      const isOutside = target instanceof Node && !details.current?.contains(target);
      if (isOutside && details.current) details.current.open = false;
    }

    document.addEventListener("pointerdown", closeOutside, { signal });
    document.addEventListener("focusin", closeOutside, { signal });
    document.addEventListener(
      "keydown",
      ({ key }) => {
        const { current } = details;
        if (key !== "Escape" || !current?.open) return;
        current.open = false;
        current.querySelector("summary")?.focus();
      },
      { signal },
    );
    return () => controller.abort();
  }, [details]);
}
