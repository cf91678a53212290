const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/**
 * Whether a value is a valid document id. We allow fewer characters than Firestore: only those without a meaning in a
 * URL, so that an id never changes the path it is put in.
 *
 * @see https://firebase.google.com/docs/firestore/quotas#collections_documents_and_fields
 */
export function isDocumentId(id: unknown): id is string {
  return typeof id === "string" && /^(?!\.\.?$)(?!__.*__$)[\w.~-]{1,1500}$/.test(id);
}

/** Returns a random document id in Firestore's format: 20 letters and digits. */
export function createDocumentId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20));
  return Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join("");
}
