/** In UTF-16 units. Texts are stored in parts, because a Firestore document is limited to 1 MiB. */
const PART_LENGTH = 200_000;
export const MAX_PARTS = 3;

/** Splits a text into 1 to 3 parts, but never inside a surrogate pair. */
export function splitText(text: string): string[] {
  const parts: string[] = [];
  let remaining = text;
  do {
    const part = remaining.slice(0, PART_LENGTH).replace(/[\uD800-\uDBFF]$/, "");
    parts.push(part);
    remaining = remaining.slice(part.length);
  } while (remaining.length > 0);
  return parts;
}
