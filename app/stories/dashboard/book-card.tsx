import { Link } from "@remix-run/react";

import { readPath, type Book } from "#app/stories/book.ts";
import styles from "./book-card.module.css";
import { Cover } from "./cover.tsx";

export interface BookCardProps {
  book: Book;
  /** Whether the cover is loaded before the page's other images. @default false */
  isEager?: boolean;
}

/** A book that links to its reading page. */
export function BookCard({ book, isEager = false }: BookCardProps) {
  return (
    <Link className={styles.card} to={readPath(book.id)}>
      <div className={styles.stage}>
        <div className={styles.book}>
          <Cover id={book.id} title={book.title} src={book.coverPhoto} isEager={isEager} />
        </div>
      </div>
      <h3 className={styles.title}>{book.title}</h3>
    </Link>
  );
}
