import type { ComponentPropsWithoutRef } from "react";

import styles from "./visually-hidden.module.css";

export type VisuallyHiddenProps = Omit<ComponentPropsWithoutRef<"span">, "className" | "style">;

/** Text for screen readers only. */
export function VisuallyHidden(props: VisuallyHiddenProps) {
  return <span {...props} className={styles.hidden} />;
}
