/**
 * Anything but blanks, controls, and characters that show nothing by themselves, such as zero-width spaces and joiners,
 * variation selectors and fillers. `firestore.rules` lists the same characters: its expressions do not know the names.
 */
const VISIBLE_CHARACTER =
  /[^\s\p{Z}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB\u{13430}-\u{1343F}]/u;

/** Tells whether a text shows anything. */
export function isVisible(text: string): boolean {
  return VISIBLE_CHARACTER.test(text);
}
