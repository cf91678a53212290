import { Link } from "@remix-run/react";
import type { ReactNode } from "react";

import { toStoryPath, toWriterPath } from "#app/stories/book.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import { StoryCard } from "./story-card.tsx";
import styles from "./shelf.module.css";

export interface StoryRowProps {
  id: string;
  title: string;
  /** The URL of an image; empty for a drawn cover. */
  cover: string;
  author: string | null;
  writer: string | null;
  children?: ReactNode;
}

/** A compact card of a story with its writer. */
export function StoryRow({ id, title, cover, author, writer, children }: StoryRowProps) {
  return (
    <StoryCard id={id} title={title} cover={cover} to={toStoryPath(id)} isCompact>
      <p className={styles.byline}>
        {author !== null && writer !== null ? (
          <>
            <Link className={styles.author} to={toWriterPath(writer)}>
              <Bdi>{author}</Bdi>
            </Link>{" "}
            ·{" "}
          </>
        ) : null}
        {children}
      </p>
    </StoryCard>
  );
}
