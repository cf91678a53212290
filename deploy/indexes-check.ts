import { TOPICS_PATH } from "#app/chat/room-address.ts";
import type { Env } from "#app/env.server.ts";
import { FirestoreError } from "#app/firebase/firestore-error.server.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { readIndexes } from "./firebase-files.ts";

const CALL = { timeoutMs: 15_000, isLogged: false };

/** `not-ready`: an index is missing, or not built yet; `no-answer`: Firestore did not respond to a query. */
export type IndexesProblem = "not-ready" | "no-answer" | "rejected";

interface FailedIndexes {
  problem: IndexesProblem;
  /** Such as "stories(terms, publishedAt desc)". */
  names: string[];
}

type Index = Awaited<ReturnType<typeof readIndexes>>[number];

/** For each index of `firestore.indexes.json`, runs a query that finds nothing. Returns what is wrong, if anything. */
export async function checkIndexes(env: Env): Promise<FailedIndexes | undefined> {
  const indexes = await readIndexes(".");
  const results = await Promise.all(
    indexes.map(async (index) => ({ name: toName(index), problem: await checkIndex(env, index) })),
  );
  const problem = results.find((result) => result.problem)?.problem;
  if (!problem) return undefined;
  const failed = results.filter((result) => result.problem === problem);
  return { problem, names: failed.map(({ name }) => name) };
}

async function checkIndex(
  env: Env,
  { collectionGroup, fields }: Index,
): Promise<IndexesProblem | undefined> {
  const [filter, order] = fields;
  const operator = "arrayConfig" in filter ? "array-contains" : "==";
  try {
    await asUser(env, null).query(
      collectionGroup === "topics" ? TOPICS_PATH : collectionGroup,
      {
        where: [[filter.fieldPath, operator, "doctor"]],
        orderBy: [order.fieldPath, isDescending(order) ? "desc" : "asc"],
        limit: 1,
        isKeysOnly: true,
      },
      CALL,
    );
    return undefined;
  } catch (error) {
    if (error instanceof UnavailableError) return "no-answer";
    if (!(error instanceof FirestoreError)) throw error;
    return error.code === "FAILED_PRECONDITION" ? "not-ready" : "rejected";
  }
}

function toName({ collectionGroup, fields: [filter, order] }: Index): string {
  const direction = isDescending(order) ? " desc" : "";
  return `${collectionGroup}(${filter.fieldPath}, ${order.fieldPath}${direction})`;
}

function isDescending(field: Index["fields"][number]): boolean {
  return "order" in field && field.order === "DESCENDING";
}
