import { Link } from "@remix-run/react";
import type { ReactNode } from "react";

import { Cover } from "#app/stories/cover/cover.tsx";
import styles from "./story-card.module.css";

export interface StoryCardProps {
  /** Determines the drawn cover. */
  id: string;
  title: ReactNode;
  /** The language of the title; missing if it is not known. */
  language?: string | undefined;
  /** The title as text, if `title` is not a string. */
  coverTitle?: string;
  /** The URL of an image; empty for a drawn cover. */
  cover: string;
  to: string;
  /** Whether `to` redirects to /home, so that the page should not scroll. @default false */
  redirectsHome?: boolean;
  /** Above the title. */
  tag?: ReactNode;
  /** Whether the card is low, with a small cover. @default false */
  isCompact?: boolean;
  /** Below the title. */
  children: ReactNode;
}

/** An item in a list of stories. The title's link covers the card below other links and buttons. */
export function StoryCard({
  id,
  title,
  language,
  coverTitle = typeof title === "string" ? title : "",
  cover,
  to,
  redirectsHome = false,
  tag,
  isCompact = false,
  children,
}: StoryCardProps) {
  return (
    <li className={styles.card} data-compact={isCompact || undefined}>
      <div className={styles.cover}>
        <Cover id={id} title={coverTitle} src={cover} size="small" />
      </div>
      <div className={styles.words}>
        {tag}
        <h3 className={styles.title} lang={language} dir="auto">
          <Link className={styles.link} to={to} preventScrollReset={redirectsHome}>
            {title}
          </Link>
        </h3>
        {children}
      </div>
    </li>
  );
}
