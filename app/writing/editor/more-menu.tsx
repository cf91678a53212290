import { useEffect, useRef, type ReactNode } from "react";

import iconButton from "#app/ui/icon-button.module.css";
import { Icon } from "#app/ui/icon.tsx";
import styles from "./editor-form.module.css";

/** A button that shows further buttons and links. Closes on Escape, and when a press or the focus goes elsewhere. */
export function MoreMenu({ children }: { children: ReactNode }) {
  const details = useRef<HTMLDetailsElement>(null);

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
        const menu = details.current;
        if (key !== "Escape" || !menu?.open) return;
        menu.open = false;
        menu.querySelector("summary")?.focus();
      },
      { signal },
    );
    return () => controller.abort();
  }, []);

  return (
    <details ref={details} className={styles.more}>
      <summary className={iconButton.button} aria-label="More" title="More">
        <Icon name="more" />
      </summary>
      <div className={styles.menu}>{children}</div>
    </details>
  );
}
