/**
 * Returns a check that a text has at most so many UTF-16 units, which is how the rules count too. Zod's own limits count
 * code points.
 */
export function hasAtMost(limit: number): (text: string) => boolean {
  return (text) => text.length <= limit;
}
