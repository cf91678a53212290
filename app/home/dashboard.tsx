import { Form, useLocation } from "@remix-run/react";
import { useEffect, useRef, useState, type ReactNode, type RefObject } from "react";

import { fetchJson } from "#app/http/fetch-json.ts";
import { retry } from "#app/http/wait.ts";
import { BOOKS_PATH, readBooks, type Book } from "#app/stories/book.ts";
import saveStyles from "#app/stories/library/save-button.module.css";
import { sortByReaders, type ReaderCounts } from "#app/stories/readers/readers.ts";
import { useReaders } from "#app/stories/readers/use-readers.ts";
import type { StoryEntry } from "#app/stories/story.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Carousel } from "#app/ui/carousel.tsx";
import { hydrateLazily } from "#app/ui/hydrate-lazily.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { BookCard } from "./book-card.tsx";
import styles from "./dashboard.module.css";
import filterStyles from "./filters.module.css";
import { Hero } from "./hero.tsx";
import { LazySection, type LazySectionProps, type SectionsData } from "./lazy-section.tsx";
import { LiveCard, type ShownLine } from "./live-card.tsx";
import sampleStyles from "./sample-list.module.css";
import shelfStyles from "./shelves.module.css";
import cardStyles from "./story-card.module.css";
import listStyles from "./story-list.module.css";
import writerStyles from "./writer-head.module.css";

/** The number of covers on the first page of the first carousel. */
const EAGER_COUNT = 3;

const NOTICE_LIFE_MS = 6000;

export interface DashboardProps extends SectionsData {
  /** The server's list. */
  books: Book[];
  /** The ids of those that the user has hidden. */
  hiddenBooks: string[];
  /** The stories of the books that have one, by the ids of the books. */
  details: Record<string, StoryEntry>;
  /** The id of the first book that opens a story; `null` for none. */
  firstStory: string | null;
  /** How many people have each story open now, as far as the server knows. */
  readers: ReaderCounts;
  /** What was last said about each story, as far as the user has read it; `null` for those of which it is not known. */
  lines: Record<string, ShownLine | null>;
  /** Whether the page begins with the results of a search or filter. */
  isSearch: boolean;
  /** Changes each time the user follows a link to a quest; `null` for no notice. */
  questNotice: number | null;
}

/** Links the style sheets of the sections, whose code is loaded later, to the page. */
const SECTION_STYLES = [
  filterStyles,
  sampleStyles,
  saveStyles,
  shelfStyles,
  cardStyles,
  listStyles,
  writerStyles,
];

const LazyHomeSection = hydrateLazily(import.meta.env.SSR ? LazySection : null, () =>
  retry(async () => (await import("./lazy-section.tsx")).LazySection),
);

function Section(props: LazySectionProps) {
  const { pathname, search } = useLocation();
  return (
    <LazyHomeSection
      id={`home-${props.name}`}
      className={styles.section}
      dependsOn={getDependencies(props, pathname + search)}
      props={props}
    />
  );
}

/**
 * Returns what the HTML of a section depends on, if many users share it; `undefined` for search results and for sections
 * that show the user's own stories.
 */
function getDependencies({ name, home }: LazySectionProps, path: string): object | undefined {
  if (name !== "list" || path !== "/home") return undefined;
  return [name, home.page, home.saved.map(({ id }) => id), home.published, home.hidden];
}

