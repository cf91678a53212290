import { readPath, type Book } from "#app/stories/book.ts";
import type { InProgressStory } from "#app/stories/in-progress.ts";
import { ButtonLink } from "#app/ui/button-link.tsx";
import { Cover } from "./cover.tsx";
import styles from "./hero.module.css";

export interface HeroProps {
  books: Book[];
  begun: InProgressStory | undefined;
  /** Whether it stands below something that was asked for: one row, which is not the page's heading. @default false */
  isSlim?: boolean;
}

/** The top banner: what this place is, and a way in. Beside it, where there is room, three covers. */
export function Hero({ books, begun, isSlim = false }: HeroProps) {
  const Heading = isSlim ? "h2" : "h1";
  const first = begun?.story ?? books[0]?.id;
  return (
    <section className={styles.hero} data-slim={isSlim || undefined}>
      <div className={styles.words}>
        <Heading className={styles.heading}>Stories, in good company.</Heading>
        <p className={styles.lead}>
          Open a book, keep your place, and talk about it in the room while it is still warm.
        </p>
        <ButtonLink to={first === undefined ? "#books-and-quests" : readPath(first)}>
          {begun ? `Continue ${begun.title}` : "Start reading"}
        </ButtonLink>
      </div>
      <div className={styles.fan} aria-hidden="true">
        {pickFan(books).map((book, index) => (
          <div key={index} className={styles.leaf}>
            <Cover id={book.id} title={book.title} src={book.coverPhoto} />
          </div>
        ))}
      </div>
    </section>
  );
}

/** Three books from different places of the list, the first of it last, as it lies on top. */
function pickFan(books: Book[]): Book[] {
  const places = new Set([Math.floor(books.length / 6), Math.floor(books.length / 2), 0]);
  return [...places].flatMap((place) => books[place] ?? []);
}
