/** In bytes. Longer than any path of this app, and short enough to share a cookie with other values. */
const MAX_PATH_LENGTH = 2000;

/** Excludes backslashes, which browsers read as slashes, and tabs and line breaks, which they remove. */
const PATH = /^\/(?![/\\])[^\\\p{Cc}]*$/u;

/**
 * Returns `to` when it is a path on this site, otherwise `fallback`. Prevents open redirects. The path is normalized and
 * percent-encoded, so it can be sent in a header.
 */
export function toSafePath(to: unknown, fallback: string): string {
  if (typeof to !== "string" || !PATH.test(to)) return fallback;
  const { pathname, search, hash } = new URL(to, "http://localhost");
  const path = pathname + search + toDecodableHash(hash);
  return path.length <= MAX_PATH_LENGTH && PATH.test(path) ? path : fallback;
}

/**
 * Returns a hash that can be decoded: encodes one with an invalid escape, such as `#100%`. React Router's
 * `ScrollRestoration` decodes the hash on every render, and would throw.
 */
export function toDecodableHash(hash: string): string {
  try {
    decodeURIComponent(hash);
    return hash;
  } catch {
    return encodeURI(hash);
  }
}
