import type { Book } from "#app/stories/book.ts";
import type { InProgressStory } from "#app/stories/in-progress.ts";
import type { SearchResult } from "#app/stories/sample-item.ts";
import { sortByReaders, type ReaderCounts } from "#app/stories/readers/readers.ts";
import { useReaders } from "#app/stories/readers/use-readers.ts";
import { Carousel } from "#app/ui/carousel.tsx";
import { BookCard } from "./book-card.tsx";
import { ContinueStrip } from "./continue-strip.tsx";
import styles from "./dashboard.module.css";
import { Hero } from "./hero.tsx";
import { NewStories } from "./new-stories.tsx";
import { NoBooks } from "./no-books.tsx";
import { QuestNotice } from "./quest-notice.tsx";
import { isNarrowed, StoryList, type StorySearch } from "./story-list.tsx";
import { SurpriseBanner } from "./surprise-banner.tsx";
import { useBooks } from "./use-books.ts";

/** The number of covers on the first page of the first carousel. */
const EAGER_COUNT = 3;

export interface DashboardProps {
  /** The server's list. */
  books: Book[];
  /** The id of the first book that opens a story; `null` for none. */
  firstStory: string | null;
  /** The stories that the user is reading, newest first. */
  inProgress: InProgressStory[];
  /** Whether the positions in the user's account could not be read, so that some may be missing. */
  isInProgressPartial: boolean;
  search: StorySearch;
  /** The newest published stories; `null` when the database does not answer. */
  newStories: SearchResult[] | null;
  /** How many people have each story open now, as far as the server knows. */
  readers: ReaderCounts;
  /** Changes each time the user follows a link to a quest; `null` for no notice. */
  questNotice: number | null;
}

/** The contents of /home. */
export function Dashboard({
  books: serverBooks,
  firstStory,
  inProgress,
  isInProgressPartial,
  search,
  newStories,
  readers: knownReaders,
  questNotice,
}: DashboardProps) {
  const books = useBooks(serverBooks);
  const readers = useReaders(knownReaders);
  // A search moves the list to the top. With the key it stays mounted and does not lose the focus.
  const isSearch = isNarrowed(search);
  const list = <StoryList key="list" {...search} />;
  return (
    <div className={styles.dashboard}>
      {questNotice === null ? null : <QuestNotice key={questNotice} />}
      {isSearch ? list : null}
      <Hero
        key="hero"
        books={books}
        firstStory={firstStory}
        inProgress={inProgress[0]}
        isSlim={isSearch}
      />
      <ContinueStrip key="in-progress" inProgress={inProgress} isPartial={isInProgressPartial} />
      <BookRow
        key="trending"
        heading="Explore Trending Stories"
        books={books}
        eagerCount={isSearch ? 0 : EAGER_COUNT}
      />
      <BookRow
        key="live"
        heading="Explore Trending Live Stories"
        books={sortByReaders(books, readers.first)}
        readers={readers.now}
      />
      {isSearch ? null : list}
      <NewStories stories={newStories} />
      <SurpriseBanner />
    </div>
  );
}

interface BookRowProps {
  heading: string;
  books: Book[];
  /** How many covers are loaded before the page's other images. @default 0 */
  eagerCount?: number;
  /** How many people have each story open now. Given only for the live stories. */
  readers?: ReaderCounts;
}

function BookRow({ heading, books, eagerCount = 0, readers }: BookRowProps) {
  if (books.length === 0) return <NoBooks heading={heading} />;
  return (
    <Carousel heading={heading}>
      {books.map((book, index) => (
        <BookCard
          key={`${book.id} ${index}`}
          book={book}
          readers={readers && (readers[book.id] ?? 0)}
          isEager={index < eagerCount}
        />
      ))}
    </Carousel>
  );
}