/** The contents of /home. */
export function Dashboard(home: DashboardProps) {
  const { details, inProgress, lines, isSearch, questNotice, hiddenBooks } = home;
  const books = useBooks(home.books).filter(({ id }) => !hiddenBooks.includes(id));
  const liveRow = useRef<HTMLElement>(null);
  const { readers, order } = useReaders(home.readers, liveRow);
  // A search moves the list to the top. With the key it stays mounted and does not lose the focus.
  const list = <Section key="list" name="list" home={home} />;
  const positions = books.map(({ id }) => inProgress.find(({ story }) => story === id));
  const eagerCount = isSearch ? 0 : EAGER_COUNT;
  const live = sortByReaders(books, order);
  return (
    <div className={styles.dashboard} data-styles={SECTION_STYLES.length}>
      {questNotice === null ? null : <QuestNotice key={questNotice} />}
      {home.writer ? <Section key="writer" name="writer" home={home} /> : null}
      {isSearch ? list : null}
      <Hero
        key="hero"
        books={books}
        firstStory={home.firstStory}
        inProgress={inProgress[0]}
        isSlim={isSearch}
      />
      <Section key="own" name="own" home={home} />
      <BookRow
        key="trending"
        heading="Explore Trending Stories"
        areHidden={hiddenBooks.length > 0}
        dependsOn={[books, details, positions, eagerCount]}
      >
        {books.map((book, index) => (
          <BookCard
            key={`${book.id} ${index}`}
            book={book}
            details={details[book.id]}
            position={positions[index]}
            isEager={index < eagerCount}
          />
        ))}
      </BookRow>
      <BookRow
        key="live"
        heading="Explore Trending Live Stories"
        areHidden={hiddenBooks.length > 0}
        rowRef={liveRow}
        dependsOn={[live, details, live.map(({ id }) => readers[id] ?? 0), lines]}
      >
        {live.map((book, index) => (
          <LiveCard
            key={`${book.id} ${index}`}
            book={book}
            details={details[book.id]}
            line={lines[book.id]}
            readers={readers[book.id] ?? 0}
          />
        ))}
      </BookRow>
      <Section key="saved" name="saved" home={home} />
      {isSearch ? null : list}
      <SurpriseBanner />
    </div>
  );
}

interface BookRowProps {
  heading: string;
  /** Whether the user has hidden books, so that none may be left. */
  areHidden: boolean;
  /** As for `Carousel`. */
  dependsOn: object;
  rowRef?: RefObject<HTMLElement>;
  children: ReactNode[];
}

function BookRow({ heading, areHidden, dependsOn, rowRef, children }: BookRowProps) {
  if (children.length === 0 && areHidden) return null;
  if (children.length === 0) return <NoBooks heading={heading} />;
  return (
    <Carousel heading={heading} sectionRef={rowRef} dependsOn={dependsOn}>
      {children}
    </Carousel>
  );
}

/** Returns the server's list of books, then the list that the browser fetches if it is different and valid. */
function useBooks(serverBooks: Book[]): Book[] {
  const [fetched, setFetched] = useState<Book[]>([]);

  useEffect(() => {
    const controller = new AbortController();
    void fetchJson(BOOKS_PATH, readBooks, controller.signal).then((books) => {
      if (!controller.signal.aborted && books) setFetched(books);
    });
    return () => controller.abort();
  }, []);

  const isChanged = fetched.length > 0 && JSON.stringify(fetched) !== JSON.stringify(serverBooks);
  return isChanged ? fetched : serverBooks;
}

/** The bottom banner, with a button that opens a random story. */
function SurpriseBanner() {
  return (
    <section className={styles.banner}>
      <div>
        <h2>Bored of what you've read?</h2>
        <p>We'll pick one you haven't opened.</p>
      </div>
      <Form method="post" action="/surprise">
        <Button type="submit">Surprise me</Button>
      </Form>
    </section>
  );
}

/** Shown instead of a carousel that has no books. */
function NoBooks({ heading }: { heading: string }) {
  return (
    <section>
      <h2>{heading}</h2>
      <div className={styles.empty}>
        <p>No stories here yet</p>
        <ButtonLink to="/home" variant="quiet" reloadDocument>
          Try again
        </ButtonLink>
      </div>
    </section>
  );
}

/** Explains why a link to a quest leads to /home. */
function QuestNotice() {
  return (
    <MessageBanner className={styles.notice} severity="info" life={NOTICE_LIFE_MS} isDismissable>
      That quest is not open yet.
    </MessageBanner>
  );
}
