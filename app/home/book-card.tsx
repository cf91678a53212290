import { Link } from "@remix-run/react";

import { MAX_SHOWN_DESCRIPTION, toStoryPath, type Book } from "#app/stories/book.ts";
import { Cover } from "#app/stories/cover/cover.tsx";
import type { ReadingPosition } from "#app/stories/positions/position.ts";
import type { StoryEntry, Story } from "#app/stories/story.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import { ProgressTrack } from "#app/ui/progress-track.tsx";
import { truncateWords } from "#app/ui/truncate.ts";
import styles from "./book-card.module.css";

export interface BookCardProps {
  book: Book;
  /** The story of the book, if it has one. */
  details: StoryEntry | undefined;
  /** The user's position in it, if they have started it. */
  position?: InProgressStory | undefined;
  /** Whether the cover is loaded before the user scrolls. @default false */
  isEager?: boolean;
}

/** A book in a carousel. The whole card is a link to its reading page. */
export function BookCard({ book, details, position, isEager = false }: BookCardProps) {
  return (
    <Link className={styles.card} to={toStoryPath(book.id)}>
      <div className={styles.cover}>
        <Cover id={book.id} title={book.title} src={book.cover} isEager={isEager} />
      </div>
      <div className={styles.words}>
        <h3 className={styles.title} lang={details?.language} dir="auto">
          {book.title}
        </h3>
        {details ? (
          <>
            <p className={styles.byline}>
              {details.author ? <Bdi>{details.author}</Bdi> : null}
              {details.author && details.minutes ? " · " : null}
              {details.minutes ? `${details.minutes} min` : null}
            </p>
            <p className={styles.description} lang={details.language} dir="auto">
              {truncateWords(details.description, MAX_SHOWN_DESCRIPTION)}
            </p>
            <CardFooter details={details} position={position} />
          </>
        ) : null}
      </div>
    </Link>
  );
}

function CardFooter({
  details,
  position,
}: Pick<BookCardProps, "position"> & { details: StoryEntry }) {
  if (!position)
    return (
      <p className={styles.foot} dir="auto">
        {details.tags.join(", ")}
      </p>
    );
  const { percent, minutesLeft } = position;
  return (
    <div className={styles.foot}>
      You're at {percent}%, {minutesLeft} min left
      <ProgressTrack percent={percent} />
    </div>
  );
}

/** A story that the user has started and not finished. */
export interface InProgressStory
  extends
    Pick<ReadingPosition, "story" | "title" | "percent" | "minutesLeft">,
    Pick<Story, "cover"> {}
