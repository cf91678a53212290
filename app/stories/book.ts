/** The URL of the list of books, which the server and the browser both read. */
export const BOOKS_PATH = "/assets/jsons/books.json";

/** A story in the list of books. */
export interface Book {
  /** Any string: the story's address below `/read/`. */
  id: string;
  title: string;
  /** The URL of an image; empty for a drawn cover. */
  coverPhoto: string;
}

/** Returns the path of a story's reading page. */
export function readPath(id: string): string {
  return `/read/${encodeURIComponent(id)}`;
}

/** Parses a list of books as `bookListSchema` does, without Zod, which /home does not load; `undefined` if it is none. */
export function readBooks(value: unknown): Book[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const books = value.map(readBook);
  return books.every((book) => book !== undefined) ? books : undefined;
}

function readBook(value: unknown): Book | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { id, title, coverPhoto } = value as Partial<Record<keyof Book, unknown>>;
  if (typeof id !== "string" && !Number.isFinite(id)) return undefined;
  if (id === "" || typeof title !== "string" || title === "") return undefined;
  return { id: String(id), title, coverPhoto: typeof coverPhoto === "string" ? coverPhoto : "" };
}
