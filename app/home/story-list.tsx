import { Form } from "@remix-run/react";
import { Fragment, useEffect, useRef, useState, type RefObject } from "react";

import { SEARCH_FIELD_ID, SearchField } from "#app/site/shell/search-form.tsx";
import type { HiddenItem } from "#app/stories/library/library.ts";
import { addPage, joinPages } from "#app/stories/search-results.ts";
import {
  ALL_PATH,
  isFilteredSearch,
  toSearchFields,
  toSearchPath,
  type SearchPage,
} from "#app/stories/search.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { describeResults, findFeedPath } from "./describe-home.ts";
import { Filters, SortMenu } from "./filters.tsx";
import { SampleList } from "./sample-list.tsx";
import { StoryItem } from "./story-card.tsx";
import styles from "./story-list.module.css";

export const LIST_ID = "books-and-quests";

export interface StoryListProps {
  page: SearchPage;
  /** The ids of the stories that the user has saved for later. */
  savedIds: readonly string[];
  /** How many stories writers have published, and when the newest; `null` if it is not known. */
  published: string | null;
  /** What the user has hidden from lists. */
  hidden: readonly HiddenItem[];
  /** Whether that is the one tag of the page. */
  isTagHidden: boolean;
}

/** A list of books, quests and stories. Filters are links; the page that they lead to begins with this list. */
export function StoryList({ page: lastPage, savedIds, published, ...props }: StoryListProps) {
  const grid = useRef<HTMLUListElement>(null);
  const page = useLoadedPages(lastPage, grid);
  const { query, type, writer, results, isPartial } = page;
  const isFiltered = isFilteredSearch(page);
  // Quests and books are built in, so they are never missing.
  const isMissingStories = isPartial && isFiltered && type !== "quest" && type !== "book";
  // The writer may have stories, so “No results” would be wrong.
  const isUnknown = isMissingStories && writer !== "" && results.length === 0;
  // The writer's name is the heading of the page.
  const isHeading = isFiltered && writer === "";
  const resultCount = (
    // Not live: the document's title says the same, and is announced.
    <output className={styles.count} aria-live="off">
      {isUnknown ? "" : describeResults(page)}
    </output>
  );
  const address = new URLSearchParams(toSearchFields(page)).toString();
  return (
    <section className={styles.section} id={LIST_ID} aria-labelledby={`${LIST_ID}-title`}>
      <div className={styles.head}>
        {isHeading ? <h1 className={styles.heading}>{resultCount}</h1> : null}
        <h2 className={isHeading ? styles.name : styles.heading} id={`${LIST_ID}-title`}>
          {writer ? "Stories" : "Books and quests"}
        </h2>
        {isHeading ? null : resultCount}
        <SortMenu key={address} search={page} />
        <search className={styles.searchArea}>
          <Form className={styles.search} action="/home">
            {toSearchFields(page, { query: "" }).map(([name, value]) => (
              <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
            ))}
            <SearchField id={SEARCH_FIELD_ID} className={styles.field} query={query} />
            <Button type="submit" variant="quiet">
              Search
            </Button>
          </Form>
        </search>
      </div>
      <div
        className={styles.body}
        data-filtered={isHeading || undefined}
        data-writer={writer || undefined}
      >
        {writer ? null : (
          <div className={styles.narrow}>
            <Filters key={address} search={page} offeredTags={page.offeredTags} {...props} />
          </div>
        )}
        <div className={styles.results}>
          {isMissingStories ? (
            <MessageBanner severity="warn">
              {writer
                ? "We can't load all of this writer's stories right now. Try again in a moment."
                : "We can't search our writers' stories right now. Try again in a moment."}
            </MessageBanner>
          ) : null}
          {isFiltered ? null : (
            <SampleList stories={results} savedIds={savedIds} published={published} />
          )}
          {isFiltered && results.length > 0 ? (
            <ul ref={grid} className={styles.grid}>
              {results.map((story) => (
                <StoryItem
                  key={story.readLink}
                  story={story}
                  query={query}
                  isSaved={savedIds.includes(story.id)}
                />
              ))}
            </ul>
          ) : null}
          {results.length > 0 ? null : (
            <div className={styles.empty}>
              {isUnknown ? null : (
                <p>
                  {isMissingStories
                    ? "No other books or quests match your search."
                    : describeNoResults(page)}
                </p>
              )}
              {page.suggestions.length > 0 ? (
                <p>
                  Did you mean{" "}
                  {page.suggestions.map(({ name, path }, index) => (
                    <Fragment key={path}>
                      {index > 0 ? " or " : null}
                      <Link to={path}>{name}</Link>
                    </Fragment>
                  ))}
                  ?
                </p>
              ) : null}
              {page.next ? null : (
                <ButtonLink to={ALL_PATH} variant="quiet">
                  Show all
                </ButtonLink>
              )}
            </div>
          )}
          {page.hiddenCount > 0 && results.length > 0 ? (
            <p className={styles.count}>{describeHidden(page.hiddenCount)}</p>
          ) : null}
          {isFiltered ? <ListFooter page={page} /> : null}
        </div>
      </div>
    </section>
  );
}

