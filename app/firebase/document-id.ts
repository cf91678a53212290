const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/**
 * Whether it may be the id of a document. Of what Firestore takes these are the signs that also mean nothing else in an
 * address, so an id never leads to another path.
 *
 * @see https://firebase.google.com/docs/firestore/quotas#collections_documents_and_fields
 */
export function isDocumentId(id: unknown): id is string {
  return typeof id === "string" && /^(?!\.\.?$)(?!__.*__$)[\w.~-]{1,1500}$/.test(id);
}

/** Returns a new id for a document: 20 letters and digits, as Firestore's own. */
export function createDocumentId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20));
  return Array.from(bytes, (byte) => LETTERS[byte % LETTERS.length]).join("");
}
