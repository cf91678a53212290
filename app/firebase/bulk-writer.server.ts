import type { Env } from "#app/env.server.ts";
import type { Write } from "./firestore-types.ts";
import { asUser } from "./firestore.server.ts";

/** Firestore's limit for one commit. */
const MAX_WRITES = 500;

/**
 * A Worker on the free plan may make 50 subrequests per request. The rest is for the code that runs before and after.
 *
 * @see https://developers.cloudflare.com/workers/platform/limits/#subrequests
 */
const MAX_REQUESTS = 40;

/** There are too many documents for one request. The committed batches remain, so the caller can continue after them. */
export class UnfinishedError extends Error {
  override name = "UnfinishedError";
}

interface BulkWriteOptions {
  /** Whether to write only documents whose field `uid` is the user's. @default false */
  isOwn?: boolean;
  /** How many documents are queried and written in one commit. @default 500 */
  batchSize?: number;
  /** The path of a document: only those after it are written. */
  startAfter?: string | undefined;
  /** Called after each commit with the path of its last document. */
  onCommit?: (lastPath: string) => void;
}

/**
 * Writes every document of the collection at a path, in batches of one commit each.
 *
 * @param toWrites returns the writes for the document at a path
 * @throws {UnfinishedError} when `maxRequests` is reached
 * @throws {PermissionDeniedError} when the rules deny a batch
 * @throws {UnavailableError}
 */
export type BulkWrite = (
  path: string,
  toWrites: (documentPath: string) => Write[] | Promise<Write[]>,
  options?: BulkWriteOptions,
) => Promise<void>;

/**
 * Returns a function that writes whole collections as a user. All calls of it share the limit of `maxRequests`.
 *
 * @param maxRequests @default 40
 */
export function createBulkWriter(
  env: Env,
  user: { uid: string; idToken: string | null },
  maxRequests = MAX_REQUESTS,
): BulkWrite {
  const firestore = asUser(env, user);
  let requests = 0;

  function countRequest() {
    requests += 1;
    if (requests > maxRequests) throw new UnfinishedError("Too many requests for one request");
  }

  return async (path, toWrites, options = {}) => {
    const { isOwn = false, batchSize = MAX_WRITES, onCommit } = options;
    const where = isOwn ? ([["uid", "==", user.uid]] as const) : [];
    let { startAfter } = options;
    let isLastBatch = false;
    while (!isLastBatch) {
      countRequest();
      const query = { where, startAfter, limit: batchSize, isKeysOnly: true };
      const documents = await firestore.query(path, query);
      const writes: Write[] = [];
      for (const document of documents) writes.push(...(await toWrites(document.path)));
      if (writes.length > 0) {
        countRequest();
        await firestore.commit(writes);
      }
      startAfter = documents.at(-1)?.path;
      if (startAfter !== undefined) onCommit?.(startAfter);
      isLastBatch = documents.length < batchSize;
    }
  };
}
