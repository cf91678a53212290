import { Form } from "@remix-run/react";

import type { Finding, SampleType } from "#app/stories/sample-item.ts";
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

/** What was asked for, and what was found. */
export interface StorySearch {
  /** Empty when nothing was. */
  query: string;
  type: SampleType | undefined;
  findings: Finding[];
  /** What writers have published could not be searched. */
  isPartial: boolean;
}

/** Whether something was asked for, so that this is an answer and not all there is. */
export function isNarrowed({ query, type }: StorySearch): boolean {
  return query !== "" || type !== undefined;
}

/** Where all of them are: the list has its place further down on the page then. */
const ALL = `/home#${ID}`;

/**
 * Books and quests in a grid, with a search and a filter that are forms: their answer is a page, which begins with this
 * list.
 */
export function StoryList(search: StorySearch) {
  const { query, type, findings, isPartial } = search;
  // Writers publish no quests, and without a search the list has none of their stories.
  const isUnsearched = isPartial && query !== "" && type !== "quest";
  const isAnswer = isNarrowed(search);
  const found = <output className={styles.count}>{describeFindings(search)}</output>;
  return (
    <section className={styles.section} id={ID} aria-labelledby={`${ID}-title`}>
      <div className={styles.head}>
        {isAnswer ? <h1 className={styles.heading}>{found}</h1> : null}
        <h2 className={isAnswer ? styles.name : styles.heading} id={`${ID}-title`}>
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
          {isAnswer ? null : found}
          {query && findings.length > 0 ? (
            <Link className={styles.clear} to={ALL}>
              Clear search
            </Link>
          ) : null}
        </div>
      </div>

      {isUnsearched ? (
        <MessageBanner severity="warn">
          We can't search our writers' stories right now. Try again in a moment.
        </MessageBanner>
      ) : null}
      {findings.length > 0 ? (
        <ul className={styles.grid}>
          {findings.map((story) => (
            <StoryItem key={story.readLink} {...story} />
          ))}
        </ul>
      ) : (
        <div className={styles.empty}>
          <p>
            {isUnsearched
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

/** Says in words what was found: on the page, and in its title, by which it is announced. */
export function describeFindings({ findings, query, type }: StorySearch): string {
  if (query && findings.length === 0) return `No results for “${query}”`;
  const [one, many] = NOUNS[type ?? "any"];
  const found = `${findings.length} ${findings.length === 1 ? one : many}`;
  return query ? `${found} found for “${query}”` : found;
}

const NOUNS = {
  any: ["book or quest", "books and quests"],
  book: ["book", "books"],
  quest: ["quest", "quests"],
} as const;
