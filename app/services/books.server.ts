import type { AppLoadContext } from "@remix-run/cloudflare";
import { parse, serialize } from "cookie";

import { BOOKS_PATH, readPath, type Book } from "#app/schemas/book.ts";
import { bookListSchema } from "#app/schemas/book-schema.ts";
import type { Finding, SampleType } from "#app/schemas/sample-item.ts";
import builtInBooks from "../../public/assets/jsons/books.json";
import { sampleItems } from "./sample-items.server.ts";

const MAX_QUERY_LENGTH = 100;

/** Cookie and limits of what was opened or suggested lately. */
const RECENT = { name: "recent", maxAgeSeconds: 90 * 24 * 60 * 60, maxLength: 1000 };
const NEVER_AGAIN_WITHIN = 3;

interface RequestArgs {
  request: Request;
  context: AppLoadContext;
}

/**
 * Returns the books in the order of the deployed list; none when that is missing or broken. Where no
 * files are deployed beside the server, as in development, it is the list of this build.
 */
export async function listBooks({ request, context }: RequestArgs): Promise<Book[]> {
  const { env } = context.cloudflare;
  if (!hasAssets(env)) return bookListSchema.parse(builtInBooks);
  try {
    const response = await env.ASSETS.fetch(new URL(BOOKS_PATH, request.url));
    return bookListSchema.safeParse(await response.json()).data ?? [];
  } catch {
    return [];
  }
}

/**
 * Returns what the dashboard lists: its own entries, of that type if one is given. A search goes through
 * the books as well, and finds what has every word of it in the title or the description.
 */
export function findStories(
  books: readonly Book[],
  query: string,
  type: SampleType | undefined,
): Finding[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  const candidates = words.length > 0 ? [...sampleItems, ...booksOnly(books)] : sampleItems;
  return candidates
    .filter((story) => type === undefined || story.type === type)
    .filter((story) => {
      const text = fold(`${story.title} ${story.description}`);
      return words.every((word) => text.includes(word));
    })
    .map(({ title, description, type, imgPath, readLink }) => ({
      title,
      description,
      type,
      imgPath,
      readLink,
    }));
}

/** Returns the words searched for, or an empty string. */
export function readQuery(request: Request): string {
  const query = new URL(request.url).searchParams.get("q") ?? "";
  return query.trim().slice(0, MAX_QUERY_LENGTH);
}

/**
 * Returns a book to be surprised by: one that was not opened or suggested lately, else one that has not
 * been for long. `undefined` without books.
 *
 * @param random a number from 0 up to, but not including, 1
 */
export function pickSurprise(
  books: readonly Book[],
  request: Request,
  random: number,
): Book | undefined {
  const recent = readRecent(request);
  const fresh = books.filter(({ id }) => !recent.includes(id));
  const newest = recent.slice(0, Math.min(NEVER_AGAIN_WITHIN, books.length - 1));
  const candidates = fresh.length > 0 ? fresh : books.filter(({ id }) => !newest.includes(id));
  return candidates[Math.floor(random * candidates.length)];
}

/** Returns the `Set-Cookie` value by which the story of that id counts as opened. The oldest give way to it. */
export function keepOpened(request: Request, id: string): string {
  const ids = [id, ...readRecent(request).filter((other) => other !== id)];
  while (encodeURIComponent(JSON.stringify(ids)).length > RECENT.maxLength) ids.pop();
  return serialize(RECENT.name, JSON.stringify(ids), {
    httpOnly: true,
    maxAge: RECENT.maxAgeSeconds,
    path: "/",
    sameSite: "lax",
  });
}

/** Newest first. */
function readRecent(request: Request): string[] {
  const cookie = parse(request.headers.get("Cookie") ?? "")[RECENT.name];
  try {
    const ids: unknown = JSON.parse(cookie ?? "[]");
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
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

/** Whether the deployment's files can be read: Pages binds them beside the functions. */
function hasAssets(env: object): env is { ASSETS: { fetch: typeof fetch } } {
  return "ASSETS" in env;
}
