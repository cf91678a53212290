import { toSearchPath, type SearchCursor, type SearchPage } from "./search.ts";

// Apart from `search.ts`, because /home loads this only with the list.

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
