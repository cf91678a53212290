import type { ReactNode } from "react";

import { ButtonLink } from "#app/ui/button-link.tsx";
import styles from "./message-page.module.css";

export interface MessagePageProps {
  title: string;
  /** What happened, and what is safe. */
  children: ReactNode;
  /** Links or buttons. @default a link to the stories */
  actions?: ReactNode;
}

/** A page that only shows a message, for example an error. */
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
