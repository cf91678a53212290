import type { AppLoadContext } from "@remix-run/cloudflare";
import { parse, serialize } from "cookie";

import { BOOKS_PATH, type Book } from "#app/schemas/book.ts";
import { bookListSchema } from "#app/schemas/book-schema.ts";
import builtInBooks from "../../public/assets/jsons/books.json";

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

/** Whether the deployment's files can be read: Pages binds them beside the functions. */
function hasAssets(env: object): env is { ASSETS: { fetch: typeof fetch } } {
  return "ASSETS" in env;
}
