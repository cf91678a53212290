import type { ReactNode } from "react";

import { IconButton } from "#app/ui/icon-button.tsx";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";
import { useHydrated } from "#app/ui/hydration.ts";
import styles from "./panel-head.module.css";

export interface PanelHeadProps {
  /** The accessible name of the button that closes the room. */
  label: string;
  onClose: () => void;
  /** In place of the visible title. */
  views?: ReactNode;
  /** Shown before the close button. */
  children?: ReactNode;
}

/** The title of the room, and the button that closes it, which needs scripts. */
export function PanelHead({ label, onClose, views, children }: PanelHeadProps) {
  const isHydrated = useHydrated();
  return (
    <div className={styles.head}>
      <h2 className={views ? undefined : styles.title} tabIndex={-1}>
        {views ? <VisuallyHidden>The room</VisuallyHidden> : "The room"}
      </h2>
      {views}
      {children}
      {isHydrated ? <IconButton icon="close" label={label} onClick={onClose} /> : null}
    </div>
  );
}
