import type { Book } from "#app/stories/book.ts";
import type { InProgressStory } from "#app/stories/in-progress.ts";
import type { Finding } from "#app/stories/sample-item.ts";
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

/** The covers of the first page of the first carousel, which are seen first. */
const FIRST_ROW = 3;

export interface DashboardProps {
  /** The list as the server has it. */
  books: Book[];
  /** What the reader is in the middle of, newest first. */
  begun: InProgressStory[];
  /** There may be more, in an account that cannot be read right now. */
  arePlacesUnreachable: boolean;
  search: StorySearch;
  /** What was published last, newest first; `null` when the database does not answer. */
  newStories: Finding[] | null;
  /** Set when somebody has just followed a quest, to a number of its own each time. */
  questNotice: number | null;
}

/** The house that visitors see first. */
export function Dashboard({
  books: serverBooks,
  begun,
  arePlacesUnreachable,
  search,
  newStories,
  questNotice,
}: DashboardProps) {
  const books = useBooks(serverBooks);
  // What somebody asked for comes first. By its key it is the same list in either place, with the focus where it was.
  const isAsked = isNarrowed(search);
  const list = <StoryList key="list" {...search} />;
  return (
    <div className={styles.dashboard}>
      {questNotice === null ? null : <QuestNotice key={questNotice} />}
      {isAsked ? list : null}
      <Hero key="hero" books={books} begun={begun[0]} isSlim={isAsked} />
      <ContinueStrip key="begun" begun={begun} isPartial={arePlacesUnreachable} />
      <BookRow
        key="trending"
        heading="Explore Trending Stories"
        books={books}
        eagerCount={isAsked ? 0 : FIRST_ROW}
      />
      <BookRow key="live" heading="Explore Trending Live Stories" books={books} />
      {isAsked ? null : list}
      <NewStories stories={newStories} />
      <SurpriseBanner />
    </div>
  );
}

interface BookRowProps {
  heading: string;
  books: Book[];
  /** How many covers are asked for before anything else. */
  eagerCount?: number;
}

function BookRow({ heading, books, eagerCount = 0 }: BookRowProps) {
  if (books.length === 0) return <NoBooks heading={heading} />;
  return (
    <Carousel heading={heading}>
      {books.map((book, index) => (
        <BookCard key={`${book.id} ${index}`} book={book} isEager={index < eagerCount} />
      ))}
    </Carousel>
  );
}
