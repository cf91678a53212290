import { toSearchPath, type SearchCursor, type StorySearch } from "./search-params.ts";
import type { StoryEntry } from "./story.ts";

/** What a search without results may have meant: the title of a story or the name of a writer. */
export interface Suggestion {
  name: string;
  path: string;
}

/** A language, with its own name. */
export interface Language {
  tag: string;
  name: string;
}

/** A page of the results of a search. */
export interface SearchResults {
  results: StoryEntry[];
  /** Where the next page begins; `null` on the last page. */
  next: SearchCursor | null;
  /** How many stories of this page of results are not shown, because the user has hidden them. */
  hiddenCount: number;
  /** The most frequent tags of the results, without those of the search. */
  offeredTags: string[];
  /** The nearest titles and writers, if nothing was found. */
  suggestions: Suggestion[];
  /** Whether published stories could not be searched. */
  isPartial: boolean;
}

export interface SearchPage extends StorySearch, SearchResults {
  /** The languages that the listed stories are in, and the one that is asked for. */
  languages: Language[];
}

/** Adds a page to those before it in the same search. A page that was loaded again replaces the last one. */
export function addPage(pages: readonly SearchPage[], page: SearchPage): SearchPage[] {
  const lastPage = pages.at(-1);
  if (!lastPage || toSearchPath(lastPage) !== toSearchPath(page)) return [page];
  if (isSameCursor(page.after, lastPage.after)) return [...pages.slice(0, -1), page];
  return page.after && isSameCursor(page.after, lastPage.next) ? [...pages, page] : [page];
}

/** Joins consecutive pages into one. At least one page is required. */
export function joinPages(pages: readonly SearchPage[]): SearchPage {
  const [first] = pages;
  const lastPage = pages.at(-1);
  if (!first || !lastPage) throw new RangeError("No page");
  const languages = pages.flatMap((page) => page.languages);
  return {
    ...lastPage,
    after: first.after,
    results: pages.flatMap(({ results }) => results),
    hiddenCount: pages.reduce((sum, { hiddenCount }) => sum + hiddenCount, 0),
    languages: [...new Map(languages.map((language) => [language.tag, language])).values()],
  };
}

function isSameCursor(one: SearchCursor | null, other: SearchCursor | null): boolean {
  return one === other || (one?.id === other?.id && one?.value === other?.value);
}
