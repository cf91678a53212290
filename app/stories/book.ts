/** Where the list is deployed, as a file like any other: the server reads it, and so do browsers. */
export const BOOKS_PATH = "/assets/jsons/books.json";

/** A story as the list has it. */
export interface Book {
  /** Opaque: whatever stands here is the story's address, below `/read/`. */
  id: string;
  title: string;
  /** The address of a picture; empty when there is none, and one is to be drawn. */
  coverPhoto: string;
}

/** Returns the address at which the story of that id is read. */
export function readPath(id: string): string {
  return `/read/${encodeURIComponent(id)}`;
}

/**
 * Returns the list in what the browser has fetched, or `undefined` when it is not one. It judges as
 * `bookListSchema` does, without the library, which the first page does not load.
 */
export function findBooks(value: unknown): Book[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const books = value.map(findBook);
  return books.every((book) => book !== undefined) ? books : undefined;
}

function findBook(value: unknown): Book | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { id, title, coverPhoto } = value as Partial<Record<keyof Book, unknown>>;
  if (typeof id !== "string" && !Number.isFinite(id)) return undefined;
  if (id === "" || typeof title !== "string" || title === "") return undefined;
  return { id: String(id), title, coverPhoto: typeof coverPhoto === "string" ? coverPhoto : "" };
}