/** Returns the results together with those of earlier pages, and moves the focus to the first that was added. */
function useLoadedPages(page: SearchPage, grid: RefObject<HTMLElement>): SearchPage {
  const [pages, setPages] = useState([page]);
  const shown = pages.at(-1) === page ? pages : addPage(pages, page);
  if (shown !== pages) setPages(shown);
  const count = shown.length;
  const lastCount = useRef(count);

  useEffect(() => {
    const isAdded = count > lastCount.current;
    lastCount.current = count;
    if (!isAdded) return;
    const first = grid.current?.children.item(joinPages(shown.slice(0, -1)).results.length);
    first?.querySelector<HTMLElement>("h3 a")?.focus();
    // oxlint-disable-next-line react/exhaustive-deps -- a page that is loaded again must not take the focus
  }, [count]);

  return joinPages(shown);
}

function describeNoResults(page: SearchPage): string {
  const { query, tags, writer, language, next, after, hiddenCount } = page;
  if (hiddenCount > 0) return describeHidden(hiddenCount);
  if (next) return "Nothing found yet.";
  if (after) return "There are no more stories.";
  if (query) return "No story by that name. Try a shorter word.";
  if (writer) return "No stories here yet.";
  return language !== undefined && tags.length === 0
    ? "No story in this language yet."
    : "No story has all of these tags.";
}

function describeHidden(count: number): string {
  return count === 1
    ? "1 story is hidden from your lists."
    : `${count} stories are hidden from your lists.`;
}

/** Links to the next page of results, to the first page, and out of the search. */
function ListFooter({ page }: { page: SearchPage }) {
  const { results, next, after, query, writer } = page;
  const isClearable = writer === "" && results.length > 0;
  const isSearched = isFilteredSearch({ ...page, writer: "", sort: undefined });
  const feed = findFeedPath(page);
  return (
    <p className={styles.foot}>
      {next ? (
        <ButtonLink
          to={toSearchPath(page, { after: next })}
          variant="quiet"
          // With scripts the results stay, and those of the next page follow.
          preventScrollReset
          replace
        >
          {results.length > 0 ? "More" : "Keep looking"}
        </ButtonLink>
      ) : null}
      {after ? (
        <Link variant="standalone" to={toSearchPath(page)}>
          Back to the first results
        </Link>
      ) : null}
      {isClearable ? (
        <Link variant="standalone" to={ALL_PATH}>
          {isSearched ? (query ? "Clear search" : "Clear filters") : "Back to the default order"}
        </Link>
      ) : null}
      {feed ? (
        <Link variant="standalone" to={feed} reloadDocument>
          Feed of these stories
        </Link>
      ) : null}
    </p>
  );
}
