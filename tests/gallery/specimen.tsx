import type { ReactNode } from "react";

import styles from "./gallery.module.css";

/** One component: its name, notes for reviewers, and its states. */
export function Specimen({
  name,
  notes,
  children,
}: {
  name: string;
  notes?: ReactNode;
  children: ReactNode;
}) {
  return (
    <article className={styles.specimen}>
      <h3>{name}</h3>
      {notes ? <p className={styles.notes}>{notes}</p> : null}
      <div className={styles.states}>{children}</div>
    </article>
  );
}

/** One state with a caption. */
export function State({
  name,
  isWide = false,
  children,
}: {
  name: string;
  isWide?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={styles.state} data-wide={isWide || undefined}>
      <p className={styles.caption}>{name}</p>
      {children}
    </div>
  );
}
