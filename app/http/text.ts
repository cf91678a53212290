/**
 * Returns a check that a text has at most `limit` UTF-16 units, which is how Google counts in `firestore.rules`. Zod's own
 * limits count code points.
 */
export function hasAtMost(limit: number): (text: string) => boolean {
  return (text) => text.length <= limit;
}

/**
 * Any character except spaces, control characters, and invisible characters such as zero-width joiners, variation
 * selectors and fillers. `firestore.rules` lists the same characters, because its patterns have no Unicode names.
 */
const VISIBLE_CHARACTER =
  /[^\s\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB\u{13430}-\u{1343F}]/u;

/** Whether a text contains a visible character. */
export function isVisible(text: string): boolean {
  return VISIBLE_CHARACTER.test(text);
}

/** Parses JSON; `undefined` if there is no text, or it isn't JSON, such as a proxy's error page. */
export function parseJson(text = ""): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
