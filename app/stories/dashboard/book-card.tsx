import { Link } from "@remix-run/react";

import { readPath, type Book } from "#app/stories/book.ts";
import styles from "./book-card.module.css";
import { Cover } from "./cover.tsx";

export interface BookCardProps {
  book: Book;
  /** How many people have the story open now; `undefined` for a card that does not show it. */
  readers?: number | undefined;
  /** Whether the cover is loaded before the page's other images. @default false */
  isEager?: boolean;
}

/** A book that links to its reading page. */
export function BookCard({ book, readers, isEager = false }: BookCardProps) {
  return (
    <Link className={styles.card} to={readPath(book.id)}>
      <div className={styles.stage}>
        <div className={styles.book}>
          <Cover id={book.id} title={book.title} src={book.coverPhoto} isEager={isEager} />
        </div>
      </div>
      {readers === undefined ? null : (
        <p className={styles.readers} data-some={readers > 0 || undefined}>
          {readers > 0 ? `${readers} reading now` : "Quiet just now"}
        </p>
      )}
      <h3 className={styles.title}>{book.title}</h3>
    </Link>
  );
}
