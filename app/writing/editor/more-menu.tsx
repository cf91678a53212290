import { useRef, type ReactNode } from "react";

import iconButton from "#app/ui/icon-button.module.css";
import { Icon } from "#app/ui/icon.tsx";
import { useLightDismiss } from "#app/ui/use-light-dismiss.ts";
import styles from "./editor-form.module.css";

/** A button that shows further buttons and links. */
export function MoreMenu({ children }: { children: ReactNode }) {
  const details = useRef<HTMLDetailsElement>(null);
  useLightDismiss(details);

  return (
    <details ref={details} className={styles.more}>
      <summary className={iconButton.button} aria-label="More" title="More">
        <Icon name="more" />
      </summary>
      <div className={styles.menu}>{children}</div>
    </details>
  );
}
