import { Link } from "@remix-run/react";

import { MAX_SHOWN_DESCRIPTION, toStoryPath, type Book } from "#app/stories/book.ts";
import { Cover } from "#app/stories/cover/cover.tsx";
import type { StoryEntry } from "#app/stories/story.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Bdi } from "#app/ui/bdi.tsx";
import { truncateWords } from "#app/ui/truncate.ts";
import styles from "./live-card.module.css";

/** What somebody has said about a story. */
export interface ShownLine {
  name: string;
  photoURL: string | null;
  words: string;
  /** How long ago, such as "4 min ago". */
  when: string;
  /** The number of the chapter that it is about, counted from 1; 0 for a story without chapters. */
  chapter: number;
}

export interface LiveCardProps {
  book: Book;
  /** The story of the book, if it has one. */
  details: StoryEntry | undefined;
  /** What was last said about it; `undefined` for nothing that the user may read, `null` if it is not known. */
  line: ShownLine | null | undefined;
  /** How many people have the story open now. */
  readers: number;
}

/** What is said about a book, and how many people are reading it. The whole card is a link to its reading page. */
export function LiveCard({ book, details, line, readers }: LiveCardProps) {
  return (
    <Link className={styles.card} to={toStoryPath(book.id)}>
      <Line line={line} description={details?.description ?? ""} />
      <div className={styles.story}>
        <div className={styles.cover}>
          <Cover id={book.id} title={book.title} src={book.cover} size="small" />
        </div>
        <div className={styles.words}>
          <h3 className={styles.title} lang={details?.language} dir="auto">
            {book.title}
          </h3>
          <p className={styles.meta}>
            <span className={styles.readers} data-some={readers > 0 || undefined}>
              {readers > 0 ? `${readers} reading now` : "Quiet just now"}
            </span>
            {details?.author ? (
              <span>
                <Bdi>{details.author}</Bdi> · {details.minutes} min
              </span>
            ) : null}
          </p>
        </div>
      </div>
    </Link>
  );
}

function Line({ line, description }: Pick<LiveCardProps, "line"> & { description: string }) {
  if (!line) {
    return (
      <p className={styles.silence} dir="auto">
        {line === null
          ? truncateWords(description, MAX_SHOWN_DESCRIPTION)
          : "Nobody has said anything about this part yet."}
      </p>
    );
  }
  const { name, photoURL, words, when, chapter } = line;
  return (
    <div className={styles.line}>
      <Avatar src={photoURL} />
      <div className={styles.bubble}>
        <p className={styles.sender}>
          <b className={styles.name}>
            <Bdi>{name}</Bdi>
          </b>{" "}
          {when}
          {chapter > 0 ? ` · chapter ${chapter}` : null}
        </p>
        <p dir="auto">{words}</p>
      </div>
    </div>
  );
}
