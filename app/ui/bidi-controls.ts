/** Removes the invisible characters that change the direction of the text around them, such as U+202E. */
export function removeBidiControls(text: string): string {
  return text.replaceAll(/\p{Bidi_Control}/gu, "");
}
