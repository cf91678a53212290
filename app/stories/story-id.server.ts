import { normalizeText } from "./terms.ts";

const DIGITS = 10;
const MAX_SLUG_LENGTH = 60;

/** Returns a new id: the words of the title in Latin letters and ten random digits. No built-in story has such digits. */
export function createStoryId(title: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(DIGITS));
  const digits = Array.from(bytes, (byte) => byte % 10).join("");
  return `${createSlug(title)}-${digits}`;
}

/** Returns the words of a title in Latin letters; `story` if it has none. */
export function createSlug(title: string): string {
  const slug = normalizeText(title)
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_SLUG_LENGTH)
    .replaceAll(/^-+|-+$/g, "");
  return slug || "story";
}
