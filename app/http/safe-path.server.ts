/** In bytes. Longer than any of our paths, and short enough for a cookie with other values. */
const MAX_PATH_LENGTH = 2000;

/** Browsers read a backslash as a slash and drop tabs and line breaks, so neither may come in. */
const PATH = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

/**
 * Returns `to` when it is a path on this site, otherwise `fallback`. Prevents open redirects. The path is normalized and in
 * ASCII, ready for a header.
 */
export function safePath(to: unknown, fallback: string): string {
  if (typeof to !== "string" || !PATH.test(to)) return fallback;
  const { pathname, search, hash } = new URL(to, "http://localhost");
  const path = pathname + search + hash;
  return path.length <= MAX_PATH_LENGTH && PATH.test(path) ? path : fallback;
}
