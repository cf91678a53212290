import type { ReactNode } from "react";

import { ButtonLink } from "#app/ui/button-link.tsx";
import styles from "./message-page.module.css";

export interface MessagePageProps {
  title: string;
  /** What happened, and what is safe. */
  children: ReactNode;
  /** What to do. @default a way back to the stories */
  actions?: ReactNode;
}

/** The body of a page that has nothing but news to show: what happened, what is safe, what to do. */
export function MessagePage({
  title,
  children,
  actions = <ButtonLink to="/home">Go to the stories</ButtonLink>,
}: MessagePageProps) {
  return (
    <section className={styles.page} aria-labelledby="message-page-title">
      <h1 id="message-page-title">{title}</h1>
      <div className={styles.text}>{children}</div>
      <div className={styles.actions}>{actions}</div>
    </section>
  );
}
