/** In UTF-16 units. A text is stored in parts, because a Firestore document holds at most 1 MiB. */
const PART_LENGTH = 200_000;
export const MAX_PARTS = 3;

/** Splits a text into 1 to 3 parts, between characters, which may be two units long. */
export function splitText(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  do {
    const part = rest.slice(0, PART_LENGTH).replace(/[\uD800-\uDBFF]$/, "");
    parts.push(part);
    rest = rest.slice(part.length);
  } while (rest.length > 0);
  return parts;
}
