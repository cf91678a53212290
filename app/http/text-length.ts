/**
 * Returns a check that a text has at most `limit` UTF-16 units, which is how Google counts in `firestore.rules`. Zod's own
 * limits count code points.
 */
export function hasAtMost(limit: number): (text: string) => boolean {
  return (text) => text.length <= limit;
}
