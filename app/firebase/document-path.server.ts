import { isDocumentId } from "./document-id.ts";

/**
 * Returns the path of a document or a collection as it is. What comes from outside is validated where it arrives; here
 * nothing else gets through to the database, whatever a route forgets.
 *
 * @throws {TypeError} unless every part of it is an id
 */
export function requirePath(path: string): string {
  if (!path.split("/").every(isDocumentId)) {
    throw new TypeError(`${JSON.stringify(path)} is not a database path`);
  }
  return path;
}
