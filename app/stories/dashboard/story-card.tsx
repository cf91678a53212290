import { Link } from "@remix-run/react";
import type { ReactNode } from "react";

import { Cover } from "./cover.tsx";
import styles from "./story-card.module.css";

export interface StoryCardProps {
  /** Decides how the cover is drawn, where it has to be. */
  id: string;
  title: string;
  /** The address of the picture; empty for none. */
  cover: string;
  to: string;
  /** Stands above the title. */
  tag?: ReactNode;
  /** A low card with a small cover. @default false */
  isLow?: boolean;
  /** What else there is to say, below the title. */
  children: ReactNode;
}

/** One of a list of stories. Its title is the link, and all of it can be pressed. */
export function StoryCard({ id, title, cover, to, tag, isLow = false, children }: StoryCardProps) {
  return (
    <li className={styles.card} data-low={isLow || undefined}>
      <div className={styles.cover}>
        <Cover id={id} title={title} src={cover} size="small" />
      </div>
      <div className={styles.words}>
        {tag}
        <h3 className={styles.title}>
          <Link className={styles.link} to={to}>
            {title}
          </Link>
        </h3>
        {children}
      </div>
    </li>
  );
}
