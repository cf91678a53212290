import type { AppLoadContext } from "@remix-run/cloudflare";
import * as z from "zod";

import { createCookie } from "#app/http/cookie.server.ts";
import { setPartial } from "#app/http/page-record.server.ts";
import { parseJson } from "#app/http/text.ts";
import builtInBooks from "#public/assets/jsons/books.json";
import { BOOKS_PATH, type Book } from "./book.ts";
import { findBuiltIn, hasAssets } from "./built-in.server.ts";

const bookSchema = z
  .object({
    // The specification names no type, so numbers are accepted too.
    id: z.union([z.string().min(1), z.number().transform(String)]),
    title: z.string().min(1),
    coverPhoto: z.string().catch(""),
  })
  .transform(({ coverPhoto: cover, ...book }): Book => ({ ...book, cover }));

/** The deployed list of books. */
export const bookListSchema = z.array(bookSchema);

/** The ids of stories that were opened or suggested recently. */
const recentCookie = createCookie("recent", { maxAgeSeconds: 90 * 24 * 60 * 60 });
/** In bytes, encoded. */
const MAX_RECENT_LENGTH = 1000;
/** More than fit into the cookie. */
const MAX_RECENT = 100;
/** How many of the latest stories are never suggested. */
const MIN_REPEAT_DISTANCE = 3;

interface RequestArgs {
  request: Request;
  context: AppLoadContext;
}

/**
 * Returns the books in the deployed list; none if the list is missing or invalid. Development has no deployed files and
 * uses the list in the source.
 */
export async function listBooks({ request, context }: RequestArgs): Promise<Book[]> {
  const { env } = context.cloudflare;
  if (!hasAssets(env)) return bookListSchema.parse(builtInBooks);
  const cached = deployedBooks.get(env);
  if (cached) return cached;
  try {
    const response = await env.ASSETS.fetch(new URL(BOOKS_PATH, request.url));
    const books = bookListSchema.safeParse(await response.json()).data;
    if (books) deployedBooks.set(env, books);
    return books ?? [];
  } catch {
    setPartial("error");
    return [];
  }
}

/** The list of each deployment. A deployed file never changes, so each isolate reads it once. */
const deployedBooks = new WeakMap<object, Book[]>();

/** Returns the books that open a story. A deployed list may contain others, which open an empty reading page. */
export function listReadable(books: readonly Book[]): Book[] {
  return books.filter(({ id }) => findBuiltIn(id) !== undefined);
}

/**
 * Returns a random book that was not opened or suggested recently. If there is none left, returns one that is not among
 * the latest.
 *
 * @param random a number from 0 (inclusive) to 1 (exclusive)
 * @returns `undefined` if there are no books
 */
export function pickSurprise(
  books: readonly Book[],
  request: Request,
  random: number,
): Book | undefined {
  const recentIds = readRecent(request);
  const fresh = books.filter(({ id }) => !recentIds.includes(id));
  const newest = recentIds.slice(0, Math.min(MIN_REPEAT_DISTANCE, books.length - 1));
  const candidates = fresh.length > 0 ? fresh : books.filter(({ id }) => !newest.includes(id));
  return candidates[Math.floor(random * candidates.length)];
}

/** Returns the headers that make an opened story the newest of the recent ones; none if it already is. */
export function setOpenedStory(request: Request, id: string): Record<string, string> {
  return readRecent(request)[0] === id ? {} : { "Set-Cookie": addRecentStory(request, id) };
}

/** Returns a `Set-Cookie` value that adds a story to the recent ones and drops the oldest beyond the limit. */
export function addRecentStory(request: Request, id: string): string {
  const ids = [id, ...readRecent(request).filter((other) => other !== id)];
  while (encodeURIComponent(JSON.stringify(ids)).length > MAX_RECENT_LENGTH) ids.pop();
  return recentCookie.write(request, JSON.stringify(ids));
}

/** Returns the ids of the recent stories, newest first. */
function readRecent(request: Request): string[] {
  const ids = parseJson(recentCookie.read(request));
  if (!Array.isArray(ids)) return [];
  return ids.slice(0, MAX_RECENT).filter((id) => typeof id === "string");
}
