import { ButtonLink } from "#app/components/button-link.tsx";
import { readPath, type Book } from "#app/schemas/book.ts";
import type { BegunStory } from "#app/schemas/place.ts";
import { Cover } from "./cover.tsx";
import styles from "./hero.module.css";

/** The top banner: what this place is, and a way in. Beside it, where there is room, three covers. */
export function Hero({ books, begun }: { books: Book[]; begun: BegunStory | undefined }) {
  const first = begun?.story ?? books[0]?.id;
  return (
    <section className={styles.hero}>
      <div className={styles.words}>
        <h1>Stories, in good company.</h1>
        <p>Open a book, keep your place, and talk about it in the room while it is still warm.</p>
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
