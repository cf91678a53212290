import { expect, test } from "vitest";

import { addPage, joinPages } from "#app/stories/search-results.ts";
import { readSearch, type SearchPage } from "#app/stories/search.ts";

function createPage(query: string, ids: string[], changes: Partial<SearchPage> = {}): SearchPage {
  const results = ids.map((id) => ({ id })) as SearchPage["results"]; // Only the ids are compared.
  const search = readSearch(new URLSearchParams(query));
  return {
    ...search,
    results,
    next: null,
    hiddenCount: 0,
    languages: [],
    offeredTags: [],
    suggestions: [],
    isPartial: false,
    ...changes,
  };
}

const next = { value: 5, id: "b" };
const first = createPage("q=rain", ["a", "b"], { next });
const second = createPage("q=rain&after=5-b", ["c"]);

const getIds = (page: SearchPage) => page.results.map(({ id }) => id);

test("adds the next page of a search to the pages before it", () => {
  const all = joinPages(addPage([first], second));

  expect(getIds(all)).toEqual(["a", "b", "c"]);
  expect(all).toMatchObject({ after: null, next: null });
});

test("replaces the last page when it is loaded again, and keeps those before it", () => {
  const again = createPage("q=rain&after=5-b", ["c", "d"]);

  expect(getIds(joinPages(addPage([first, second], again)))).toEqual(["a", "b", "c", "d"]);
});

test("starts over with another search, and with a page that does not follow the last one", () => {
  for (const page of [
    createPage("q=snow", ["s"]),
    createPage("q=rain&sort=new&after=5-b", ["c"]),
    createPage("q=rain&after=9-x", ["y"]),
    first,
  ]) {
    expect(joinPages(addPage([first, second], page))).toEqual(page);
  }
});

test("cuts a long tag between two characters", () => {
  const params = new URLSearchParams({ tag: `★${"😀".repeat(39)}` });

  expect(readSearch(params).tags).toEqual([`★${"😀".repeat(29)}`]);
});

test("cuts a long query between two characters", () => {
  const params = new URLSearchParams({ q: `${"a".repeat(99)}😀` });

  expect(readSearch(params).query).toBe("a".repeat(99));
});
