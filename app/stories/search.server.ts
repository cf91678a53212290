import { readPath, type Book } from "./book.ts";
import type { PublishedStory } from "./published.server.ts";
import type { SearchResult, SampleType } from "./sample-item.ts";
import { sampleItems } from "./sample-items.server.ts";

const MAX_QUERY_LENGTH = 100;

/** What a search includes besides the sample items. */
export interface SearchableStories {
  books: readonly Book[];
  stories: readonly PublishedStory[];
}

/** Returns the search query of a request; an empty string for none. */
export function readQuery(request: Request): string {
  const query = new URL(request.url).searchParams.get("q") ?? "";
  return query.trim().slice(0, MAX_QUERY_LENGTH);
}

/**
 * Returns the items of the dashboard's list. Without a query, these are the sample items. Otherwise they are all sample
 * items, books and published stories with every word of the query in the title, description, tags or author.
 *
 * @param type only results of this type; `undefined` for all
 */
export function searchStories(
  { books, stories }: SearchableStories,
  query: string,
  type: SampleType | undefined,
): SearchResult[] {
  const words = normalizeText(query).split(/\s+/).filter(Boolean);
  const items = sampleItems.map(({ title, description, type: kind, imgPath, readLink }) =>
    toEntry({ title, description, type: kind, imgPath, readLink }),
  );
  const others = [
    ...getOtherBooks(books).map((book) => toEntry(book)),
    ...stories.map(toStoryEntry),
  ];
  return [...items, ...(words.length > 0 ? others : [])]
    .filter(({ result }) => type === undefined || result.type === type)
    .filter(({ text }) => words.every((word) => text.includes(word)))
    .map(({ result }) => result);
}

/** Returns a published story as a search result. */
export function toSearchResult({
  id,
  title,
  description,
  author,
  cover,
}: PublishedStory): SearchResult {
  const readLink = readPath(id);
  return { title, description, type: "book", imgPath: cover ?? "", readLink, author };
}

/** Adds the text to search in. */
function toEntry(result: SearchResult, tags: string[] = []) {
  const { title, description, author = "" } = result;
  return { result, text: normalizeText([title, description, author, ...tags].join(" ")) };
}

function toStoryEntry(story: PublishedStory) {
  return toEntry(toSearchResult(story), story.tags);
}

/** Returns the books that are not sample items. */
function getOtherBooks(books: readonly Book[]): SearchResult[] {
  return books
    .map(({ id, title, coverPhoto }) => ({
      title,
      description: "",
      type: "book" as const,
      imgPath: coverPhoto,
      readLink: readPath(id),
    }))
    .filter(({ readLink }) => sampleItems.every((item) => item.readLink !== readLink));
}

/** Converts a text to lower case and removes accents and apostrophes. */
function normalizeText(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/[\p{M}'’]/gu, "")
    .toLowerCase();
}
