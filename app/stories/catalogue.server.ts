import type { AppLoadContext } from "@remix-run/cloudflare";

import { createPreferenceCookie } from "#app/http/cookie.server.ts";
import builtInBooks from "#public/assets/jsons/books.json";
import { bookListSchema } from "./book-schema.ts";
import { BOOKS_PATH, type Book } from "./book.ts";

/** What was opened or suggested lately. */
const recent = createPreferenceCookie("recent", { maxAgeSeconds: 90 * 24 * 60 * 60 });
const MAX_RECENT_LENGTH = 1000;
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
  const opened = readRecent(request);
  const fresh = books.filter(({ id }) => !opened.includes(id));
  const newest = opened.slice(0, Math.min(NEVER_AGAIN_WITHIN, books.length - 1));
  const candidates = fresh.length > 0 ? fresh : books.filter(({ id }) => !newest.includes(id));
  return candidates[Math.floor(random * candidates.length)];
}

/** Returns the `Set-Cookie` value by which the story of that id counts as opened. The oldest give way to it. */
export function keepOpened(request: Request, id: string): string {
  const ids = [id, ...readRecent(request).filter((other) => other !== id)];
  while (encodeURIComponent(JSON.stringify(ids)).length > MAX_RECENT_LENGTH) ids.pop();
  return recent.write(request, JSON.stringify(ids));
}

/** Newest first. */
function readRecent(request: Request): string[] {
  try {
    const ids: unknown = JSON.parse(recent.read(request) ?? "[]");
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

/** Whether the deployment's files can be read: Pages binds them beside the functions. */
function hasAssets(env: object): env is { ASSETS: { fetch: typeof fetch } } {
  return "ASSETS" in env;
}
