import { parse, serialize } from "cookie";

import type { Wish } from "#app/schemas/wish.ts";

const NAME = "wish";
const MAX_AGE_SECONDS = 30 * 60;
const OPTIONS = { httpOnly: true, path: "/", sameSite: "lax" } as const;

/** Where the guard may have stood in the way, by path, and what the place is called. */
const PLACES = new Map([["/create", "Create"]]);

/** Returns the headers by which the profile, when it comes to it, offers to go on to where the request wanted to go. */
export function keepWish(request: Request): Record<string, string> {
  const { pathname, search } = new URL(request.url);
  if (!PLACES.has(pathname)) return {};
  const options = { ...OPTIONS, maxAge: MAX_AGE_SECONDS };
  return { "Set-Cookie": serialize(NAME, pathname + search, options) };
}

/** Returns where somebody wanted to go; `null` when nowhere, or nowhere that the guard could have kept them from. */
export function getWish(request: Request): Wish | null {
  const to = parse(request.headers.get("Cookie") ?? "")[NAME] ?? "";
  const [path = ""] = to.split("?");
  const place = PLACES.get(path);
  return place === undefined ? null : { to, place };
}

/** Returns the headers that keep it from being offered twice: none when there is nothing to offer. */
export function forgetWish(wish: Wish | null): Record<string, string> {
  return wish ? { "Set-Cookie": serialize(NAME, "", { ...OPTIONS, maxAge: 0 }) } : {};
}
