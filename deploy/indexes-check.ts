import type { Env } from "#app/env.server.ts";
import { FirestoreError } from "#app/firebase/firestore-error.server.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { readIndexes } from "./firebase-files.ts";

const CALL = { timeoutMs: 15_000, isLogged: false };

/** `not-ready`: an index is missing, or not built yet; `no-answer`: Firestore did not respond to a query. */
export type IndexesProblem = "not-ready" | "no-answer" | "rejected";

/** Makes a query for each index of `firestore.indexes.json`, which finds nothing. Returns what is wrong, if anything. */
export async function checkIndexes(env: Env): Promise<IndexesProblem | undefined> {
  const firestore = asUser(env, null);
  const indexes = await readIndexes(".");
  const queries = indexes.map(({ collectionGroup, fields }) => {
    const [filter, order] = fields;
    const operator = "arrayConfig" in filter ? "array-contains" : "==";
    const isDescending = "order" in order && order.order === "DESCENDING";
    return firestore.query(
      collectionGroup,
      {
        where: [[filter.fieldPath, operator, "doctor"]],
        orderBy: [order.fieldPath, isDescending ? "desc" : "asc"],
        limit: 1,
        isKeysOnly: true,
      },
      CALL,
    );
  });
  try {
    await Promise.all(queries);
    return undefined;
  } catch (error) {
    if (error instanceof UnavailableError) return "no-answer";
    if (!(error instanceof FirestoreError)) throw error;
    return error.code === "FAILED_PRECONDITION" ? "not-ready" : "rejected";
  }
}
