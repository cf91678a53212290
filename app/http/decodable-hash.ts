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
