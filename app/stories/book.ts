import type { Story } from "./story.ts";

/** The URL of the list of books. Both the server and the browser read it. */
export const BOOKS_PATH = "/assets/jsons/books.json";

/**
 * How much of a description lists and cards show, in UTF-16 units. Not cut by lines: users who need more space between
 * letters and words would see fewer words.
 */
export const MAX_SHOWN_DESCRIPTION = 160;

/** A story in the list of books, which stores its cover as `coverPhoto`. Its id may be any string. */
export type Book = Pick<Story, "id" | "title" | "cover">;

/** Returns the path of a story's reading page. */
export function toStoryPath(id: string): string {
  return `/read/${encodeURIComponent(id)}`;
}

/** Returns the address of a writer's stories. */
export function toWriterPath(writer: string): string {
  return `/home?${new URLSearchParams({ writer })}`;
}

/** Returns a tag as addresses have it, where a hyphen at the beginning leaves stories out. */
export function toTagName(tag: string): string {
  return tag.toLowerCase().replace(/^-+/, "");
}

/** Returns the address of the stories with a tag. */
export function toTagPath(tag: string): string {
  return `/home?${new URLSearchParams({ tag: toTagName(tag) })}`;
}

/** Parses a list of books like `bookListSchema`, but without loading Zod on /home; `null` if the list is invalid. */
export function readBooks(value: unknown): Book[] | null {
  if (!Array.isArray(value)) return null;
  const books = value.map(readBook);
  return books.every((book) => book !== undefined) ? books : null;
}

function readBook(value: unknown): Book | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { id, title, coverPhoto } = value as Partial<
    Record<"id" | "title" | "coverPhoto", unknown>
  >;
  if (typeof id !== "string" && !Number.isFinite(id)) return undefined;
  if (id === "" || typeof title !== "string" || title === "") return undefined;
  return { id: String(id), title, cover: typeof coverPhoto === "string" ? coverPhoto : "" };
}
