import * as z from "zod";

import type { Env } from "#app/env.server.ts";
import { commit, locateDocuments } from "./commit.server.ts";
import { RefusedError } from "./documents.server.ts";
import type { Write } from "./firestore-types.ts";

const TIMEOUT_MS = 30_000;

/** As many as one commit may hold. */
const MAX_WRITES = 500;

/**
 * A Worker of the free plan makes 50 requests for one of its own; some are left for what comes before and after.
 *
 * @see https://developers.cloudflare.com/workers/platform/limits/#subrequests
 */
const MAX_REQUESTS = 40;

/** There is more than one request can change. Batches that were written stay written: go on after them. */
export class UnfinishedError extends Error {
  override name = "UnfinishedError";
}

export interface SweepOptions {
  /** Only documents whose `uid` is the person's. @default false */
  isOwn?: boolean;
  /** How many documents are found and changed at once. @default 500 */
  batchSize?: number;
  /** The path of a document: only those after it. */
  after?: string | undefined;
  /** Told the path of the last document of every batch that is written. */
  onWritten?: (last: string) => void;
}

export interface Sweep {
  /**
   * Changes every document of a collection, given by its path below the database's root, in batches: each batch all or
   * nothing.
   *
   * @param toWrites returns what is written for the document at a path
   * @throws {UnfinishedError}
   * @throws {RefusedError} when the rules refuse a batch
   * @throws when Firestore cannot be reached
   */
  (
    path: string,
    toWrites: (documentPath: string) => Write[] | Promise<Write[]>,
    options?: SweepOptions,
  ): Promise<void>;
}

const foundSchema = z.array(z.object({ document: z.object({ name: z.string() }).optional() }));

/**
 * Returns how to change all documents of a collection as a person. `firebase-rest-firestore` finds documents with all
 * they hold and changes one a request, of which there would be too many.
 *
 * @param maxRequests after which it ends unfinished. @default 40
 * @see https://firebase.google.com/docs/firestore/reference/rest/v1/projects.databases.documents/runQuery
 */
export function createSweep(
  env: Env,
  person: { uid: string; idToken: string },
  maxRequests = MAX_REQUESTS,
): Sweep {
  const { root, url } = locateDocuments(env);
  let requests = 0;

  function count() {
    requests += 1;
    if (requests > maxRequests) throw new UnfinishedError("More than one request can change");
  }

  /** Returns the paths of a collection's documents in their order, those after `last`. */
  async function find(path: string, last: string | undefined, isOwn: boolean, limit: number) {
    count();
    const [parent, collectionId] = splitPath(path);
    const owner = { field: { fieldPath: "uid" }, op: "EQUAL", value: { stringValue: person.uid } };
    const after = { values: [{ referenceValue: `${root}/${last}` }], before: false };
    const response = await fetch(`${url}${parent}:runQuery`, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Authorization: `Bearer ${person.idToken}`,
      },
      body: JSON.stringify({
        structuredQuery: {
          from: [{ collectionId }],
          select: { fields: [{ fieldPath: "__name__" }] },
          ...(isOwn && { where: { fieldFilter: owner } }),
          orderBy: [{ field: { fieldPath: "__name__" }, direction: "ASCENDING" }],
          ...(last && { startAt: after }),
          limit,
        },
      }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`Firestore answered ${response.status} about ${path}`);
    const found = foundSchema.parse(await response.json());
    return found.flatMap(({ document }) => document?.name.slice(root.length + 1) ?? []);
  }

  async function write(writes: Write[]) {
    if (writes.length === 0) return;
    count();
    const { status } = await commit(env, person.idToken, writes);
    if (status === "refused") throw new RefusedError("Firestore refused a commit");
    if (status !== "done") throw new Error(`Firestore said "${status}" to a commit`);
  }

  return async function sweep(path, toWrites, options = {}) {
    const { isOwn = false, batchSize = MAX_WRITES, after, onWritten } = options;
    let last = after;
    let found: string[];
    do {
      found = await find(path, last, isOwn, batchSize);
      const writes: Write[] = [];
      for (const documentPath of found) writes.push(...(await toWrites(documentPath)));
      await write(writes);
      last = found.at(-1);
      if (last !== undefined) onWritten?.(last);
    } while (found.length === batchSize);
  };
}

/** Splits `rooms/general/messages` into `/rooms/general` and `messages`. */
function splitPath(path: string): [string, string] {
  const end = path.lastIndexOf("/");
  return end < 0 ? ["", path] : [`/${path.slice(0, end)}`, path.slice(end + 1)];
}
