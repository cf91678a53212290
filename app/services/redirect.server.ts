/** Returns `to` when it is a path on this site, otherwise `fallback`. Guards against open redirects. */
export function safePath(to: unknown, fallback: string): string {
  // Browsers read a backslash as a slash and drop tabs and line breaks, so neither may come in.
  return typeof to === "string" && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(to) ? to : fallback;
}
