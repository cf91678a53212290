import { readPath, type Book } from "./book.ts";
import type { PublishedStory } from "./published.server.ts";
import type { Finding, SampleType } from "./sample-item.ts";
import { sampleItems } from "./sample-items.server.ts";

const MAX_QUERY_LENGTH = 100;

/** What there is to be found besides the dashboard's own entries. */
export interface Shelves {
  books: readonly Book[];
  /** `null` while the database does not hand them out. */
  published: readonly PublishedStory[] | null;
}

/** Returns the words searched for, or an empty string. */
export function readQuery(request: Request): string {
  const query = new URL(request.url).searchParams.get("q") ?? "";
  return query.trim().slice(0, MAX_QUERY_LENGTH);
}

/**
 * Returns what the dashboard lists: its own entries, of that type if one is given. A search goes through
 * the books and what was published as well, and finds what has every word of it in the title, the
 * description, the tags or the author's name.
 */
export function findStories(
  { books, published }: Shelves,
  query: string,
  type: SampleType | undefined,
): Finding[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  const own = sampleItems.map(({ title, description, type: kind, imgPath, readLink }) =>
    toEntry({ title, description, type: kind, imgPath, readLink }),
  );
  const others = [
    ...booksOnly(books).map((book) => toEntry(book)),
    ...(published ?? []).map(toStoryEntry),
  ];
  return [...own, ...(words.length > 0 ? others : [])]
    .filter(({ finding }) => type === undefined || finding.type === type)
    .filter(({ text }) => words.every((word) => text.includes(word)))
    .map(({ finding }) => finding);
}

/** Returns a published story as lists show it. */
export function toFinding({ id, title, description, author, cover }: PublishedStory): Finding {
  const readLink = readPath(id);
  return { title, description, type: "book", imgPath: cover ?? "", readLink, author };
}

/** Something to be found, with the words it is found by. */
function toEntry(finding: Finding, tags: string[] = []) {
  const { title, description, author = "" } = finding;
  return { finding, text: fold([title, description, author, ...tags].join(" ")) };
}

function toStoryEntry(story: PublishedStory) {
  return toEntry(toFinding(story), story.tags);
}

/** Books of the deployed list that are not among the dashboard's own entries. */
function booksOnly(books: readonly Book[]): Finding[] {
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

/** Makes words comparable: small letters, no accents, no apostrophes. */
function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/[\p{M}'’]/gu, "")
    .toLowerCase();
}
