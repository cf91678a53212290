import { toTagPath, toWriterPath } from "./book.ts";
import { ALL_PATH, toSearchPath, type StorySearch } from "./search-params.ts";
import type { SearchPage } from "./search-results.ts";

/**
 * Returns the path of the list that search engines know: all stories, those of a writer, or those with a tag; `null` for
 * any other search.
 */
export function findListPath(search: StorySearch): string | null {
  const path = toSearchPath(search);
  if (path === ALL_PATH) return "/home";
  const { writer, tags } = search;
  return [toWriterPath(writer), toTagPath(tags[0] ?? "")].includes(path) ? path : null;
}

/** Returns the path of the feed of such a list; `null` if there is none. Feeds have no built-in stories. */
export function findFeedPath(page: SearchPage): string | null {
  const path = findListPath(page);
  const isEmpty = path !== "/home" && !page.results.some(({ type }) => type === "story");
  return isEmpty ? null : (path?.replace("/home", "/feed.xml") ?? null);
}
