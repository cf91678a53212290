import { Form } from "@remix-run/react";

import { Button } from "#app/components/button.tsx";
import { ButtonLink } from "#app/components/button-link.tsx";
import { MessageBanner } from "#app/components/message-banner.tsx";
import { useScripts } from "#app/components/use-scripts.ts";
import type { Finding, SampleType } from "#app/schemas/sample-item.ts";
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

/** Books and quests in a grid, with a search and a filter that are forms: their answer is a page. */
export function StoryList({ query, type, findings, isPartial }: StorySearch) {
  // A whole new page has to be told where to stand; one that stays is there already.
  const action = useScripts() ? "/home" : `/home#${ID}`;
  // Writers publish no quests, and without a search the list has none of their stories.
  const isUnsearched = isPartial && query !== "" && type !== "quest";
  return (
    <section className={styles.section} id={ID} aria-labelledby={`${ID}-title`}>
      <div className={styles.head}>
        <h2 id={`${ID}-title`}>Books and quests</h2>
        <search className={styles.searching}>
          <Form className={styles.search} action={action} preventScrollReset>
            {type ? <input type="hidden" name="type" value={type} /> : null}
            <input
              className={styles.field}
              key={query}
              type="search"
              name="q"
              defaultValue={query}
              aria-label="Search the stories"
              placeholder="Search the stories"
              maxLength={100}
              autoComplete="off"
            />
            <Button type="submit" variant="quiet">
              Search
            </Button>
          </Form>
        </search>
        <div className={styles.narrow}>
          <Form className={styles.filters} action={action} preventScrollReset>
            {query ? <input type="hidden" name="q" value={query} /> : null}
            {FILTERS.map((filter) => (
              <button
                key={filter.name}
                className={styles.filter}
                type="submit"
                name={filter.type && "type"}
                value={filter.type}
                aria-pressed={filter.type === type}
              >
                {filter.name}
              </button>
            ))}
          </Form>
          <output className={styles.count}>{describe(findings.length, query, type)}</output>
        </div>
      </div>

      {isUnsearched ? (
        <MessageBanner severity="warn">
          Stories by our writers cannot be searched right now. Try again in a moment.
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
              ? "Nothing was found among the other books and quests."
              : "No story by that name. Try a shorter word."}
          </p>
          <ButtonLink to={action} variant="quiet" preventScrollReset>
            Show all
          </ButtonLink>
        </div>
      )}
    </section>
  );
}

function describe(count: number, query: string, type: SampleType | undefined): string {
  const [one, many] = NOUNS[type ?? "any"];
  const found = `${count} ${count === 1 ? one : many}`;
  return query ? `${found} found for “${query}”` : found;
}

const NOUNS = {
  any: ["book or quest", "books and quests"],
  book: ["book", "books"],
  quest: ["quest", "quests"],
} as const;
