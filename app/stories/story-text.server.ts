import * as z from "zod";

import type { Fields } from "#app/firebase/firestore-types.ts";

/** In UTF-16 units. Texts are stored in parts, because a Firestore document is limited to 1 MiB. */
const PART_LENGTH = 200_000;
export const MAX_PARTS = 3;

/** In the longest text, every character is a word. `firestore.rules` has the same number. */
export const MAX_WORDS = MAX_PARTS * PART_LENGTH;

const headSchema = z.object({ parts: z.int().min(1).max(MAX_PARTS) });
const partSchema = z.object({ text: z.string() });

/** Fields with the text of their parts. */
export type FieldsWithText = Fields & {
  text: string;
  /** Whether a part is missing. The text is then the others. */
  isDamaged?: true;
};

/** Returns the path of a draft, version or story, followed by those of all parts that its text may have. */
export function getPathsWithText(path: string): string[] {
  return [path, ...Array.from({ length: MAX_PARTS }, (_, number) => `${path}/parts/${number}`)];
}

/** Joins the documents at `getPathsWithText` into one with its text; `null` if the first does not exist. */
export function joinText([head, ...parts]: (Fields | null)[]): FieldsWithText | null {
  if (!head) return null;
  const count = headSchema.safeParse(head).data?.parts;
  const texts = parts.slice(0, count).map((part) => partSchema.safeParse(part).data?.text);
  const isDamaged = count === undefined || texts.includes(undefined);
  // The words before and after a missing part are not one paragraph.
  const text = texts.map((part) => part ?? "\n\n").join("");
  return { ...head, text, ...(isDamaged && { isDamaged }) };
}

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
