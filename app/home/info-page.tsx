import type { ReactNode } from "react";

import styles from "./info-page.module.css";

/** A page of text about the site. */
export function InfoPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <article className={styles.page}>
      <h1>{title}</h1>
      {children}
    </article>
  );
}
