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
