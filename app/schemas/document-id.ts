const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Returns a new id for a document: 20 letters and digits, as Firestore's own. */
export function createDocumentId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20));
  return Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join("");
}
