/** Longer than any address of ours, and short enough to stand in a cookie among other things. In bytes. */
const MAX_PATH_LENGTH = 2000;

/** Browsers read a backslash as a slash and drop tabs and line breaks, so neither may come in. */
const PATH = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

/**
 * Returns `to` when it is a path on this site, otherwise `fallback`. Guards against open redirects. It is written as a
 * header takes it: in ASCII, without dots for folders.
 */
export function safePath(to: unknown, fallback: string): string {
  if (typeof to !== "string" || !PATH.test(to)) return fallback;
  const { pathname, search, hash } = new URL(to, "http://localhost");
  const path = pathname + search + hash;
  return path.length <= MAX_PATH_LENGTH && PATH.test(path) ? path : fallback;
}
