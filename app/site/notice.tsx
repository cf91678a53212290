import type { ReactNode } from "react";

import { ButtonLink } from "#app/ui/button-link.tsx";
import styles from "./notice.module.css";

export interface NoticeProps {
  title: string;
  /** What happened, and what is safe. */
  children: ReactNode;
  /** What to do. @default a way back to the stories */
  actions?: ReactNode;
}

/** The body of a page that has nothing but news to show: what happened, what is safe, what to do. */
export function Notice({
  title,
  children,
  actions = <ButtonLink to="/home">Go to the stories</ButtonLink>,
}: NoticeProps) {
  return (
    <section className={styles.notice} aria-labelledby="notice-title">
      <h1 id="notice-title">{title}</h1>
      <div className={styles.words}>{children}</div>
      <div className={styles.actions}>{actions}</div>
    </section>
  );
}
