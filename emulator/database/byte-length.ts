/** Whether the text takes more than this many bytes in UTF-8. */
export function isLongerThan(text: string, bytes: number): boolean {
  // A UTF-16 code unit takes at most three bytes, so most texts need no exact count.
  return text.length * 3 > bytes && Buffer.byteLength(text) > bytes;
}
