import { useUser } from "#app/session/user.ts";
import { toStoryPath, type Book } from "#app/stories/book.ts";
import { Cover } from "#app/stories/cover/cover.tsx";
import { Bdi } from "#app/ui/bdi.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import type { InProgressStory } from "./book-card.tsx";
import styles from "./hero.module.css";

export interface HeroProps {
  books: Book[];
  /** The id of the story that the button opens if none is in progress; `null` for none. */
  firstStory: string | null;
  inProgress: InProgressStory | undefined;
  /** Whether it is a low row below search results instead of the page's heading. @default false */
  isSlim?: boolean;
}

/** The top banner, with three covers in wide windows. It is low for users, whose own shelf is below it. */
export function Hero({ books, firstStory, inProgress, isSlim = false }: HeroProps) {
  const isLow = useUser() !== null && !isSlim;
  const Heading = isSlim ? "h2" : "h1";
  const first = inProgress?.story ?? firstStory;
  return (
    <section
      className={styles.hero}
      data-scheme="dark"
      data-slim={isSlim || undefined}
      data-low={isLow || undefined}
    >
      <div className={styles.words}>
        <Heading className={styles.heading}>Stories, in good company.</Heading>
        <p className={styles.lead}>
          Open a book, keep your place, and talk about it in the room while it is still warm.
        </p>
        {isLow ? (
          // The shelf below has the story to continue.
          <ButtonLink className={styles.write} to="/create">
            Write a story
          </ButtonLink>
        ) : (
          <ButtonLink to={first === null ? "#books-and-quests" : toStoryPath(first)}>
            {inProgress ? (
              <span>
                Continue <Bdi>{inProgress.title}</Bdi>
              </span>
            ) : (
              "Start reading"
            )}
          </ButtonLink>
        )}
      </div>
      <div className={styles.covers} aria-hidden="true">
        {pickCovers(books).map((book, index) => (
          <div key={index} className={styles.cover}>
            <Cover id={book.id} title={book.title} src={book.cover} />
          </div>
        ))}
      </div>
    </section>
  );
}

/**
 * Returns three books from different parts of the list. The first of the list comes last, so that it is painted on top.
 */
function pickCovers(books: Book[]): Book[] {
  const indices = new Set([Math.floor(books.length / 6), Math.floor(books.length / 2), 0]);
  return [...indices].flatMap((index) => books[index] ?? []);
}
