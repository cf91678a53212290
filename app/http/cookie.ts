/**
 * Returns the name under which a cookie is stored. On https it has the prefix `__Host-`, so that browsers accept it from
 * this host only, and no subdomain or network can set it.
 *
 * @param protocol with its colon, as in `location` and `URL`
 * @see https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4.1.3.2
 */
export function toCookieName(name: string, protocol: string): string {
  return protocol === "https:" ? `__Host-${name.replace(/^__/, "")}` : name;
}

/** Returns the value of a cookie, or `undefined`. */
export function readCookie(name: string): string | undefined {
  const start = `${toCookieName(name, location.protocol)}=`;
  const row = document.cookie.split("; ").find((cookie) => cookie.startsWith(start));
  try {
    return row && decodeURIComponent(row.slice(start.length));
  } catch {
    return undefined;
  }
}

/** Writes a cookie with the name and attributes that `createCookie` gives it on the server. */
export function writeCookie(
  { name, maxAgeSeconds }: { name: string; maxAgeSeconds: number },
  value: string,
): void {
  const isSecure = location.protocol === "https:";
  const pair = `${toCookieName(name, location.protocol)}=${encodeURIComponent(value)}`;
  const attributes = `Max-Age=${maxAgeSeconds}; Path=/; SameSite=Lax`;
  document.cookie = `${pair}; ${attributes}${isSecure ? "; Secure" : ""}`;
}
