import { normalizeText } from "./terms.ts";

const DIGITS = 10;
const MAX_SLUG_LENGTH = 60;

/** Returns a new id: the words of the title in Latin letters and ten random digits. No built-in story has such digits. */
export function createStoryId(title: string): string {
  const slug = normalizeText(title)
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_SLUG_LENGTH)
    .replaceAll(/^-+|-+$/g, "");
  const bytes = crypto.getRandomValues(new Uint8Array(DIGITS));
  const digits = Array.from(bytes, (byte) => byte % 10).join("");
  return `${slug || "story"}-${digits}`;
}
