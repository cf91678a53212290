/** Cuts a text to a length in UTF-16 units, never between the halves of a surrogate pair. */
export function truncate(text: string, maxLength: number): string {
  return text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, "");
}
