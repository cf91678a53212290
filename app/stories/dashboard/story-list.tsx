import { Form } from "@remix-run/react";

import type { SearchResult, SampleType } from "#app/stories/sample-item.ts";
import { ButtonLink } from "#app/ui/button-link.tsx";
import { Button } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { StoryItem } from "./story-item.tsx";
import styles from "./story-list.module.css";

const ID = "books-and-quests";

const FILTERS = [
  { type: undefined, name: "All" },
  { type: "book", name: "Books" },
  { type: "quest", name: "Quests" },
] as const;

/** A search and its results. */
export interface StorySearch {
  /** Empty for no search. */
  query: string;
  type: SampleType | undefined;
  results: SearchResult[];
  /** Whether published stories could not be searched. */
  isPartial: boolean;
}

/** Whether there is a search or a filter. */
export function isNarrowed({ query, type }: StorySearch): boolean {
  return query !== "" || type !== undefined;
}

/** The unfiltered list, which is further down on the page. */
const ALL = `/home#${ID}`;

/** A grid of books and quests. Search and filters are forms. The page that they lead to starts with this list. */
export function StoryList(search: StorySearch) {
  const { query, type, results, isPartial } = search;
  // Published stories are not quests, and only a search includes them.
  const isMissingStories = isPartial && query !== "" && type !== "quest";
  const isFiltered = isNarrowed(search);
  const found = <output className={styles.count}>{describeResults(search)}</output>;
  return (
    <section className={styles.section} id={ID} aria-labelledby={`${ID}-title`}>
      <div className={styles.head}>
        {isFiltered ? <h1 className={styles.heading}>{found}</h1> : null}
        <h2 className={isFiltered ? styles.name : styles.heading} id={`${ID}-title`}>
          Books and quests
        </h2>
        <search className={styles.searching}>
          <Form className={styles.search} action="/home">
            {type ? <input type="hidden" name="type" value={type} /> : null}
            <input
              className={styles.field}
              key={query}
              type="search"
              name="q"
              defaultValue={query}
              aria-label="Search stories"
              placeholder="Search stories"
              maxLength={100}
              autoComplete="off"
            />
            <Button type="submit" variant="quiet">
              Search
            </Button>
          </Form>
        </search>
        <div className={styles.narrow}>
          <Form className={styles.filters} action="/home">
            {query ? <input type="hidden" name="q" value={query} /> : null}
            {FILTERS.map((filter) => (
              <button
                key={filter.name}
                className={styles.filter}
                type="submit"
                name={filter.type && "type"}
                value={filter.type}
                formAction={filter.type || query ? undefined : ALL}
                aria-pressed={filter.type === type}
              >
                {filter.name}
              </button>
            ))}
          </Form>
          {isFiltered ? null : found}
          {query && results.length > 0 ? (
            <Link className={styles.clear} to={ALL}>
              Clear search
            </Link>
          ) : null}
        </div>
      </div>

      {isMissingStories ? (
        <MessageBanner severity="warn">
          We can't search our writers' stories right now. Try again in a moment.
        </MessageBanner>
      ) : null}
      {results.length > 0 ? (
        <ul className={styles.grid}>
          {results.map((story) => (
            <StoryItem key={story.readLink} {...story} />
          ))}
        </ul>
      ) : (
        <div className={styles.empty}>
          <p>
            {isMissingStories
              ? "No other books or quests match your search."
              : "No story by that name. Try a shorter word."}
          </p>
          <ButtonLink to={ALL} variant="quiet">
            Show all
          </ButtonLink>
        </div>
      )}
    </section>
  );
}

/** Returns the number of results as text for the heading and the page title, which screen readers announce. */
export function describeResults({ results, query, type }: StorySearch): string {
  if (query && results.length === 0) return `No results for “${query}”`;
  const [one, many] = NOUNS[type ?? "any"];
  const found = `${results.length} ${results.length === 1 ? one : many}`;
  return query ? `${found} found for “${query}”` : found;
}

const NOUNS = {
  any: ["book or quest", "books and quests"],
  book: ["book", "books"],
  quest: ["quest", "quests"],
} as const;
