import { isDocumentId } from "./document-id.ts";

/**
 * Returns the path of a document or collection unchanged. Routes validate their input; this check protects the database
 * where a route forgets to.
 *
 * @throws {TypeError} unless every part of the path is an id
 */
export function requirePath(path: string): string {
  if (!path.split("/").every(isDocumentId)) {
    throw new TypeError(`${JSON.stringify(path)} is not a database path`);
  }
  return path;
}
