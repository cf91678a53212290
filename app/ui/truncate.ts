/** Cuts a text to a length in UTF-16 units, never between the halves of a surrogate pair. */
export function truncate(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, "");
}

/** Cuts a long text after a word, and marks that with "…". A text without spaces is cut anywhere. */
export function truncateWords(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  return `${truncate(text, maxLength).replace(/\s+\S{0,30}$/, "")}…`;
}
