import type { FirestoreClient } from "firebase-rest-firestore";
import * as z from "zod";

const partSchema = z.object({ text: z.string() });

/**
 * Puts together the text of a draft, a version or a story from its parts.
 *
 * @param path of the document, which says how many parts it has
 * @throws when a part is missing or the database does not answer
 */
export async function readText(
  firestore: FirestoreClient,
  path: string,
  parts: number,
): Promise<string> {
  const numbers = Array.from({ length: parts }, (_, index) => String(index));
  const documents = await Promise.all(
    numbers.map((number) => firestore.get(`${path}/parts`, number)),
  );
  return documents.map((document) => partSchema.parse(document).text).join("");
}
