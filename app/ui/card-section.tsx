import type { ReactNode } from "react";

import styles from "./card-section.module.css";

export interface CardSectionProps {
  /** The id of the heading. */
  id: string;
  heading: string;
  children: ReactNode;
}

/** A section with a border, for one form or setting. */
export function CardSection({ id, heading, children }: CardSectionProps) {
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 className={styles.heading} id={id} dir="auto">
        {heading}
      </h2>
      {children}
    </section>
  );
}
