import type { MetaDescriptor } from "@remix-run/cloudflare";
import { describePage, type PageMetaArgs } from "#app/site/page-meta.ts";
import { toTagPath, toWriterPath } from "#app/stories/book.ts";
import {
  ALL_PATH,
  toSearchPath,
  isFilteredSearch,
  type StorySearch,
  type SearchPage,
} from "#app/stories/search.ts";

const DESCRIPTION = "Read short stories and talk about them in one shared room.";

interface HomePage {
  title?: string | undefined;
  page: SearchPage;
  writer: { name: string | null; about: string } | null;
}

/** Returns the `meta` of /home. Search engines list it without a search, and the pages of writers and of single tags. */
export function describeHome(args: PageMetaArgs, home: HomePage | undefined): MetaDescriptor[] {
  const feed = home && findFeedPath(home.page);
  const isListed = home?.page.after === null && home.writer?.name !== null;
  return [
    ...describePage(args, {
      title: home?.title,
      description: home?.writer?.about || DESCRIPTION,
      canonical: isListed ? findListPath(home.page) : null,
    }),
    ...(feed
      ? [
          {
            tagName: "link",
            rel: "alternate",
            type: "application/atom+xml",
            title: home.title ?? "New stories",
            href: feed,
          },
        ]
      : []),
  ];
}

/**
 * Returns the path of the list that search engines know: all stories, those of a writer, or those with a tag; `null` for
 * any other search.
 */
function findListPath(search: StorySearch): string | null {
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
