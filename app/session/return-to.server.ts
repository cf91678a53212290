import { createCookie } from "#app/http/cookie.server.ts";
import type { Wish } from "./return-to.ts";

const cookie = createCookie("wish", { maxAgeSeconds: 30 * 60 });

/** Longer than any query of ours, and short enough for browsers to keep. */
const MAX_SEARCH_LENGTH = 1000;

/** Where the guard may have stood in the way, by path, and what the place is called. */
const PLACES = new Map([["/create", "Create"]]);

/** Returns the headers by which the profile, when it comes to it, offers to go on to where the request wanted to go. */
export function keepWish(request: Request): Record<string, string> {
  const { pathname, search: whole } = new URL(request.url);
  if (!PLACES.has(pathname)) return {};
  const search = whole.length > MAX_SEARCH_LENGTH ? "" : whole;
  return { "Set-Cookie": cookie.write(request, pathname + search) };
}

/** Returns where somebody wanted to go; `null` when nowhere, or nowhere that the guard could have kept them from. */
export function getWish(request: Request): Wish | null {
  const to = cookie.read(request) ?? "";
  const [path = ""] = to.split("?");
  const place = PLACES.get(path);
  return place === undefined ? null : { to, place };
}

/** Returns the headers that keep it from being offered twice: none when there is nothing to offer. */
export function forgetWish(request: Request, wish: Wish | null): Record<string, string> {
  return wish ? { "Set-Cookie": cookie.remove(request) } : {};
}
