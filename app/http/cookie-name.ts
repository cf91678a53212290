/**
 * Returns the name under which a cookie is kept. On https it carries the prefix by which browsers accept it from this
 * host alone, over https, for all paths: no subdomain and no network can plant it.
 *
 * @param protocol as `location` and `URL` have it, with its colon
 * @see https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4.1.3.2
 */
export function toCookieName(name: string, protocol: string): string {
  return protocol === "https:" ? `__Host-${name.replace(/^__/, "")}` : name;
}
