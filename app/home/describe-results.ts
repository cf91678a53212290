import { isFilteredSearch } from "#app/stories/search-params.ts";
import type { SearchPage } from "#app/stories/search-results.ts";

/** Returns the number of results as text for the heading and the page title, which screen readers announce. */
export function describeResults(page: SearchPage): string {
  const { results, query, type, tags, withoutTags, writer, language, next, after, sort } = page;
  const name = page.languages.find(({ tag }) => tag === language)?.name;
  const inLanguage = name === undefined ? "" : ` in ${name}`;
  const about = (query ? ` for “${query}”` : toTagText(tags, withoutTags)) + inLanguage;
  const isFirst = after === null;
  if (results.length === 0) {
    return `No ${isFirst ? "" : "more "}results${next ? " yet" : ""}${about}`;
  }
  const [one, many] =
    NOUNS[query ? "result" : (type ?? (about || sort || writer ? "story" : "any"))];
  if (!isFirst) return `More ${many}${about}`;
  const count = `${next ? "More than " : ""}${results.length}`;
  return `${count} ${results.length === 1 ? one : many}${about}`;
}

/** Returns the title of /home for the document; `undefined` for the unfiltered page. */
export function getHomeTitle(
  page: SearchPage,
  writer: { name: string | null } | null,
): string | undefined {
  if (writer) return writer.name === null ? "Writer" : `Stories by ${writer.name}`;
  return isFilteredSearch(page) ? describeResults(page) : undefined;
}

function toTagText(tags: readonly string[], withoutTags: readonly string[]): string {
  const text = tags.map((tag) => `“${tag}”`).join(" and ");
  const without = withoutTags.map((tag) => ` without “${tag}”`).join("");
  return (text && ` tagged ${text}`) + without;
}

const NOUNS = {
  result: ["result", "results"],
  any: ["book or quest", "books and quests"],
  book: ["book", "books"],
  quest: ["quest", "quests"],
  story: ["story", "stories"],
} as const;
