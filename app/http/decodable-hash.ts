/**
 * Returns the hash of an address, encoded if it is no valid escape, such as `#100%`. React Router's `ScrollRestoration`
 * decodes the hash at every rendering, and throws.
 */
export function toDecodableHash(hash: string): string {
  try {
    decodeURIComponent(hash);
    return hash;
  } catch {
    return encodeURI(hash);
  }
}
