import type { Fields, Firestore, Write } from "./firestore-types.ts";

/** Firestore's limit for one commit. */
export const MAX_WRITES = 500;

/** How many other documents the rules read for a commit: a fifth below their limit, as `npm run bench:rules` shows. */
const MAX_CHECKED = 16;

/**
 * A Worker on the free plan may make 50 subrequests per request. The rest is for the code that runs before and after: to
 * delete an account, five requests to the Realtime Database, and five to the session and the sign-in service.
 *
 * @see https://developers.cloudflare.com/workers/platform/limits/#subrequests
 */
const MAX_REQUESTS = 40;

/**
 * There are too many documents for one request. Committed batches stay, so the caller can continue after the last one.
 */
export class UnfinishedError extends Error {
  override name = "UnfinishedError";
}

interface BulkWriteOptions {
  /** Whether to write only documents whose field `uid` is the user's. @default false */
  isOwn?: boolean;
  /** Whether `toWrites` gets no fields, for a smaller response. @default true, without `toRelated` and `isChecked` */
  isKeysOnly?: boolean;
  /** How many documents are queried and written in one commit. @default 500 */
  batchSize?: number;
  /** Whether the rules read another document for this one. A batch with many of these takes several commits. */
  isChecked?: (fields: Fields) => boolean;
  /** Writes only the documents after this path. */
  startAfter?: string | undefined;
  /** Returns the paths of other documents that `toWrites` needs. They are read in one request for each batch. */
  toRelated?: (fields: Fields) => string[];
  /** Called after each commit with the path of its last document. */
  onCommit?: (lastPath: string) => void;
}

/**
 * Writes every document of the collection at a path, in batches of one commit each, or more with `isChecked`.
 *
 * @param toWrites returns the writes for the document at a path
 * @throws {UnfinishedError} when the limit of requests is reached
 * @throws {PermissionDeniedError} when the rules deny a batch
 * @throws {UnavailableError}
 */
export type BulkWrite = (
  path: string,
  toWrites: (
    documentPath: string,
    fields: Fields,
    findRelated: (path: string) => Fields | undefined,
  ) => Write[] | Promise<Write[]>,
  options?: BulkWriteOptions,
) => Promise<void>;

/**
 * Returns Firestore with a limit: every request over it rejects with `UnfinishedError`.
 *
 * @param maxRequests @default 40
 */
export function limitRequests(firestore: Firestore, maxRequests = MAX_REQUESTS): Firestore {
  let requests = 0;

  async function count<Result>(call: () => Promise<Result>): Promise<Result> {
    requests += 1;
    if (requests > maxRequests)
      throw new UnfinishedError("There are too many documents for one request");
    return call();
  }

  return {
    get: (...args) => count(() => firestore.get(...args)),
    batchGet: (...args) => count(() => firestore.batchGet(...args)),
    query: (...args) => count(() => firestore.query(...args)),
    commit: (...args) => count(() => firestore.commit(...args)),
  };
}

/** Returns a function that writes whole collections as the user of `firestore`. */
export function createBulkWriter(firestore: Firestore, { uid }: { uid: string }): BulkWrite {
  return async (path, toWrites, options = {}) => {
    const { isOwn = false, toRelated, isChecked, batchSize = MAX_WRITES, onCommit } = options;
    const isKeysOnly = options.isKeysOnly ?? !(toRelated || isChecked);
    const where = isOwn ? ([["uid", "==", uid]] as const) : [];
    let { startAfter } = options;
    let isLastBatch = false;
    while (!isLastBatch) {
      const query = { where, startAfter, limit: batchSize, isKeysOnly };
      const documents = await firestore.query(path, query);
      const related = await readRelated(
        firestore,
        documents.flatMap(({ fields }) => toRelated?.(fields) ?? []),
      );
      let writes: Write[] = [];
      let checked = 0;
      for (const { path: documentPath, fields } of documents) {
        if (isChecked?.(fields) === true) checked += 1;
        if (checked > MAX_CHECKED) {
          await firestore.commit(writes);
          [writes, checked] = [[], 1];
        }
        writes.push(...(await toWrites(documentPath, fields, (other) => related.get(other))));
      }
      if (writes.length > 0) await firestore.commit(writes);
      startAfter = documents.at(-1)?.path;
      if (startAfter !== undefined) onCommit?.(startAfter);
      isLastBatch = documents.length < batchSize;
    }
  };
}

async function readRelated(
  firestore: Firestore,
  paths: readonly string[],
): Promise<Map<string, Fields>> {
  if (paths.length === 0) return new Map();
  const { documents } = await firestore.batchGet([...new Set(paths)], { fields: ["uid"] });
  return new Map(documents.flatMap((found) => (found ? [[found.path, found.fields]] : [])));
}
